import { seoOf } from '@pergola/website';
import type { Ctx } from 'pergola';
import { ForumTag } from '../models/forum-tag.ts';
import { forumPath, tagPath } from '../routes/paths.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';

/** Tags of a forum, optionally filtered by name. */
export async function tagsPage(ctx: Ctx, forum: ForumRow, q: string) {
  const { header } = await headerOf(ctx, forum, 'tags');
  const rows = await ctx
    .model(ForumTag)
    .find(
      [['forum_id', '=', forum.id], ['posts_count', '>', 0], ...(q === '' ? [] : ([['name', 'ilike', q]] as const))],
      { select: { name: true, posts_count: true }, limit: 300 },
    );
  return {
    header,
    q,
    tags: rows.map((tag) => ({ ...tag, path: tagPath(forum, tag) })),
    seo: seoOf(forum, { title: t(ctx, 'Tags'), canonical: `${forumPath(forum)}/tag` }),
  };
}
