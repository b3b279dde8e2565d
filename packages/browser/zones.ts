import type { TextParams } from './fill-text.ts';

type Translate = (text: string, params?: TextParams) => string;
/** Returns a cached format for a zone with these options, in the reader's language. */
export type FormatFor = (zone: string, options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time zone of this device; on a server, the server's own. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** City in the name of a time zone: `Los Angeles` for `America/Los_Angeles`. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** Time zone in words: `Detroit time`. */
export function zoneName(zone: string, t: Translate): string {
  // Cities that other languages write differently; Intl names only the country or region of such a zone.
  if (zone === 'Europe/Brussels') return t('Brussels time');
  if (zone === 'Europe/London') return t('London time');
  const city = cityOf(zone);
  return city === 'UTC' || city === 'GMT' ? city : t('{city} time', { city });
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Minutes a zone is ahead of UTC at a moment. */
export function offsetAt(moment: Date, zone: string): number {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(zone, clock);
  }
  const parts = clock.formatToParts(moment);
  const part = (type: string): number => Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  const localTime = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return Math.round((localTime - Math.floor(moment.getTime() / 1000) * 1000) / MINUTE);
}

/** Whether clocks in two zones agree at all these moments. */
export function isSameTime(left: string, right: string, ...moments: readonly Date[]): boolean {
  return left === right || moments.every((moment) => offsetAt(moment, left) === offsetAt(moment, right));
}

/** Date and time that clocks in a zone show, to the minute: `2026-11-21T18:30`, as `<input type="datetime-local">` takes it. */
export function clockTime(moment: Date, zone: string): string {
  return new Date(moment.getTime() + offsetAt(moment, zone) * MINUTE).toISOString().slice(0, 16);
}

/**
 * Moments at which clocks in a zone show a date and time (`2026-11-21T18:30`, seconds optional), in order: two if clocks are set back over
 * it; empty if they are set forward over it or the text isn't a date and time.
 */
export function momentsAt(text: string, zone: string): readonly Date[] {
  const local = Date.parse(`${text.length === 16 ? `${text}:00` : text}Z`);
  if (Number.isNaN(local)) return [];
  const offsets = new Set([offsetAt(new Date(local - DAY), zone), offsetAt(new Date(local + DAY), zone)]);
  return [...offsets]
    .map((offset) => ({ offset, moment: new Date(local - offset * MINUTE) }))
    .filter(({ offset, moment }) => offsetAt(moment, zone) === offset)
    .map(({ moment }) => moment)
    .sort((a, b) => a.getTime() - b.getTime());
}

/**
 * Moment for a date and time that clocks skip, `2027-03-28T02:30`, moved by as much as they are set forward. Null if the text isn't a date
 * and time.
 */
export function momentAfterGap(text: string, zone: string): Date | null {
  const local = Date.parse(`${text.length === 16 ? `${text}:00` : text}Z`);
  return Number.isNaN(local) ? null : new Date(local - offsetAt(new Date(local - DAY), zone) * MINUTE);
}

/** Zones and days (since 1970) around which clocks aren't changed: nearly all of them. */
const steadyDays = new Map<string, boolean>();

/** Whether clocks in a zone show the time of a moment twice, because they are set back around it: 2:30 AM at the end of summer time. */
export function isRepeated(moment: Date, zone: string): boolean {
  const day = Math.floor(moment.getTime() / DAY);
  const key = `${zone}|${day}`;
  let isSteady = steadyDays.get(key);
  if (isSteady === undefined) {
    if (steadyDays.size >= 5_000) steadyDays.clear();
    isSteady = isSameOffset(new Date(day * DAY - 4 * HOUR), new Date((day + 1) * DAY + 4 * HOUR), zone);
    steadyDays.set(key, isSteady);
  }
  return !isSteady && momentsAt(clockTime(moment, zone), zone).length > 1;
}

function isSameOffset(left: Date, right: Date, zone: string): boolean {
  return offsetAt(left, zone) === offsetAt(right, zone);
}

/** When something takes place: moments, and the zone of the place. */
export interface TimeSpan {
  readonly start: Date;
  readonly end: Date | null;
  readonly zone: string;
}

/** A time span on the clocks of its place. */
export interface SpanTexts {
  /** `Sat, 28 Nov 2026, 09:00 – 17:30` */
  readonly text: string;
  /** For narrow places: `Fri, Nov 27 – Tue, Dec 1, 2026` if it takes a day or longer, `Tue, Jan 26, 2027, 9:00 PM – 12:30 AM` for a night. */
  readonly brief: string;
  /** Whether `brief` has days only, which need no zone. */
  readonly isDays: boolean;
  /** `9:00 AM – 5:30 PM`: the hours alone. */
  readonly hours: string;
}

const shortDay = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** Options for hours and minutes as the language writes them: `9:00 AM`, `09:00`. With the zone's offset for times that occur twice. */
export function timeOptions(
  { start, end, zone }: TimeSpan,
  formatFor: FormatFor,
): Pick<Intl.DateTimeFormatOptions, 'hour' | 'minute' | 'timeZoneName'> {
  const { hour12 } = formatFor(zone, { hour: 'numeric' }).resolvedOptions();
  const isTwice = isRepeated(start, zone) || (end !== null && isRepeated(end, zone));
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', ...(isTwice ? { timeZoneName: 'short' } : {}) };
}

/** Single format for times of events: on pages, in calendars, mails, documents and the backend. */
export function spanTexts(span: TimeSpan, formatFor: FormatFor, day: Intl.DateTimeFormatOptions = shortDay): SpanTexts {
  const { start, zone } = span;
  const end = span.end ?? start;
  const format = (options: Intl.DateTimeFormatOptions) => formatFor(zone, options);
  const time = timeOptions(span, formatFor);
  const dateTime = format({ ...day, ...time });
  const isOneDay = format(day).format(start) === format(day).format(end);
  const isDays = end.getTime() - start.getTime() >= DAY;
  const hours =
    start < end ? `${format(time).format(start)} – ${format(time).format(end)}` : format(time).format(start);
  const night = `${dateTime.format(start)} – ${format(time).format(end)}`;
  // Ranges omit the end if it reads like the start.
  const isAmbiguous = time.timeZoneName !== undefined && isOneDay && start < end;
  const text = isAmbiguous ? night : dateTime.formatRange(start, end);
  const brief = isDays ? format(day).formatRange(start, end) : isOneDay ? text : night;
  return { text, brief, isDays, hours };
}
