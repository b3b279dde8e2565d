import { seoOf, seoSelect } from '#addons/website';
import { type Ctx, type Id, record, route } from '#core';
import { teamCards } from '../blocks/teams.ts';
import { Competition } from '../models/club-competition.ts';
import { Member } from '../models/club-member.ts';
import { Team } from '../models/club-team.ts';
import { lastMatches, nextMatches } from '../services/match-lists.ts';
import { standingsView } from '../services/standings-view.ts';
import { teamImage } from '../services/team-image.ts';

const about = {
  ...seoSelect,
  name: true,
  display_name: true,
  image: true,
  is_ours: true,
  website_published: true,
  category_id: { name: true },
  venue_id: { name: true, street: true, zip: true, city: true, note: true },
  training: true,
  description: true,
  website_url: true,
} as const;

/** `/teams`: our teams. */
const index = route.page('/teams', { name: 'dribblo.teams', sitemap: true }, async ({ ctx, render }) =>
  render('dribblo.teams_page', { ...(await teamCards(ctx)), seo: { title: ctx.t('Our teams'), canonical: '/teams' } }),
);

/** `/teams/u15-a-3`: a team with its matches, its standings and its players. */
const page = route.page(
  '/teams/:team',
  {
    name: 'dribblo.team',
    params: { team: record(Team, { select: about, slug: 'name' }) },
    sitemap: async (ctx) => {
      const rows = await ctx.model(Team).find([['website_published', '=', true]], { select: { website_url: true } });
      return rows.map(({ website_url }) => ({ path: website_url ?? '/' }));
    },
  },
  async ({ ctx, params: { team }, render, request }) => {
    const facts = await privateFacts(ctx, team.id);
    const url = team.website_url ?? request.path;
    return render('dribblo.team_page', {
      team,
      crest: teamImage(team, 256),
      next: await nextMatches(ctx, [team.id], { nbr: 5, next: 0 }),
      last: await lastMatches(ctx, [team.id], { nbr: 5, next: 0 }),
      tables: await tablesOf(ctx, team.id),
      ...facts,
      seo: seoOf(team, {
        title: team.name,
        description: [team.category_id?.name, team.training].filter(Boolean).join(' – '),
        image: team.image ? teamImage(team, 1024) : null,
        canonical: url,
        breadcrumbs: [
          { name: ctx.t('Our teams'), url: '/teams' },
          { name: team.name, url },
        ],
        jsonLd: [{ '@type': 'SportsTeam', name: team.name, sport: 'Football', url: request.origin + url }],
      }),
    });
  },
);

/** Coach and players by their public names. */
async function privateFacts(ctx: Ctx, team: Id) {
  // Visitors may not read members; of a team that is shown they learn the public names.
  const system = ctx.sudo();
  const [row] = await system.model(Team).read([team], { select: { is_ours: true, coach_id: { public_name: true } } });
  if (!row?.is_ours) return { coach: '', players: [] };
  const players = await system.model(Member).find(
    [
      ['team_ids', '=', team],
      ['active', '=', true],
    ],
    { select: { public_name: true, number: true, position: true } },
  );
  return {
    coach: row.coach_id?.public_name ?? '',
    players: players.sort((a, b) => (a.number ?? 100) - (b.number ?? 100)),
  };
}

async function tablesOf(ctx: Ctx, team: Id) {
  const ids = await ctx.model(Competition).search([
    ['has_standings', '=', true],
    ['team_ids', '=', team],
  ]);
  return Promise.all(ids.map((id) => standingsView(ctx, id)));
}

export const teamRoutes = [index, page];
