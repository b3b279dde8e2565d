import { job, z } from 'pergola';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostView } from '../models/forum-post-view.ts';

/** Views counted per transaction. */
const BATCH = 2_000;

/** Adds recorded views to the questions every few minutes, so cached pages aren't invalidated by every visit. */
export const countViews = job('forum.count_views', {
  label: 'Count question views',
  input: z.object({}),
  cron: '*/10 * * * *',
  run: async ({ write, signal }) => {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      hasMore = await write(async (ctx) => {
        const rows = await ctx.model(ForumPostView).find([], { select: { post_id: true }, order: 'id', limit: BATCH });
        const counts = Map.groupBy(rows, ({ post_id }) => post_id);
        const posts = await ctx.model(ForumPost).read([...counts.keys()], { select: { views: true } });
        for (const { id, views } of posts.toSorted((a, b) => a.id - b.id)) {
          await ctx.model(ForumPost).write(id, { views: views + (counts.get(id)?.length ?? 0) });
        }
        await ctx.model(ForumPostView).unlink(rows.map(({ id }) => id));
        return rows.length === BATCH;
      });
    }
  },
});
