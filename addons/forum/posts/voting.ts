import { type Ctx, type Id, NotFound } from '#core';
import type { KarmaTable } from '../models/karma-fields.ts';
import { ForumKarma } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostVote } from '../models/forum-post-vote.ts';
import { forumTables } from './memories.ts';
import { hasMoved, relevancyOf } from './relevancy.ts';
import { requireKarma, viewerOf } from '../services/permissions.ts';

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

/** What a change of a vote brings the author of the post. */
export function voteKarma(table: KarmaTable, isAnswer: boolean, before: VoteValue, after: VoteValue): number {
  const up = isAnswer ? table.karma_gen_answer_upvote : table.karma_gen_question_upvote;
  const down = isAnswer ? table.karma_gen_answer_downvote : table.karma_gen_question_downvote;
  const worth = (vote: VoteValue): number => (vote === 1 ? up : vote === -1 ? down : 0);
  return worth(after) - worth(before);
}

/**
 * The caller's click on the arrow of a post they see. Taking a vote back needs no karma.
 *
 * @throws NotAllowed for too little karma, NotFound for a post that is not there
 */
export async function vote(ctx: Ctx, id: Id, up: boolean): Promise<VoteReply> {
  const { id: user } = ctx.user;
  const [visible] = await ctx.model(ForumPost).allowed([id], 'read');
  if (visible === undefined) throw new NotFound('There is no such post.', { code: 'forum.no_post' });
  if (user === null) return { error: 'anonymous_user' };
  // Votes are counted on posts and in the ledger, which nobody may write but through here.
  const system = ctx.sudo();
  await system.lock(ForumPost, [id]);
  const post = await system.model(ForumPost).get(id, { select: { create_uid: true, forum_id: true, parent_id: true } });
  if (post.create_uid === user) return { error: 'own_post' };
  const votes = system.model(ForumPostVote);
  const given = await votes.first(
    [
      ['post_id', '=', id],
      ['user_id', '=', user],
    ],
    { select: { vote: true } },
  );
  const before = Number(given?.vote ?? 0) as VoteValue;
  const after = clicked(before, up);
  const viewer = await viewerOf(ctx, post.forum_id);
  if (after === 1) requireKarma(viewer, 'karma_upvote');
  if (after === -1) requireKarma(viewer, 'karma_downvote');
  const kept = String(after) as '1' | '0' | '-1';
  if (given) await votes.write(given.id, { vote: kept });
  else {
    await votes.create({
      post_id: id,
      user_id: user,
      vote: kept,
      forum_id: post.forum_id,
      recipient_id: post.create_uid,
    });
  }
  const amount = voteKarma(viewer.table, post.parent_id !== null, before, after);
  await system
    .model(ForumKarma)
    .move([{ user_id: post.create_uid, amount, reason: 'vote', forum_id: post.forum_id, post_id: id }]);
  const { vote_count, relevancy, create_date } = await system
    .model(ForumPost)
    .get(id, { select: { vote_count: true, relevancy: true, create_date: true } });
  const weights = (await ctx.get(forumTables).get(ctx, '')).get(post.forum_id);
  if (post.parent_id === null && weights) {
    const next = relevancyOf(vote_count, create_date, ctx.now(), weights);
    if (hasMoved(relevancy, next)) await system.model(ForumPost).write(id, { relevancy: next });
  }
  return { vote_count, user_vote: after };
}
