import { type Ctx, type FieldsOf, type Id, NotFound, type Row, record, type Select, z } from 'pergola';
import type { Asked } from 'pergola/orm';
import { Forum } from '../models/forum.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { type ForumRow, forumSelect, requireHere } from '../pages/header.ts';
import { questionSelect } from '../pages/question.ts';
import { forumPath, postPath } from './paths.ts';

/** `/forum/help-1` */
export const forumParam = record(Forum, { select: forumSelect, slug: 'name' });
/** `/forum/help-1/question/how-12`; an answer's ID redirects to its question. */
export const questionParam = record(ForumPost, { select: questionSelect, slug: 'name' });
/** `/forum/help-1/tag/roses-4` */
export const tagParam = record(ForumTag, { select: { name: true, forum_id: true }, slug: 'name' });
export const pageParam = z.coerce.number().int().min(1).max(100_000);
/** `?page=2`; invalid values mean the first page. */
export const pageQuery = z.coerce.number().int().min(1).max(10_000).default(1).catch(1);
/** Record ID in a form or call. */
export const recordId = z.coerce.number().int().positive();
/** Record ID, optionally preceded by a slug. */
export const idParam = z
  .string()
  .regex(/^(?:.*-)?[1-9]\d{0,14}$/s)
  .transform((text): Id => Number(text.slice(text.lastIndexOf('-') + 1)));

/** Returns the same NotFound error for all causes. */
export function notHere(): NotFound {
  return new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
}

/**
 * Reads a post of this forum.
 *
 * @throws NotFound if the post doesn't exist, is hidden from the caller, or belongs to another forum
 */
export async function postIn<const S extends Select<FieldsOf<ForumPost>>>(
  ctx: Ctx,
  forum: ForumRow,
  id: Id,
  select: Asked<FieldsOf<ForumPost>, S>,
): Promise<Row<FieldsOf<ForumPost>, S>> {
  await requirePostIn(ctx, forum, id);
  return ctx.model(ForumPost).get(id, { select });
}

/** Same check as `postIn`, without reading fields. */
export async function requirePostIn(ctx: Ctx, forum: ForumRow, id: Id): Promise<void> {
  requireHere(ctx, forum);
  const [postId] = await ctx.model(ForumPost).search([
    ['id', '=', id],
    ['forum_id', '=', forum.id],
    ['active', 'in', [true, false]],
  ]);
  if (postId === undefined) throw notHere();
}

/** URL of a post, for redirects. */
export async function placeOf(ctx: Ctx, forum: ForumRow, id: Id): Promise<string> {
  // An answer takes its question's title, which is part of the URL anyway.
  const row = await ctx
    .sudo()
    .model(ForumPost)
    .first(
      [
        ['id', '=', id],
        ['active', 'in', [true, false]],
      ],
      { select: { name: true, parent_id: { name: true } } },
    );
  return row ? postPath(forum, row) : forumPath(forum);
}
