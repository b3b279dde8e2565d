export type VoteValue = 1 | 0 | -1;

/** What a vote answers: the new count and the caller's vote, or why there is none. */
export type VoteReply =
  | { readonly vote_count: number; readonly user_vote: VoteValue }
  | { readonly error: 'own_post' | 'anonymous_user' };

/** What a click makes of a vote: one step at a time, and the other way takes it back. */
export function clicked(before: VoteValue, up: boolean): VoteValue {
  if (before !== 0) return 0;
  return up ? 1 : -1;
}
