import { f, model } from 'pergola';

/** Tie-breakers, in the order of application; see `services/standings.ts`. */
export const tieBreaks = {
  goal_difference: 'Goal difference',
  goals_for: 'Goals scored',
  direct: 'Head-to-head matches',
  wins: 'Matches won',
  goals_away: 'Away goals',
  name: 'Name',
} as const;

export type TieBreak = keyof typeof tieBreaks;

/** Default tie-breakers of a competition. */
export const usualTieBreaks: readonly TieBreak[] = ['goal_difference', 'goals_for', 'direct', 'name'];

/** A tie-breaker of a competition. */
export class CompetitionRule extends model(
  'club.competition.rule',
  {
    competition_id: f.many2one('club.competition', { required: true, ondelete: 'cascade', index: true }),
    sequence: f.integer({ default: 10 }),
    rule: f.selection(tieBreaks, { required: true, label: 'Criterion' }),
  },
  {
    order: 'competition_id, sequence, id',
    label: 'Tie-break rule',
    nameField: 'rule',
    unique: [{ fields: ['competition_id', 'rule'], message: 'This competition already has this rule.' }],
  },
) {}

declare module 'pergola' {
  interface Models {
    'club.competition.rule': CompetitionRule;
  }
}
