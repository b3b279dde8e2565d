import { app, type Ctx, type Domain, type FieldsOf, service } from 'pergola';
import { namedCache } from 'pergola/kernel';
import { spanTexts, timeOptions, zoneName } from 'pergola/zones';
import { Temporal } from 'temporal-polyfill';
import type { EventEvent } from '../models/event-event.ts';
import { t } from '../texts.ts';

/** Date and time of an event in its local time zone. */
export interface When {
  /** `Sat, 28 Nov 2026, 09:00 – 17:30` */
  readonly text: string;
  /** Start: `Sat, Nov 28, 9:00 AM`. */
  readonly short: string;
  /** Start with time zone, if there is no room for the end: `Sat, Nov 28, 9:00 AM (Detroit time)`. */
  readonly shortZoned: string;
  /** First day for a calendar leaf: `28`, `Nov`, `Sat`. */
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
  /** For narrow cards: `Fri, Nov 27 – Tue, Dec 1, 2026` for several days, `Tue, Jan 26, 2027, 9:00 PM – 12:30 AM` past midnight. */
  readonly brief: string;
  /** Whether `brief` only contains days, without a time. */
  readonly isDays: boolean;
  /** ISO 8601 with offset: `2026-11-28T09:00:00+01:00`. */
  readonly start: string;
  readonly end: string;
  /** `text` with the time zone, for readers anywhere: `Sat, 28 Nov 2026, 09:00 – 17:30 (Paris time)` */
  readonly zoned: string;
  /** `Paris time` */
  readonly clock: string;
}

export interface Moments {
  readonly date_begin: Date;
  readonly date_end: Date;
  readonly date_tz: string;
}

/** Cache of formatted dates: lists format the same ones repeatedly, and `Intl` ranges are the most expensive part of the page. */
export class WrittenDates extends service('website_event.written_dates') {
  readonly whens = namedCache<string, When>('website_event.dates', { max: 2000, entryBytes: 900 });
}

/** Formats dates and times in the event's time zone and the reader's language. */
export function whenOf(ctx: Ctx, moments: Moments): When {
  const { date_begin, date_end, date_tz } = moments;
  const key = [ctx.lang, date_tz, date_begin.getTime(), date_end.getTime()].join();
  const { whens } = ctx.get(WrittenDates);
  const cachedDates = whens.get(key);
  if (cachedDates) return cachedDates;
  const dates = writeDates(ctx, moments);
  whens.set(key, dates);
  return dates;
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

/** ISO 8601 date with offset. */
function iso(moment: Date, zone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

/** Periods of the event list filter, in display order; `old` means past events. */
export const periods = ['all', 'today', 'week', 'nextweek', 'month', 'nextmonth', 'old'] as const;
export type Period = (typeof periods)[number];

/** Labels of the periods. */
export function periodNames(ctx: Ctx): Readonly<Record<Period, string>> {
  return {
    all: t(ctx, 'Upcoming events'),
    today: t(ctx, 'Today'),
    week: t(ctx, 'This week'),
    nextweek: t(ctx, 'Next week'),
    month: t(ctx, 'This month'),
    nextmonth: t(ctx, 'Next month'),
    old: t(ctx, 'Past events'),
  };
}

/** Domain of events in a period, by local days at the venue relative to the reader's today. Weeks run from Monday to Sunday. */
export function inPeriod(ctx: Ctx, period: Period): Domain<FieldsOf<EventEvent>> {
  const now = ctx.now();
  if (period === 'all') return [['date_end', '>', now]];
  if (period === 'old') return [['date_end', '<=', now]];
  const [from, to] = daysOf(period, Temporal.PlainDate.from(ctx.today()));
  return [
    ['date_end', '>', now],
    // No time zone has this day later than this; the index is on timestamps.
    ['date_begin', '<', new Date(Date.parse(`${to}T12:00:00Z`))],
    ['begin_day', '<', to.toString()],
    '|',
    ['begin_day', '>=', from.toString()],
    ['end_day', '>=', from.toString()],
  ];
}

/** First day of a period, and the day after its last. */
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
