import { migration } from 'pergola';

export default migration({
  version: '1.1.0',
  summary: 'Takes away an index of posts that a wider one stands for',
  up: ({ dropIndex }) => dropIndex('forum_post', 'forum_post__forum_id__state__idx'),
});
