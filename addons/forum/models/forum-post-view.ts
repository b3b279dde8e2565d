import { f, model } from 'pergola';

/** Views of questions that are not yet counted in: rows are only added by visitors, so that nobody waits for anybody. */
export class ForumPostView extends model(
  'forum.post.view',
  { post_id: f.many2one('forum.post', { required: true, ondelete: 'cascade', index: true }) },
  { label: 'View of a question', volatile: true },
) {}

declare module 'pergola' {
  interface Models {
    'forum.post.view': ForumPostView;
  }
}
