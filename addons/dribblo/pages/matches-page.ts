import type { Ctx, Id } from '#core';
import { Category } from '../models/club-category.ts';
import { Member } from '../models/club-member.ts';
import { Team } from '../models/club-team.ts';
import { Matches, type WeekMatches } from '../services/matches.ts';

/** What the page of matches is narrowed to, as its address says it. */
export interface Kept {
  readonly team?: Id | null;
  readonly categ?: Id | null;
  readonly player?: Id | null;
  readonly name?: string;
}

/** A week for the page of matches, with the ways to the weeks around it; these keep what the page is narrowed to. */
export function weekView(ctx: Ctx, { week, rows }: WeekMatches, keep: Kept) {
  const turned = (offset: number) => ({ ...keep, week: offset });
  return {
    week,
    matches: rows.map((row) => ctx.get(Matches).view(row)),
    previous: turned(week.offset - 1),
    next: turned(week.offset + 1),
    present: week.offset === 0 ? null : turned(0),
  };
}

/** What the address of the page of matches asks for. */
interface WeekPageQuery {
  readonly week?: number | undefined;
  readonly team?: Id | undefined;
  readonly categ?: Id | undefined;
  readonly player?: Id | undefined;
  readonly name?: string | undefined;
}

/** The matches of a week, with the searches by player and category. */
export async function matchesPage(ctx: Ctx, query: WeekPageQuery) {
  const { week: offset = 0, team, categ, player, name = '' } = query;
  const found = name !== '' && player === undefined ? await ctx.model(Member).suggest(name) : [];
  const chosen = player ?? (found.length === 1 ? found[0]?.id : undefined);
  const matches = await ctx.get(Matches).week({ week: offset, team, category: categ, player: chosen });
  const own = ctx.model(Team);
  return {
    ...weekView(ctx, matches, { team, categ, player: chosen, name }),
    suggestions: found.length > 1 ? found : [],
    name,
    nobody: name !== '' && found.length === 0 && player === undefined,
    categories: choices(await ctx.model(Category).find([], { select: { name: true } }), categ),
    teams: choices(await own.read(await own.ours(), { select: { name: true } }), team),
    isFiltered: team !== undefined || categ !== undefined || chosen !== undefined || name !== '',
    seo: { title: ctx.t('Matches'), canonical: '/matchs', noindex: offset !== 0 },
  };
}

function choices(rows: readonly { readonly id: number; readonly name: string }[], chosen: number | undefined) {
  return rows.map(({ id: value, name }) => ({ value, name, chosen: value === chosen }));
}
