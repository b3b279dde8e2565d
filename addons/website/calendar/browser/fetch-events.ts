import type { EventInput } from '@fullcalendar/react';
import { request } from 'pergola/browser';
import type { CalendarAnswer } from '../../routes/calendar-events.ts';
import { momentOf } from '../wire-time.ts';
import { clockAtPlace, daysAtPlace, isLong } from './local-times.ts';

/** Event from the server. */
export type ShownEvent = CalendarAnswer['events'][number];

/** Fetches the events of a range; returns an empty list on failure. */
export async function fetchEvents(from: Date, to: Date, contact: number | null): Promise<readonly ShownEvent[]> {
  const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
  const query = contact === null ? '' : `?contact=${contact}`;
  const answer = await request(`/calendar_block/get_events/${seconds(from)}/${seconds(to)}${query}`);
  if (!answer.ok) throw new Error(`The events could not be loaded (${answer.status}).`);
  const { events } = (await answer.json()) as CalendarAnswer;
  return events;
}

/**
 * Converts an event for the calendar library. Grids show moments in the browser's zone; lists and events of a day or longer use the event's
 * zone.
 */
export function toInput(event: ShownEvent, isList: boolean): EventInput {
  const { id, title, color, url } = event;
  return {
    id: String(id),
    title,
    ...spanOf(event, isList),
    color: `var(--calendar-color-${color})`,
    contrastColor: `var(--calendar-text-${color})`,
    ...(url ? { url } : {}),
    extendedProps: { shown: event },
  };
}

function spanOf(event: ShownEvent, isList: boolean): Pick<EventInput, 'allDay' | 'start' | 'end'> {
  const { start, end, timezone } = event;
  if (isLong(event)) return { allDay: true, ...daysAtPlace(event) };
  if (isList) return { allDay: false, start: clockAtPlace(start, timezone), end: clockAtPlace(end, timezone) };
  return { allDay: false, start: momentOf(start), end: momentOf(end) };
}
