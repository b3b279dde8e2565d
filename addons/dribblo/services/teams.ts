import { onWebsite } from '#addons/website';
import { type Ctx, type Domain, type FieldsOf, type Id, type Ids, NotFound } from '#core';
import { Category } from '../models/club-category.ts';
import type { Match } from '../models/club-match.ts';
import { Team } from '../models/club-team.ts';

/** Domain of the club's own teams, for options of blocks. */
export const ours = Object.freeze([Object.freeze(['is_ours', '=', true])]);

/** The club's own teams on this website, in their order. */
export function ourTeams(ctx: Ctx): Promise<Id[]> {
  return ctx.model(Team).search([['is_ours', '=', true], ['website_published', '=', true], ...onWebsite(ctx)]);
}

/**
 * The named teams, or all of the club's own when none is named.
 *
 * @throws NotFound when one of them is not there for the caller.
 */
export async function teamsOrOurs(ctx: Ctx, ids: Ids): Promise<Ids> {
  if (ids.length === 0) return ourTeams(ctx);
  await requireTeams(ctx, ids);
  return ids;
}

/** @throws NotFound when one of them is not there for the caller. */
export async function requireTeams(ctx: Ctx, ids: Ids): Promise<void> {
  const wanted = [...new Set(ids)];
  const found = await ctx.model(Team).search([['id', 'in', wanted], ...onWebsite(ctx)]);
  if (found.length < wanted.length) throw new NotFound('There is no such team.', { code: 'dribblo.no_team' });
}

/** The club's own teams of a category, as visitors may see them. */
export async function teamsOfCategory(ctx: Ctx, category: Id): Promise<Ids> {
  if ((await ctx.model(Category).count([['id', '=', category]])) === 0) {
    throw new NotFound('There is no such category.', { code: 'dribblo.no_category' });
  }
  return ctx
    .model(Team)
    .search([
      ['category_id', '=', category],
      ['is_ours', '=', true],
      ['website_published', '=', true],
      ...onWebsite(ctx),
    ]);
}

/** Matches in which one of the teams plays. */
export function playedBy(teams: Ids): Domain<FieldsOf<Match>> {
  return ['|', ['receiver_id', 'in', teams], ['visitor_id', 'in', teams]];
}

/** Our teams with their names, for a choice. */
export async function ourTeamChoices(ctx: Ctx): Promise<{ id: Id; name: string }[]> {
  const rows = await ctx.model(Team).read(await ourTeams(ctx), { select: { name: true } });
  return rows.map(({ id, name }) => ({ id, name }));
}
