import { block, type Ctx, type Id, z } from 'pergola';
import { Competition } from '../models/club-competition.ts';
import { recordNumber } from '../routes/inputs.ts';
import { LeagueTables } from '../services/league-tables.ts';
import { mark } from '../texts.ts';
import { entry, markupRoute, type Piece, type Refresh } from './kit.ts';

async function table(ctx: Ctx, competition: Id) {
  const refresh: Refresh = { path: '/matchs/classement', params: { cmpt: competition } };
  return { standings: await ctx.get(LeagueTables).of(competition), refresh };
}

const standingsBlock = block('dribblo.standings', {
  label: 'Standings',
  options: z.object({
    competition: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({
        title: mark('Competition'),
        records: 'club.competition',
        where: [['has_standings', '=', true]],
        none: mark('First competition'),
      }),
  }),
  template: 'dribblo.standings',
  load: async (ctx, { competition }) => {
    const [first] = await ctx.model(Competition).search([['has_standings', '=', true]], { order: 'id', limit: 1 });
    const id = competition === 0 ? first : competition;
    return id === undefined ? { standings: null } : table(ctx, id);
  },
});

/** Standings of a league. */
export const standingsPieces: Piece = {
  blocks: [standingsBlock],
  snippets: [entry('standings', mark('Standings'))],
  routes: [
    markupRoute(
      '/matchs/classement',
      { name: 'dribblo.classement', input: z.object({ cmpt: recordNumber }), template: 'dribblo.standings' },
      (ctx, { cmpt }) => table(ctx, cmpt),
    ),
  ],
};
