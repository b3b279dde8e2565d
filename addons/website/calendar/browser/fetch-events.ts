import type { EventInput } from '@fullcalendar/react';
import { request } from '#core/browser';
import type { CalendarAnswer } from '../../routes/calendar-events.ts';
import { momentOf } from '../wire-time.ts';

/** An event as the server tells it. */
export type ShownEvent = CalendarAnswer['events'][number];

/** Asks for the events of a range; answers none where they cannot be had. */
export async function fetchEvents(from: Date, to: Date, contact: number | null): Promise<readonly ShownEvent[]> {
  const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
  const query = contact === null ? '' : `?contact=${contact}`;
  const answer = await request(`/calendar_block/get_events/${seconds(from)}/${seconds(to)}${query}`);
  if (!answer.ok) throw new Error(`The events could not be loaded (${answer.status}).`);
  const { events } = (await answer.json()) as CalendarAnswer;
  return events;
}

const DAY = 24 * 3600_000;

/** The event as the library takes it: moments in the browser's zone, days as days. What lasts a day or more stands among the days, with its name. */
export function toInput(shown: ShownEvent): EventInput {
  const { id, title, color, url } = shown;
  return {
    id: String(id),
    title,
    ...spanOf(shown),
    color: `var(--calendar-color-${color})`,
    contrastColor: `var(--calendar-text-${color})`,
    ...(url ? { url } : {}),
    extendedProps: { shown },
  };
}

function spanOf({ start, end, allDay }: ShownEvent): Pick<EventInput, 'allDay' | 'start' | 'end'> {
  if (allDay) return { allDay, start: start.slice(0, 10), end: end.slice(0, 10) };
  const from = momentOf(start);
  const to = momentOf(end);
  if (to.getTime() - from.getTime() < DAY) return { allDay, start: from, end: to };
  // Up to the day after its last moment.
  const last = new Date(to.getTime() - 1);
  return { allDay: true, start: from, end: new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1) };
}
