import type { Ctx, Id } from 'pergola';
import { Category } from '../models/club-category.ts';
import { Member } from '../models/club-member.ts';
import { Team } from '../models/club-team.ts';
import { Matches, type WeekMatches } from '../services/matches.ts';
import { daysText, weeksBeside } from '../services/week.ts';
import { t } from '../texts.ts';

/** Filters of the match page, as in its URL. */
export interface WeekFilters {
  readonly team?: Id | null;
  readonly categ?: Id | null;
  readonly player?: Id | null;
  readonly name?: string;
}

/** A week with its filters, as shown on the match page. */
export function weekView(ctx: Ctx, { week }: WeekMatches, { team, categ, player, name }: WeekFilters) {
  return {
    week: week.offset,
    ...weeksBeside(week),
    label: t(ctx, 'Week {number}', { number: week.number }),
    days: daysText(ctx, week),
    team: team ?? null,
    categ: categ ?? null,
    player: player ?? null,
    name: name ?? '',
  };
}

/** Query parameters of the match page. */
interface WeekPageQuery {
  readonly week: number;
  readonly team?: Id | undefined;
  readonly categ?: Id | undefined;
  readonly player?: Id | undefined;
  readonly name?: string | undefined;
}

/** Matches of a week, filtered by player or category. */
export async function matchesPage(ctx: Ctx, query: WeekPageQuery) {
  const { week: offset, team, categ, player, name = '' } = query;
  const namesakes = name !== '' && player === undefined ? await ctx.model(Member).suggest(name) : [];
  const playerId = player ?? (namesakes.length === 1 ? namesakes[0]?.id : undefined);
  const matches = ctx.get(Matches);
  const weekMatches = await matches.week({ week: offset, team, category: categ, player: playerId });
  return {
    first: weekView(ctx, weekMatches, { team, categ, player: playerId, name }),
    matches: weekMatches.rows.map((row) => matches.view(row)),
    suggestions: namesakes.length > 1 ? namesakes : [],
    nobody: name !== '' && namesakes.length === 0 && player === undefined,
    categories: choices(await ctx.model(Category).find([], { select: { name: true } })),
    teams: choices(await ctx.model(Team).oursByName()),
    seo: { title: t(ctx, 'Matches'), canonical: '/matchs', noindex: offset !== 0 },
  };
}

function choices(rows: readonly { readonly id: number; readonly name: string }[]) {
  return rows.map(({ id: value, name }) => ({ value, name }));
}
