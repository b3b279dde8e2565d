import { DAY } from '../constants.ts';

/** Weights of votes and age in a forum. */
export interface RelevancyWeights {
  readonly relevancy_post_vote: number;
  readonly relevancy_time_decay: number;
}

/** Relevance of a question at a point in time: its votes, decreasing with age. */
export function relevancyOf(votes: number, created: Date, now: Date, weights: RelevancyWeights): number {
  const days = Math.max(0, Math.floor((now.getTime() - created.getTime()) / DAY));
  const strength = Math.abs(votes - 1) ** weights.relevancy_post_vote;
  return (Math.sign(votes) * strength) / (days + 2) ** weights.relevancy_time_decay;
}

/** Whether a value changed enough to be written. */
export function hasMoved(before: number, after: number): boolean {
  return Math.abs(after - before) > Math.abs(before) * 0.01;
}
