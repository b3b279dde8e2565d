import { f, model } from 'pergola';
import type { VoteValue } from '../services/vote-steps.ts';
import type { KarmaTable } from './karma-fields.ts';

/** One person's vote on a post; kept as 0 when it is withdrawn. Only written by {@link ForumPost.vote}. */
export class ForumPostVote extends model(
  'forum.post.vote',
  {
    post_id: f.many2one('forum.post', { required: true, ondelete: 'cascade', index: true }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    vote: f.selection({ '1': 'Up', '-1': 'Down', '0': 'Withdrawn' }, { required: true, default: '1' }),
    forum_id: f.many2one('forum.forum', { required: true, ondelete: 'cascade' }),
    recipient_id: f.many2one('res.users', { empty: 'none', index: true, label: 'Post author' }),
  },
  {
    label: 'Vote',
    nameField: 'vote',
    order: 'id desc',
    unique: [{ fields: ['post_id', 'user_id'], message: 'You’ve already voted on this post.' }],
  },
) {}

/** Karma that a changed vote brings the post's author. */
export function voteKarma(table: KarmaTable, isAnswer: boolean, before: VoteValue, after: VoteValue): number {
  const up = isAnswer ? table.karma_gen_answer_upvote : table.karma_gen_question_upvote;
  const down = isAnswer ? table.karma_gen_answer_downvote : table.karma_gen_question_downvote;
  const worth = (vote: VoteValue): number => (vote === 1 ? up : vote === -1 ? down : 0);
  return worth(after) - worth(before);
}

declare module 'pergola' {
  interface Models {
    'forum.post.vote': ForumPostVote;
  }
}
