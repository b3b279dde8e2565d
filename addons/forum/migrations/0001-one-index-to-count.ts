import { migration } from '#core';

const replaced = 'forum_post__forum_id__state__idx';

export default migration({
  version: '1.1.0',
  summary: 'Takes away an index of posts that a wider one stands for',
  async up({ db }) {
    await db.raw('drop index if exists ??', [replaced]);
    await db('core_ownership').where({ kind: 'index', table_name: 'forum_post', name: replaced }).delete();
  },
});
