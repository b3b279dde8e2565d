import { type Ctx, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { ForumPost } from './models/forum-post.ts';

/** Questions that visitors can no longer read, and posts to be moderated. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('forum')) return [];
  const posts = ctx.model(ForumPost);
  return [
    {
      sentence: sentence('Questions that visitors can no longer read'),
      count: await posts.count([
        ['parent_id', '=', false],
        ['website_visible', '=', true],
      ]),
      stops: true,
    },
    { sentence: sentence('Posts awaiting moderation'), count: await posts.count([['state', '=', 'pending']]) },
  ];
}
