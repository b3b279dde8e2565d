import { type Ctx, type Ids, mondayOf, NotFound, plusDays } from '#core';
import { Category } from '../models/club-category.ts';
import { Member } from '../models/club-member.ts';
import { clubZone } from './week.ts';

/** Which birthdays: of today, of this week, of this week and the two after it. */
export type Period = 'day' | 'week' | 'three_weeks';
const days: Readonly<Record<Period, number>> = { day: 1, week: 7, three_weeks: 21 };

/** A birthday as it is shown: this year's day, never the year of birth. */
export interface Birthday {
  readonly name: string;
  readonly category: string;
  readonly day: string;
  readonly isToday: boolean;
}

/**
 * The birthdays of members of some categories (of all when none is named) who agreed to be named, in the order of the days.
 *
 * @throws NotFound for a category that is not there.
 */
export async function birthdays(ctx: Ctx, categories: Ids, period: Period): Promise<Birthday[]> {
  const wanted = [...new Set(categories)];
  if ((await ctx.model(Category).count([['id', 'in', wanted]])) < wanted.length) {
    throw new NotFound('There is no such category.', { code: 'dribblo.no_category' });
  }
  const today = ctx.today(await clubZone(ctx));
  const range = daysOf(period === 'day' ? today : mondayOf(today), days[period]);
  // Members are not for visitors to read; of those who agreed, public name, category and day are shown.
  const rows = await ctx
    .sudo()
    .model(Member)
    .find(
      [
        ['consent_birthday', '=', true],
        ['active', '=', true],
        ['birth_day', 'in', [...range.keys()]],
        ...(wanted.length > 0 ? ([['category_id', 'in', wanted]] as const) : []),
      ],
      { select: { public_name: true, birth_day: true, category_id: { name: true } } },
    );
  return rows
    .map(({ public_name, birth_day, category_id }) => {
      const day = range.get(birth_day ?? '') ?? today;
      return { name: public_name ?? '', category: category_id?.name ?? '', day, isToday: day === today };
    })
    .sort((a, b) => a.day.localeCompare(b.day) || a.name.localeCompare(b.name));
}

/** The days of a range by month and day. Who was born on the 29th of February celebrates on the 28th where there is none. */
function daysOf(first: string, count: number): Map<string, string> {
  const range = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const day = plusDays(first, index);
    range.set(day.slice(5), day);
    if (day.endsWith('-02-28') && plusDays(day, 1).endsWith('-03-01')) range.set('02-29', day);
  }
  return range;
}
