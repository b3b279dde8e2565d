import { job, z } from 'pergola';
import { Forum } from '../models/forum.ts';
import { ForumPost } from '../models/forum-post.ts';

/** Updates the relevance of questions nightly while it still changes with age; votes update it immediately. */
export const refreshRelevancy = job('forum.refresh_relevancy', {
  label: 'Update question relevance',
  input: z.object({}),
  cron: '40 3 * * *',
  lease: 600_000,
  run: async ({ ctx, write, signal }) => {
    for (const forum of await ctx.model(Forum).search([])) {
      if (signal.aborted) return;
      await write((writing) => writing.model(ForumPost).refreshRelevancy([forum]));
    }
  },
});
