import { app, type Ctx, InvalidInput, momentAt, mondayOf, plusDays, z } from 'pergola';
import { mark } from '../texts.ts';

/** Milliseconds. */
export const DAY = 24 * 3600_000;
/** Maximum week offset, about ten years in either direction. */
const FARTHEST = 520;

const wholeWeek = z
  .number(mark('Enter the week as a whole number: 0 is this week.'))
  .int(mark('Enter the week as a whole number: 0 is this week.'))
  .min(-FARTHEST, 'That week is too far away.')
  .max(FARTHEST, 'That week is too far away.');

/** Week offset in a call, 0 being the current week: a number, or an attribute text. */
export const weekNumber = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value),
  wholeWeek.default(0),
);

/** Week offset in a URL: clamped to the maximum; invalid values mean the current week. */
export const weekOfAddress = z.coerce
  .number()
  .int()
  .catch(0)
  .transform((week) => Math.min(Math.max(week, -FARTHEST), FARTHEST));

/** Offsets of the adjacent weeks; null beyond the maximum. */
export function weeksBeside({ offset }: Week): { readonly previous: number | null; readonly next: number | null } {
  return { previous: offset > -FARTHEST ? offset - 1 : null, next: offset < FARTHEST ? offset + 1 : null };
}

/** A week from Monday to Sunday in the website's time zone. */
export interface Week {
  readonly offset: number;
  /** ISO week number. */
  readonly number: number;
  readonly monday: string;
  readonly sunday: string;
  /** Start of this week, and of the next. */
  readonly from: Date;
  readonly to: Date;
}

/** Returns the week at an offset from the current one. */
export async function weekAt(ctx: Ctx, offset: number): Promise<Week> {
  if (!Number.isSafeInteger(offset)) {
    throw new InvalidInput('Enter the week as a whole number: 0 is this week.', { code: 'dribblo.bad_week' });
  }
  if (Math.abs(offset) > FARTHEST) {
    throw new InvalidInput('That week is too far away.', { code: 'dribblo.bad_week' });
  }
  const zone = ctx.siteTimezone;
  const monday = plusDays(mondayOf(ctx.today(zone)), offset * 7);
  return {
    offset,
    number: weekOfYear(monday),
    monday,
    sunday: plusDays(monday, 6),
    from: momentAt(monday, '00:00', zone),
    to: momentAt(plusDays(monday, 7), '00:00', zone),
  };
}

/** `Semaine 47 (16/11/2026 – 22/11/2026)`: fixed French label of the calls. */
export function weekLabel({ number, monday, sunday }: Week): string {
  return `Semaine ${number} (${french(monday)} – ${french(sunday)})`;
}

/** `Nov 16 – Nov 22` in the reader's language; with the year if it isn't the current one: `Nov 10 – Nov 16, 2036`. */
export function daysText(ctx: Ctx, { monday, sunday }: Week): string {
  const { formatDate } = ctx.get(app.formats);
  const isThisYear = sunday.slice(0, 4) === ctx.today(ctx.siteTimezone).slice(0, 4);
  return `${formatDate(monday, ctx.lang, 'day')} – ${formatDate(sunday, ctx.lang, isThisYear ? 'day' : 'medium')}`;
}

/** `2026-11-16` → `16/11/2026` */
function french(day: string): string {
  return day.split('-').reverse().join('/');
}

/** ISO 8601 number of the week starting on a Monday: week 1 contains the year's first Thursday. */
export function weekOfYear(monday: string): number {
  const thursday = plusDays(monday, 3);
  const first = Date.parse(`${thursday.slice(0, 4)}-01-01T00:00:00Z`);
  return 1 + Math.floor((Date.parse(`${thursday}T00:00:00Z`) - first) / (7 * DAY));
}
