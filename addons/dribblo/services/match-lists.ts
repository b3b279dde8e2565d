import type { Ctx, Id, Ids } from '#core';
import { MATCH_LENGTH, type MatchView, matchViews } from './match-view.ts';
import { playedBy } from './teams.ts';

/** How many matches, and how many to skip before them. */
export interface Portion {
  readonly nbr: number;
  readonly next: number;
}

/** The matches to come of some teams, the nearest first; one that is being played counts. */
export function nextMatches(ctx: Ctx, teams: Ids, { nbr, next }: Portion): Promise<MatchView[]> {
  const since = ctx.now().plus(-MATCH_LENGTH);
  return matchViews(ctx, [['state', '=', 'planned'], ['start_datetime', '>', since], ...playedBy(teams)], {
    limit: nbr,
    offset: next,
  });
}

/** The latest results of some teams, the newest first. */
export function lastMatches(ctx: Ctx, teams: Ids, { nbr, next }: Portion): Promise<MatchView[]> {
  return matchViews(ctx, [['is_res', '=', true], ...playedBy(teams)], {
    order: 'start_datetime desc, mnbr desc',
    limit: nbr,
    offset: next,
  });
}

/** A team with its last and next matches. */
export interface TeamMatches {
  readonly id: Id;
  readonly name: string;
  readonly last: readonly MatchView[];
  readonly next: readonly MatchView[];
}
