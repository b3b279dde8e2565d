import { seoOf, seoSelect } from '@pergola/website';
import type { Ctx, FieldsOf, Id, Row } from 'pergola';
import { Competition } from '../models/club-competition.ts';
import { Member } from '../models/club-member.ts';
import { Team, teamImage } from '../models/club-team.ts';
import { LeagueTables } from '../services/league-tables.ts';
import { Matches } from '../services/matches.ts';
import { t } from '../texts.ts';

/** Team fields used by its page. */
export const teamSelect = {
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

/** Team page with matches, standings and players. */
export async function teamPage(
  ctx: Ctx,
  team: Row<FieldsOf<Team>, typeof teamSelect>,
  location: { origin: string; path: string },
) {
  const facts = await publicNames(ctx, team.id);
  const url = team.website_url ?? location.path;
  return {
    team,
    crest: teamImage(team, 256),
    next: await ctx.get(Matches).next([team.id], { nbr: 5, next: 0 }),
    last: await ctx.get(Matches).last([team.id], { nbr: 5, next: 0 }),
    tables: await tablesOf(ctx, team.id),
    ...facts,
    seo: seoOf(team, {
      title: team.name,
      description: [team.category_id?.name, team.training].filter(Boolean).join(' – '),
      image: team.image ? teamImage(team, 1024) : null,
      canonical: url,
      breadcrumbs: [
        { name: t(ctx, 'Our teams'), url: '/teams' },
        { name: team.name, url },
      ],
      jsonLd: [{ '@type': 'SportsTeam', name: team.name, sport: 'Football', url: location.origin + url }],
    }),
  };
}

/** Public names of the coach and players. */
async function publicNames(ctx: Ctx, team: Id) {
  // Visitors can't read members; they get the public names of a published team.
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
  return Promise.all(ids.map((id) => ctx.get(LeagueTables).of(id)));
}
