import type { Ctx } from 'pergola';
import { Match } from '../models/club-match.ts';
import { scoreMark, scoreSelect } from '../services/match-results.ts';
import { Matches } from '../services/matches.ts';
import { t } from '../texts.ts';

/** Form for the result of a match. */
export async function resultForm(ctx: Ctx, number: number) {
  const match = await ctx.get(Matches).byNumber(number);
  const state = await ctx.model(Match).get(match.id, { select: scoreSelect });
  const text = (value: number | null): string => (value === null ? '' : String(value));
  const values = {
    seen: scoreMark(state),
    state: state.state === 'planned' ? 'played' : state.state,
    receiver_res: text(state.receiver_res),
    visitor_res: text(state.visitor_res),
    receiver_shot: text(state.receiver_shot),
    visitor_shot: text(state.visitor_shot),
    forfeit_by: state.forfeit_by ?? '',
  };
  return { id: match.id, match, states: stateChoices(ctx), values, errors: {} };
}

/** Match states that volunteers can choose. */
function stateChoices(ctx: Ctx) {
  const labels = {
    played: t(ctx, 'Played'),
    planned: t(ctx, 'Not played yet'),
    postponed: t(ctx, 'Postponed'),
    cancelled: t(ctx, 'Cancelled'),
    forfeit: t(ctx, 'Forfeit'),
  };
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
