import { record, route } from 'pergola';
import { teamCards } from '../blocks/teams.ts';
import { Team } from '../models/club-team.ts';
import { teamPage, teamSelect } from '../pages/team-page.ts';
import { t } from '../texts.ts';

/** `/teams`: the club's teams. */
const index = route.page('/teams', { name: 'dribblo.teams', sitemap: true }, async ({ ctx, render }) =>
  render('dribblo.teams_page', { ...(await teamCards(ctx)), seo: { title: t(ctx, 'Our teams'), canonical: '/teams' } }),
);

/** `/teams/u15-a-3`: team page with matches, standings and players. */
const page = route.page(
  '/teams/:team',
  {
    name: 'dribblo.team',
    params: { team: record(Team, { select: teamSelect, slug: 'name' }) },
    sitemap: {
      model: Team,
      async entries(ctx, ids) {
        const rows = await ctx
          .model(Team)
          .find([...ids, ['website_published', '=', true]], { select: { website_url: true } });
        return rows.map(({ website_url }) => ({ path: website_url ?? '/' }));
      },
    },
  },
  async ({ ctx, params: { team }, render, request }) => render('dribblo.team_page', await teamPage(ctx, team, request)),
);

export const teamRoutes = [index, page];
