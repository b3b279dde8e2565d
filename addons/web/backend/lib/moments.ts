import { clockTime, deviceZone, isSameTime, momentAfterGap, momentsAt } from 'pergola/zones';
import type { FieldInfo, Start } from '../types.ts';
import { isZone } from './zone.ts';

/** Parses a moment in wire format, `2026-11-21 10:00:00` in UTC. */
export function momentOf(wire: unknown): Date | null {
  if (typeof wire !== 'string' || wire === '') return null;
  const date = new Date(`${wire.slice(0, 10)}T${wire.slice(11) || '00:00:00'}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Formats a moment for the wire. */
export function wireMoment(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats a moment for `<input type="datetime-local">` in a time zone. */
export function localInput(wire: unknown, timezone: string): string {
  const date = momentOf(wire);
  return date ? clockTime(date, timezone) : '';
}

/**
 * Parses the text of such an input into a moment in wire format; false if it is empty. Of a time that occurs twice, takes the first; a time
 * that is skipped becomes the one after the gap.
 */
export function fromLocalInput(text: string, timezone: string): string | false {
  if (!text) return false;
  const moment = momentsAt(text, timezone)[0] ?? momentAfterGap(text, timezone);
  return moment ? wireMoment(moment) : false;
}

/** Value of `timezoneField` for the site's time zone. */
const SITE = '@site';

/** Returns the time zone in which a field is shown and entered: the declared one, else the reader's. */
export function zoneOf(
  { timezoneField }: Pick<FieldInfo, 'timezoneField'>,
  record: Readonly<Record<string, unknown>>,
  { timezone, siteTimezone }: Clocks,
): string {
  if (timezoneField === SITE) return siteTimezone;
  const zone = timezoneField ? record[timezoneField] : null;
  return typeof zone === 'string' && isZone(zone) ? zone : timezone;
}

/** Time zones of the reader and the site. */
export interface Clocks {
  readonly timezone: string;
  readonly siteTimezone: string;
}

/** Time zones of the page's reader and site. */
export function clocksOf({ user, siteTimezone }: Pick<Start, 'user' | 'siteTimezone'>): Clocks {
  return { timezone: user.timezone, siteTimezone };
}

/** Whether a time needs its zone shown, because the reader's clock or the device's shows another time. */
export function needsZone(zone: string, moment: Date, { timezone }: Pick<Clocks, 'timezone'>): boolean {
  return !isSameTime(zone, timezone, moment) || !isSameTime(zone, deviceZone(), moment);
}
