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
/** `/forum/help-1/question/how-12`; an answer's number too, which leads to its question. */
export const questionParam = record(ForumPost, { select: questionSelect, slug: 'name' });
/** `/forum/help-1/tag/roses-4` */
export const tagParam = record(ForumTag, { select: { name: true, forum_id: true }, slug: 'name' });
export const pageParam = z.coerce.number().int().min(1).max(100_000);
/** `?page=2`; anything else is the first one. */
export const pageQuery = z.coerce.number().int().min(1).max(10_000).default(1).catch(1);
/** The number of a record in a form or a call. */
export const recordId = z.coerce.number().int().positive();
/** A record's number, with or without words before it. */
export const idParam = z
  .string()
  .regex(/^(?:.*-)?[1-9]\d{0,14}$/s)
  .transform((text): Id => Number(text.slice(text.lastIndexOf('-') + 1)));

/** @throws NotFound, always the same one */
export function notHere(): NotFound {
  return new NotFound('There is no such page.', { code: 'core.no_such_page' });
}

/**
 * A post of this forum that the caller sees.
 *
 * @throws NotFound for one that is not there, not for them, or of another forum
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

/** The same where nothing is asked of the post. */
export async function requirePostIn(ctx: Ctx, forum: ForumRow, id: Id): Promise<void> {
  requireHere(ctx, forum);
  const [found] = await ctx.model(ForumPost).search([
    ['id', '=', id],
    ['forum_id', '=', forum.id],
    ['active', 'in', [true, false]],
  ]);
  if (found === undefined) throw notHere();
}

/** Where a post is read, for going back to it. */
export async function placeOf(ctx: Ctx, forum: ForumRow, id: Id): Promise<string> {
  // Answers are called after their question, whose name is in the address anyway.
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
