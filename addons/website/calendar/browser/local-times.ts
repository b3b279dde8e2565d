import { pageLanguage, t } from 'pergola/browser';
import { clockTime, deviceZone, type FormatFor, isSameTime, type SpanTexts, spanTexts, zoneName } from 'pergola/zones';
import { momentOf } from '../wire-time.ts';
import type { ShownEvent } from './fetch-events.ts';

const DAY = 24 * 3600_000;

const formatFor: FormatFor = (timeZone, options) => new Intl.DateTimeFormat(pageLanguage(), { ...options, timeZone });

type Timed = Pick<ShownEvent, 'start' | 'end' | 'allDay' | 'timezone'>;

/** Name of the event's zone if the visitor's clock differs, otherwise null. All-day events are the same everywhere. */
export function foreignZone({ start, end, allDay, timezone }: Timed): string | null {
  const moments = [momentOf(start), momentOf(end)];
  return allDay || isSameTime(timezone, deviceZone(), ...moments) ? null : zoneName(timezone, t);
}

/** Formatted times of an event in `zone`, by default the event's own. */
export function timesOf(
  { start, end, timezone }: Timed,
  { zone = timezone, day }: { zone?: string; day?: Intl.DateTimeFormatOptions } = {},
): SpanTexts {
  return spanTexts({ start: momentOf(start), end: momentOf(end), zone }, formatFor, day);
}

/** Returns whether an event lasts a day or longer and belongs in the all-day area. */
export function isLong({ start, end, allDay }: Timed): boolean {
  return allDay || momentOf(end).getTime() - momentOf(start).getTime() >= DAY;
}

/** First day of a long event and the day after its last, in the event's zone. */
export function daysAtPlace({ start, end, allDay, timezone }: Timed): { readonly start: string; readonly end: string } {
  if (allDay) return { start: start.slice(0, 10), end: end.slice(0, 10) };
  const last = clockTime(new Date(momentOf(end).getTime() - 1), timezone).slice(0, 10);
  return { start: clockTime(momentOf(start), timezone).slice(0, 10), end: nextDay(last) };
}

/** Local date and time in the event's zone, without an offset, so calendars in any zone show it unchanged. */
export function clockAtPlace(wire: string, timezone: string): string {
  return `${clockTime(momentOf(wire), timezone)}:00`;
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}
