import { pageLanguage, t } from 'pergola/browser';
import { clockTime, deviceZone, type FormatFor, isSameTime, type SpanTexts, spanTexts, zoneName } from 'pergola/zones';
import { momentOf } from '../wire-time.ts';
import type { ShownEvent } from './fetch-events.ts';

const DAY = 24 * 3600_000;

const formatFor: FormatFor = (timeZone, options) => new Intl.DateTimeFormat(pageLanguage(), { ...options, timeZone });

type Timed = Pick<ShownEvent, 'start' | 'end' | 'allDay' | 'timezone'>;

/** Name of the place's zone if the visitor's clocks show another time, else null. Days are the same everywhere. */
export function foreignZone({ start, end, allDay, timezone }: Timed): string | null {
  const moments = [momentOf(start), momentOf(end)];
  return allDay || isSameTime(timezone, deviceZone(), ...moments) ? null : zoneName(timezone, t);
}

/** When an event takes place, on the clocks of `zone`; of the place if left out. */
export function timesOf(
  { start, end, timezone }: Timed,
  { zone = timezone, day }: { zone?: string; day?: Intl.DateTimeFormatOptions } = {},
): SpanTexts {
  return spanTexts({ start: momentOf(start), end: momentOf(end), zone }, formatFor, day);
}

/** Whether an event fills a day or more, and is shown among the days. */
export function isLong({ start, end, allDay }: Timed): boolean {
  return allDay || momentOf(end).getTime() - momentOf(start).getTime() >= DAY;
}

/** First day of an event of one day or more, and the day after its last, as its place counts days. */
export function daysAtPlace({ start, end, allDay, timezone }: Timed): { readonly start: string; readonly end: string } {
  if (allDay) return { start: start.slice(0, 10), end: end.slice(0, 10) };
  const last = clockTime(new Date(momentOf(end).getTime() - 1), timezone).slice(0, 10);
  return { start: clockTime(momentOf(start), timezone).slice(0, 10), end: nextDay(last) };
}

/** Date and time that clocks at the place show, which a calendar in any zone shows as they are. */
export function clockAtPlace(wire: string, timezone: string): string {
  return `${clockTime(momentOf(wire), timezone)}:00`;
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}
