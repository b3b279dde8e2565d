import type { EventInput } from '@fullcalendar/react';
import type { CalendarAnswer } from '../get-events.ts';
import { momentOf } from '../wire-time.ts';

/** An event as the server tells it. */
export type ShownEvent = CalendarAnswer['events'][number];

/** Asks for the events of a range; answers none where they cannot be had. */
export async function fetchEvents(from: Date, to: Date, contact: number | null): Promise<readonly ShownEvent[]> {
  const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
  const query = contact === null ? '' : `?contact=${contact}`;
  const answer = await fetch(`/calendar_block/get_events/${seconds(from)}/${seconds(to)}${query}`);
  if (!answer.ok) throw new Error(`The events could not be loaded (${answer.status}).`);
  const { events } = (await answer.json()) as CalendarAnswer;
  return events;
}

/** The event as the library takes it: moments in the browser's zone, days as days. */
export function toInput(shown: ShownEvent): EventInput {
  const { id, title, start, end, allDay, color, url } = shown;
  return {
    id: String(id),
    title,
    allDay,
    start: allDay ? start.slice(0, 10) : momentOf(start),
    end: allDay ? end.slice(0, 10) : momentOf(end),
    color: `var(--calendar-color-${color})`,
    contrastColor: `var(--calendar-text-${color})`,
    ...(url ? { url } : {}),
    extendedProps: { shown },
  };
}
