import { block, type Ctx, type Id, z } from 'pergola';
import { Team } from '../models/club-team.ts';
import { recordOrNone } from '../routes/inputs.ts';
import { CallUps } from '../services/callups.ts';
import { mark } from '../texts.ts';
import { entry, markupRoute, ownTeamsDomain, type Piece, type Refresh } from './kit.ts';

async function shown(ctx: Ctx, team: Id | null, isShort: boolean) {
  const teams = await ctx.model(Team).namedOrOurs(team === null ? [] : [team]);
  const refresh: Refresh = { path: '/convocations', params: { team: team ?? false, sn: isShort } };
  return { callups: await ctx.get(CallUps).published({ teams }), short: isShort, refresh };
}

const callUpBlock = block('dribblo.callups', {
  label: 'Call-ups',
  options: z.object({
    team: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ title: mark('Team'), records: 'club.team', where: ownTeamsDomain, none: mark('All our teams') }),
    short: z
      .boolean()
      .default(false)
      .meta({ title: mark('Collapse player names') }),
  }),
  template: 'dribblo.callups',
  load: (ctx, { team, short }) => shown(ctx, team === 0 ? null : team, short),
});

/** Truthy values of Odoo clients: a non-zero number, a text, or a non-empty list. */
const truthy = z.preprocess(
  (value) => value ?? false,
  z.unknown().transform((value) => {
    if (typeof value === 'string') return !['', '0', 'false'].includes(value);
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  }),
);

/** Call-ups for upcoming matches. */
export const callUpPieces: Piece = {
  blocks: [callUpBlock],
  snippets: [entry('callups', mark('Call-ups'), { short: true })],
  routes: [
    markupRoute(
      '/convocations',
      {
        name: 'dribblo.convocations',
        input: z.object({ team: recordOrNone, sn: truthy }),
        template: 'dribblo.callups',
      },
      (ctx, { team, sn }) => shown(ctx, team, sn),
    ),
  ],
};
