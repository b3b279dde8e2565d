import type { Ctx, Id, Ids } from '#core';
import { type MatchView, matchViews } from './match-view.ts';
import { playedBy } from './teams.ts';

/** A match counts as to come until so long after its kick-off, in milliseconds. */
export const MATCH_LENGTH = 2 * 3600_000;

/** How many matches, and how many to skip before them. */
export interface Portion {
  readonly nbr: number;
  readonly next: number;
}

/** The matches to come of some teams, the nearest first; one that is being played counts unless `begun` is false. */
export function nextMatches(ctx: Ctx, teams: Ids, { nbr, next }: Portion, begun = true): Promise<MatchView[]> {
  const since = begun ? ctx.now().plus(-MATCH_LENGTH) : ctx.now();
  return matchViews(ctx, [['state', '=', 'planned'], ['start_datetime', '>', since], ...playedBy(teams)], {
    limit: nbr,
    offset: next,
  });
}

/** The latest results of some teams, in the order they were played. */
export async function lastMatches(ctx: Ctx, teams: Ids, { nbr, next }: Portion): Promise<MatchView[]> {
  const latest = await matchViews(ctx, [['is_res', '=', true], ...playedBy(teams)], {
    order: 'start_datetime desc, mnbr desc',
    limit: nbr,
    offset: next,
  });
  return latest.reverse();
}

/** A team with its last and next matches. */
export interface TeamMatches {
  readonly id: Id;
  readonly name: string;
  readonly last: readonly MatchView[];
  readonly next: readonly MatchView[];
}
