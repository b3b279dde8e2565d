import { route, z } from '#core';
import { recordList, recordNumber, recordOrNone } from '../services/inputs.ts';
import { suggestPlayers } from '../services/players.ts';
import { t } from '../services/texts.ts';
import { weekNumber } from '../services/week.ts';
import { weekOnTheWire } from '../services/week-matches.ts';

const week = weekNumber.default(0);

/** `/matchs/week`: the matches of a week, of one team, of several, or of all of ours. */
const ofWeek = route.rpc(
  '/matchs/week',
  { name: 'dribblo.matchs_week', input: z.object({ week, team_id: recordOrNone, teams: recordList }) },
  ({ ctx, input }) => weekOnTheWire(ctx, { week: input.week, team: input.team_id, teams: input.teams }),
);

/** The same of a player: the matches they are called up for. */
const ofPlayer = route.rpc(
  '/search/player/matchs/week',
  {
    name: 'dribblo.player_week',
    input: z.object({ week, player: recordNumber, categ: recordOrNone, team_id: recordOrNone }),
  },
  ({ ctx, input }) =>
    weekOnTheWire(ctx, { week: input.week, player: input.player, category: input.categ, team: input.team_id }),
);

/** The same of a category. Clients send `player` as false. */
const ofCategory = route.rpc(
  '/search/categ/matchs/week',
  {
    name: 'dribblo.category_week',
    input: z.object({ week, player: recordOrNone, categ: recordOrNone, team_id: recordOrNone }),
  },
  ({ ctx, input }) =>
    weekOnTheWire(ctx, { week: input.week, player: input.player, category: input.categ, team: input.team_id }),
);

/** Players whose name has a text in it, while somebody types. */
const suggestions = route.rpc(
  '/matchs/search/conv',
  {
    name: 'dribblo.search_players',
    input: z.object({ keyword: z.string(t('Type a name.')).max(100, 'This is too long for a name.') }),
    rate: { calls: 120, seconds: 60 },
  },
  ({ ctx, input }) => suggestPlayers(ctx, input.keyword),
);

export const callRoutes = [ofWeek, ofPlayer, ofCategory, suggestions];
