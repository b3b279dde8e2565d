import { app, Conflict, type Id, InvalidInput, NotAllowed, service } from 'pergola';
import { Competition } from '../models/club-competition.ts';
import { Match } from '../models/club-match.ts';
import { SCORE_KEEPER } from '../security.ts';
import { mark } from '../texts.ts';

/** A match result as entered by a score keeper. */
export interface Score {
  readonly state: 'planned' | 'played' | 'postponed' | 'cancelled' | 'forfeit';
  readonly receiver_res: number | null;
  readonly visitor_res: number | null;
  readonly receiver_shot: number | null;
  readonly visitor_shot: number | null;
  readonly forfeit_by: 'receiver' | 'visitor' | null;
}

/** Fingerprint of a result, for detecting concurrent changes. */
export function scoreMark(row: Score): string {
  const { state, receiver_res, visitor_res, receiver_shot, visitor_shot, forfeit_by } = row;
  return [state, receiver_res, visitor_res, receiver_shot, visitor_shot, forfeit_by]
    .map((part) => part ?? '')
    .join('.');
}

export const scoreSelect = {
  state: true,
  receiver_res: true,
  visitor_res: true,
  receiver_shot: true,
  visitor_shot: true,
  forfeit_by: true,
} as const;

/** Result entry at the pitch. */
export class MatchResults extends service('dribblo.match_results', { ctx: app.ctx }) {
  /**
   * Saves a result. `seen` is the fingerprint of the result the caller saw.
   *
   * @throws NotAllowed unless the caller is a score keeper
   * @throws Conflict if another user has entered a different result in the meantime
   */
  async enter(match: Id, score: Score, seen: string): Promise<void> {
    if (!this.ctx.has(SCORE_KEEPER))
      throw new NotAllowed('You don’t have permission to enter results.', { code: 'dribblo.no_scoring' });
    await this.ctx.lock(Match, [match]);
    // Score keepers can only write results; their permission was checked above.
    const matches = this.ctx.sudo().model(Match);
    const row = await matches.get(match, { select: { ...scoreSelect, competition_id: true } });
    const values = await this.#valuesFor(score, row.competition_id);
    const now = scoreMark(row);
    if (now === scoreMark({ ...score, ...values })) return;
    if (now !== seen) {
      throw new Conflict(
        'Someone else has just updated this match. Check their entry, then enter yours again if it’s correct.',
        {
          code: 'dribblo.score_changed',
        },
      );
    }
    await matches.write(match, values);
  }

  /** Sets all result fields, so no old values remain. */
  async #valuesFor(score: Score, competition: Id | null) {
    const { state } = score;
    const emptyResult = {
      receiver_res: null,
      visitor_res: null,
      is_res: false,
      is_shot: false,
      receiver_shot: null,
      visitor_shot: null,
      forfeit_by: null,
    };
    if (state === 'forfeit') {
      if (score.forfeit_by === null) throw fieldError('forfeit_by', mark('Choose the team that forfeited.'));
      const goals = competition === null ? 3 : await this.#forfeitGoals(competition);
      const home = score.forfeit_by === 'receiver';
      return {
        ...emptyResult,
        state,
        forfeit_by: score.forfeit_by,
        is_res: true,
        receiver_res: home ? 0 : goals,
        visitor_res: home ? goals : 0,
      };
    }
    if (state !== 'played') return { ...emptyResult, state };
    if (score.receiver_res === null) throw fieldError('receiver_res', mark('Enter the goals of both teams.'));
    if (score.visitor_res === null) throw fieldError('visitor_res', mark('Enter the goals of both teams.'));
    const is_shot = score.receiver_shot !== null || score.visitor_shot !== null;
    const { receiver_res, visitor_res, receiver_shot, visitor_shot } = score;
    return { ...emptyResult, state, is_res: true, receiver_res, visitor_res, is_shot, receiver_shot, visitor_shot };
  }

  async #forfeitGoals(competition: Id): Promise<number> {
    const [row] = await this.ctx.model(Competition).read([competition], { select: { forfeit_goals: true } });
    return row?.forfeit_goals ?? 3;
  }
}

function fieldError(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'dribblo.bad_score', fields: { [field]: message } });
}
