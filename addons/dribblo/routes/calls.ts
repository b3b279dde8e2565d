import { type Ctx, route, z } from 'pergola';
import type { RenderFragment } from 'pergola/http';
import { Member } from '../models/club-member.ts';
import { weekView } from '../pages/matches-page.ts';
import { Matches, type WeekQuery, weekToJson } from '../services/matches.ts';
import { weekNumber as week } from '../services/week.ts';
import { mark } from '../texts.ts';
import { recordList, recordOrNone } from './inputs.ts';

const name = z.string().max(100).optional();
/** Whether to include the markup of the match page. */
const markup = z.boolean().default(false);

interface Call {
  readonly ctx: Ctx;
  readonly input: { readonly markup: boolean; readonly name?: string | undefined };
  readonly renderFragment: RenderFragment;
}

/** Response with a week, including the markup for the match page if requested. */
async function answer({ ctx, input, renderFragment }: Call, question: WeekQuery) {
  const matches = ctx.get(Matches);
  const weekMatches = await matches.week(question);
  if (!input.markup) return { ...weekToJson(weekMatches), page: undefined };
  const { team, category: categ, player } = question;
  const values = { matches: weekMatches.rows.map((row) => matches.view(row)) };
  const html = await renderFragment('dribblo.matches_list', values);
  return {
    ...weekToJson(weekMatches),
    page: { ...weekView(ctx, weekMatches, { team, categ, player, name: input.name }), html },
  };
}

/** `/matchs/week`: matches of a week, for one or several teams, or all own teams. */
export const ofWeek = route.rpc(
  '/matchs/week',
  { name: 'dribblo.matchs_week', input: z.object({ week, team_id: recordOrNone, teams: recordList, markup, name }) },
  (call) => answer(call, { week: call.input.week, team: call.input.team_id, teams: call.input.teams }),
);

/** Matches a player is called up for. */
export const ofPlayer = route.rpc(
  '/search/player/matchs/week',
  {
    name: 'dribblo.player_week',
    input: z.object({ week, player: recordOrNone, categ: recordOrNone, team_id: recordOrNone, markup, name }),
  },
  (call) => answer(call, narrowed(call.input)),
);

/** Matches of a category. Clients send `player` as false. */
export const ofCategory = route.rpc(
  '/search/categ/matchs/week',
  {
    name: 'dribblo.category_week',
    input: z.object({ week, player: recordOrNone, categ: recordOrNone, team_id: recordOrNone, markup, name }),
  },
  (call) => answer(call, narrowed(call.input)),
);

type Ids = Record<'player' | 'categ' | 'team_id', number | null>;

function narrowed({ week, player, categ, team_id }: Ids & { week: number }): WeekQuery {
  return { week, player, category: categ, team: team_id };
}

/** Suggests players while a name is typed. */
export const suggestions = route.rpc(
  '/matchs/search/conv',
  {
    name: 'dribblo.search_players',
    input: z.object({ keyword: z.string(mark('Enter a name.')).max(100, 'This name is too long.') }),
    rate: { calls: 120, seconds: 60 },
  },
  ({ ctx, input }) => ctx.model(Member).suggest(input.keyword),
);

export const callRoutes = [ofWeek, ofPlayer, ofCategory, suggestions] as const;
