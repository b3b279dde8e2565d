import { app, type Ctx, type Domain, type FieldsOf, service } from 'pergola';
import { namedCache } from 'pergola/kernel';
import { spanTexts, timeOptions, zoneName } from 'pergola/zones';
import { Temporal } from 'temporal-polyfill';
import type { EventEvent } from '../models/event-event.ts';
import { t } from '../texts.ts';

/** When something takes place, as people at the place say it. */
export interface When {
  /** `Sat, 28 Nov 2026, 09:00 – 17:30` */
  readonly text: string;
  /** `Sat, Nov 28, 9:00 AM`: its beginning. */
  readonly short: string;
  /** `Sat, Nov 28, 9:00 AM (Detroit time)`: its beginning, for lines without room for the end. */
  readonly shortZoned: string;
  /** `28`, `Nov`, `Sat`: of the first day, for a calendar leaf. */
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
  /** For cards, which are narrow: `Fri, Nov 27 – Tue, Dec 1, 2026` of what takes days, `Tue, Jan 26, 2027, 9:00 PM – 12:30 AM` of a night. */
  readonly brief: string;
  /** Whether `brief` says days alone, which need no clock. */
  readonly isDays: boolean;
  /** With the zone's offset, for machines: `2026-11-28T09:00:00+01:00`. */
  readonly start: string;
  readonly end: string;
  /** The same with whose clocks they are, for whoever reads it anywhere: `Sat, 28 Nov 2026, 09:00 – 17:30 (Paris time)` */
  readonly zoned: string;
  /** `Paris time` */
  readonly clock: string;
}

export interface Moments {
  readonly date_begin: Date;
  readonly date_end: Date;
  readonly date_tz: string;
}

/** Dates as they were written before: lists write the same ones over and over, and a range costs `Intl` more than all else on the page. */
export class WrittenDates extends service('website_event.written_dates') {
  readonly whens = namedCache<string, When>('website_event.dates', { max: 2000, entryBytes: 900 });
}

/** @returns dates and times in the event's own zone and the reader's language. */
export function whenOf(ctx: Ctx, moments: Moments): When {
  const { date_begin, date_end, date_tz } = moments;
  const key = [ctx.lang, date_tz, date_begin.getTime(), date_end.getTime()].join();
  const { whens } = ctx.get(WrittenDates);
  const known = whens.get(key);
  if (known) return known;
  const made = writeDates(ctx, moments);
  whens.set(key, made);
  return made;
}

function writeDates(ctx: Ctx, { date_begin, date_end, date_tz }: Moments): When {
  const formats = ctx.get(app.formats);
  const formatFor = (zone: string, options: Intl.DateTimeFormatOptions) => formats.dateFormat(zone, ctx.lang, options);
  const format = (options: Intl.DateTimeFormatOptions) => formatFor(date_tz, options);
  const span = { start: date_begin, end: date_end, zone: date_tz };
  const { text, brief, isDays } = spanTexts(span, formatFor);
  const clock = zoneName(date_tz, (source, params) => t(ctx, source, params));
  const time = timeOptions(span, formatFor);
  const short = format({ weekday: 'short', day: 'numeric', month: 'short', ...time }).format(date_begin);
  return {
    text,
    zoned: `${text} (${clock})`,
    clock,
    brief,
    isDays,
    short,
    shortZoned: `${short} (${clock})`,
    day: format({ day: 'numeric' }).format(date_begin),
    month: format({ month: 'short' }).format(date_begin),
    weekday: format({ weekday: 'short' }).format(date_begin),
    start: iso(date_begin, date_tz),
    end: iso(date_end, date_tz),
  };
}

/** A moment with its zone's offset, for machines. */
function iso(moment: Date, zone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

/** What the list of events may be narrowed to, in its order; `old` are those that are over. */
export const periods = ['all', 'today', 'week', 'nextweek', 'month', 'nextmonth', 'old'] as const;
export type Period = (typeof periods)[number];

/** What the periods are called. */
export function periodNames(ctx: Ctx): Readonly<Record<Period, string>> {
  return {
    all: t(ctx, 'Coming events'),
    today: t(ctx, 'Today'),
    week: t(ctx, 'This week'),
    nextweek: t(ctx, 'Next week'),
    month: t(ctx, 'This month'),
    nextmonth: t(ctx, 'Next month'),
    old: t(ctx, 'Past events'),
  };
}

/** Events of a period by the days of their places, today being that of the reader; weeks go from Monday to Sunday. */
export function inPeriod(ctx: Ctx, period: Period): Domain<FieldsOf<EventEvent>> {
  const now = ctx.now();
  if (period === 'all') return [['date_end', '>', now]];
  if (period === 'old') return [['date_end', '<=', now]];
  const [from, to] = daysOf(period, Temporal.PlainDate.from(ctx.today()));
  return [
    ['date_end', '>', now],
    // No place has the day later than this; the index goes by moments.
    ['date_begin', '<', new Date(Date.parse(`${to}T12:00:00Z`))],
    ['begin_day', '<', to.toString()],
    '|',
    ['begin_day', '>=', from.toString()],
    ['end_day', '>=', from.toString()],
  ];
}

/** The first day of a period, and the one after its last. */
export function daysOf(
  period: Exclude<Period, 'all' | 'old'>,
  today: Temporal.PlainDate,
): readonly [Temporal.PlainDate, Temporal.PlainDate] {
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const first = today.with({ day: 1 });
  switch (period) {
    case 'today':
      return [today, today.add({ days: 1 })];
    case 'week':
      return [monday, monday.add({ weeks: 1 })];
    case 'nextweek':
      return [monday.add({ weeks: 1 }), monday.add({ weeks: 2 })];
    case 'month':
      return [first, first.add({ months: 1 })];
    case 'nextmonth':
      return [first.add({ months: 1 }), first.add({ months: 2 })];
  }
}
