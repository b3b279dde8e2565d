import { block, type Ctx, type Ids, z } from 'pergola';
import { Member, type Period } from '../models/club-member.ts';
import { recordList } from '../routes/inputs.ts';
import { mark } from '../texts.ts';
import { entry, markupRoute, type Piece, type Refresh } from './kit.ts';

/** `weekly` parameter of the call. */
const weeklyOf: Readonly<Record<Period, 1 | 3 | null>> = { day: null, week: 1, three_weeks: 3 };

async function shown(ctx: Ctx, categories: Ids, period: Period) {
  const weekly = weeklyOf[period];
  const refresh: Refresh = { path: '/get_birthday_members', params: { categories, ...(weekly ? { weekly } : {}) } };
  return {
    members: await ctx.model(Member).birthdays(categories, period),
    today: period === 'day',
    week: period === 'week',
    refresh,
  };
}

const birthdayBlock = block('dribblo.birthdays', {
  label: 'Birthdays',
  options: z.object({
    categories: z
      .array(z.number().int().positive())
      .max(30)
      .default([])
      .meta({ title: mark('Categories'), records: 'club.category', none: mark('Leave empty for all categories') }),
    period: z
      .enum(['day', 'week', 'three_weeks'])
      .default('day')
      .meta({
        title: mark('Period'),
        labels: [
          { value: 'day', label: mark('Today') },
          { value: 'week', label: mark('A week') },
          { value: 'three_weeks', label: mark('Three weeks') },
        ],
      }),
  }),
  template: 'dribblo.birthdays',
  load: (ctx, { categories, period }) => shown(ctx, categories, period),
});

const weekly = z
  .preprocess(
    (value) => (value === false || value === undefined || value === '' || value === 0 ? null : value),
    z.union([z.null(), z.literal([1, '1']), z.literal([3, '3'])], {
      error: mark('Enter 1 for a week or 3 for three weeks.'),
    }),
  )
  .transform((value): Period => (value === null ? 'day' : Number(value) === 1 ? 'week' : 'three_weeks'));

/** Upcoming birthdays. */
export const birthdayPieces: Piece = {
  blocks: [birthdayBlock],
  snippets: [
    entry('birthdays', mark('Today’s birthdays')),
    entry('birthdays_week', mark('This week’s birthdays'), { period: 'week' }, 'birthdays'),
    entry('birthdays_three_weeks', mark('Birthdays over three weeks'), { period: 'three_weeks' }, 'birthdays'),
  ],
  routes: [
    markupRoute(
      '/get_birthday_members',
      {
        name: 'dribblo.birthday_members',
        input: z.object({ categories: recordList, weekly }),
        template: 'dribblo.birthdays',
      },
      (ctx, input) => shown(ctx, input.categories, input.weekly),
    ),
  ],
};
