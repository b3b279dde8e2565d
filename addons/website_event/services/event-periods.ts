import { Temporal } from 'temporal-polyfill';
import type { Ctx, Domain, FieldsOf } from '#core';
import type { EventEvent } from '../models/event-event.ts';

/** What the list of events may be narrowed to, in its order; `old` are those that are over. */
export const periods = ['all', 'today', 'week', 'nextweek', 'month', 'nextmonth', 'old'] as const;
export type Period = (typeof periods)[number];

/** What the periods are called. */
export function periodNames(ctx: Pick<Ctx, 't'>): Readonly<Record<Period, string>> {
  return {
    all: ctx.t('Coming events'),
    today: ctx.t('Today'),
    week: ctx.t('This week'),
    nextweek: ctx.t('Next week'),
    month: ctx.t('This month'),
    nextmonth: ctx.t('Next month'),
    old: ctx.t('Past events'),
  };
}

/** Events of a period, as the clocks of the site's zone count days; weeks go from Monday to Sunday. */
export function inPeriod(ctx: Ctx, period: Period): Domain<FieldsOf<EventEvent>> {
  const now = ctx.now();
  if (period === 'all') return [['date_end', '>', now]];
  if (period === 'old') return [['date_end', '<=', now]];
  const [from, to] = daysOf(period, Temporal.PlainDate.from(ctx.today()));
  const begins: Domain<FieldsOf<EventEvent>> = [['date_begin', '<', midnight(to, ctx.timezone)]];
  const ends: Domain<FieldsOf<EventEvent>> = [
    ['date_end', '>', now],
    ['date_end', '>', midnight(from, ctx.timezone)],
  ];
  return [...begins, ...ends];
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

function midnight(day: Temporal.PlainDate, timezone: string): Date {
  return new Date(day.toZonedDateTime(timezone).epochMilliseconds);
}
