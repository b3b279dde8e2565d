import { block, type Ctx, type Ids, z } from 'pergola';
import { Team } from '../models/club-team.ts';
import { recordList } from '../routes/inputs.ts';
import { Matches } from '../services/matches.ts';
import { daysText } from '../services/week.ts';
import { mark } from '../texts.ts';
import { entry, markupRoute, ownTeamsDomain, type Piece, type Refresh } from './kit.ts';

async function thisWeek(ctx: Ctx, teams: Ids, withFilter: boolean) {
  const matches = ctx.get(Matches);
  const filterTeams = withFilter ? await ctx.model(Team).namedOrOurs(teams) : [];
  const { week, rows } = await matches.week({ week: 0, teams });
  const path = withFilter ? '/matchs/get_for_week_filter' : '/matchs/get_for_week';
  const refresh: Refresh = { path, params: { teams } };
  return {
    days: daysText(ctx, week),
    matches: rows.map((row) => matches.view(row)),
    filter: withFilter ? await ctx.model(Team).read(filterTeams, { select: { name: true } }) : [],
    refresh,
  };
}

const options = z.object({
  teams: z
    .array(z.number().int().positive())
    .max(20)
    .default([])
    .meta({
      title: mark('Teams'),
      records: 'club.team',
      where: ownTeamsDomain,
      none: mark('Leave empty for all our teams'),
    }),
  filter: z
    .boolean()
    .default(false)
    .meta({ title: mark('Show a team filter') }),
});

const weekBlock = block('dribblo.week', {
  label: 'This week’s matches',
  options,
  template: 'dribblo.week',
  load: (ctx, { teams, filter }) => thisWeek(ctx, teams, filter),
});

const input = z.object({ teams: recordList });

/** Matches of the current week as a block, or only their list. */
export const weekList = markupRoute(
  '/matchs/get_for_week',
  {
    name: 'dribblo.for_week',
    input: input.extend({ list: z.boolean().default(false) }),
    template: ({ list }) => (list ? 'dribblo.matches_list' : 'dribblo.week'),
  },
  (ctx, { teams }) => thisWeek(ctx, teams, false),
);

/** Matches of the current week, optionally with a team filter. */
export const weekPieces: Piece = {
  blocks: [weekBlock],
  snippets: [
    entry('week', mark('This week')),
    entry('week_filter', mark('This week, by team'), { filter: true }, 'week'),
  ],
  routes: [
    weekList,
    markupRoute(
      '/matchs/get_for_week_filter',
      { name: 'dribblo.for_week_filter', input, template: 'dribblo.week' },
      (ctx, { teams }) => thisWeek(ctx, teams, true),
    ),
  ],
};
