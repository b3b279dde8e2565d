export type VoteValue = 1 | 0 | -1;

/** Result of a vote: the new count and the caller's vote, or an error. */
export type VoteReply =
  | { readonly vote_count: number; readonly user_vote: VoteValue }
  | { readonly error: 'own_post' | 'anonymous_user' };

/** Returns the vote after a click: from none to up or down; any click on an existing vote withdraws it. */
export function clicked(current: VoteValue, up: boolean): VoteValue {
  if (current !== 0) return 0;
  return up ? 1 : -1;
}
