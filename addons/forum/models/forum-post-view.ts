import { f, model } from 'pergola';

/** Views of questions that haven't been counted yet. Visitors only insert rows, so they never wait for a lock. */
export class ForumPostView extends model(
  'forum.post.view',
  { post_id: f.many2one('forum.post', { required: true, ondelete: 'cascade', index: true }) },
  { label: 'Question view', volatile: true },
) {}

declare module 'pergola' {
  interface Models {
    'forum.post.view': ForumPostView;
  }
}
