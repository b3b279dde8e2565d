import { clockTime, deviceZone, isSameTime, momentAfterGap, momentsAt } from 'pergola/zones';
import type { FieldInfo, Start } from '../types.ts';
import { isZone } from './zone.ts';

/** A moment of the wire, `2026-11-21 10:00:00` in UTC. */
export function momentOf(wire: unknown): Date | null {
  if (typeof wire !== 'string' || wire === '') return null;
  const date = new Date(`${wire.slice(0, 10)}T${wire.slice(11) || '00:00:00'}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The wire's text of a moment. */
export function wireMoment(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/** A moment as `<input type="datetime-local">` takes it, on the clocks of a zone. */
export function localInput(wire: unknown, timezone: string): string {
  const date = momentOf(wire);
  return date ? clockTime(date, timezone) : '';
}

/**
 * Text of such an input as a moment of the wire; false for nothing. Of a time that occurs twice the first, for one that clocks skip the time after the
 * skipped hour.
 */
export function fromLocalInput(text: string, timezone: string): string | false {
  if (!text) return false;
  const moment = momentsAt(text, timezone)[0] ?? momentAfterGap(text, timezone);
  return moment ? wireMoment(moment) : false;
}

/** Declared by fields whose zone is the site's, in place of the name of a field with one. */
const SITE = '@site';

/** Zone in which a field of a record is shown and entered: the one it declares, else the reader's. */
export function zoneOf(
  { timezoneField }: Pick<FieldInfo, 'timezoneField'>,
  record: Readonly<Record<string, unknown>>,
  { timezone, siteTimezone }: Clocks,
): string {
  if (timezoneField === SITE) return siteTimezone;
  const zone = timezoneField ? record[timezoneField] : null;
  return typeof zone === 'string' && isZone(zone) ? zone : timezone;
}

/** Zones of the reader and the site. */
export interface Clocks {
  readonly timezone: string;
  readonly siteTimezone: string;
}

/** Zones of a page's reader and site. */
export function clocksOf({ user, siteTimezone }: Pick<Start, 'user' | 'siteTimezone'>): Clocks {
  return { timezone: user.timezone, siteTimezone };
}

/** Whether a time is shown with its zone: the reader's clocks, or those of the device, show another. */
export function needsZone(zone: string, moment: Date, { timezone }: Pick<Clocks, 'timezone'>): boolean {
  return !isSameTime(zone, timezone, moment) || !isSameTime(zone, deviceZone(), moment);
}
