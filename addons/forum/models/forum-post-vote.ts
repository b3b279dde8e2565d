import { f, model } from '#core';

/** One person's vote on one post; kept with 0 once it is taken back. Made only by {@link ForumPost.vote}. */
export class ForumPostVote extends model(
  'forum.post.vote',
  {
    post_id: f.many2one('forum.post', { required: true, ondelete: 'cascade', index: true }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    vote: f.selection({ '1': 'Up', '-1': 'Down', '0': 'Taken back' }, { required: true, default: '1' }),
    forum_id: f.many2one('forum.forum', { required: true, ondelete: 'cascade' }),
    recipient_id: f.many2one('res.users', { ondelete: 'set null', index: true, label: 'Author of the post' }),
  },
  {
    label: 'Vote',
    nameField: 'vote',
    order: 'id desc',
    unique: [{ fields: ['post_id', 'user_id'], message: 'Everybody votes once on a post.' }],
  },
) {}

declare module '#core' {
  interface Models {
    'forum.post.vote': ForumPostVote;
  }
}
