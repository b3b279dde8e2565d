import { localeOf } from 'pergola/pages';
import { Temporal } from 'temporal-polyfill';

export type Granularity = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A calendar period: first day, day after the last, and label. */
export interface Period {
  readonly start: string;
  readonly end: string;
  readonly label: string;
}

/** Returns the period that starts on a day: `2026-11-01` by month is November 2026. */
export function periodOf(day: string, granularity: Granularity, lang: string): Period {
  const start = Temporal.PlainDate.from(day.slice(0, 10));
  const end = start.add(lengths[granularity]);
  return { start: start.toString(), end: end.toString(), label: labelOf(start, granularity, lang) };
}

const lengths: Readonly<Record<Granularity, Temporal.DurationLike>> = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
};

function labelOf(start: Temporal.PlainDate, granularity: Granularity, lang: string): string {
  const formatted = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(lang), { ...options, timeZone: 'UTC' }).format(
      new Date(`${start.toString()}T00:00:00Z`),
    );
  switch (granularity) {
    case 'day':
      return formatted({ day: '2-digit', month: 'short', year: 'numeric' });
    case 'week':
      return `W${start.weekOfYear} ${start.yearOfWeek}`;
    case 'month':
      return formatted({ month: 'long', year: 'numeric' });
    case 'quarter':
      return `Q${Math.ceil(start.month / 3)} ${start.year}`;
    case 'year':
      return String(start.year);
  }
}
