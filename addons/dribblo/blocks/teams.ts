import { block, type Ctx, z } from 'pergola';
import { Team, teamImage } from '../models/club-team.ts';
import { mark } from '../texts.ts';
import { entry, markupRoute, type Piece, type Refresh } from './kit.ts';

/** Cards of the club's teams. */
export async function teamCards(ctx: Ctx) {
  const teamModel = ctx.model(Team);
  const rows = await teamModel.read(await teamModel.ours(), {
    select: { name: true, image: true, category_id: { name: true }, website_url: true, training: true },
  });
  const refresh: Refresh = { path: '/sn_equipes', params: {} };
  const teams = rows.map((team) => ({
    name: team.name,
    category: team.category_id?.name ?? '',
    image: teamImage(team, 256),
    href: team.website_url ?? '#',
    training: team.training ?? '',
  }));
  return { teams, refresh };
}

const teamBlock = block('dribblo.teams', {
  label: 'Our teams',
  options: z.object({}),
  template: 'dribblo.team_cards',
  load: (ctx) => teamCards(ctx),
});

/** The club's own teams. */
export const teamPieces: Piece = {
  blocks: [teamBlock],
  snippets: [entry('teams', mark('Our teams'))],
  routes: [
    markupRoute(
      '/sn_equipes',
      { name: 'dribblo.equipes', input: z.object({}), template: 'dribblo.team_cards' },
      (ctx) => teamCards(ctx),
    ),
  ],
};
