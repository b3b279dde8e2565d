import type { Ctx, Id } from 'pergola';
import { looksLikeHtml } from 'pergola/kernel';
import { TITLE_SIZE } from '../constants.ts';
import { placeOf, postIn } from '../routes/params.ts';
import { forumPath } from '../routes/paths.ts';
import { Permissions } from '../services/permissions.ts';
import { tagNames } from '../services/tag-names.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';

/** Initial values of the writing form. */
export interface Draft {
  readonly question_name?: string;
  readonly content?: string;
  readonly question_tags?: string;
}
export interface Faults {
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** Form for writing a question or editing a post. */
export async function writePage(
  ctx: Ctx,
  forum: ForumRow,
  draft: Draft,
  faults: Faults,
  post: { id: Id; isAnswer: boolean } | null,
) {
  const { header, viewer } = await headerOf(ctx, forum, 'questions');
  const isNew = post === null;
  const isAnswer = post?.isAnswer ?? false;
  const { errors = {} } = faults;
  return {
    header,
    isNew,
    isAnswer,
    form: {
      action: isNew ? `${forumPath(forum)}/question/new` : `${forumPath(forum)}/post/${post.id}/save`,
      back: isNew ? forumPath(forum) : await placeOf(ctx, forum, post.id),
      draft: isNew ? `forum.${forum.id}.ask` : `forum.post.${post.id}`,
      kind: isNew ? 'question' : isAnswer ? 'answer' : 'edit',
      forum: forum.id,
      title: draft.question_name ?? '',
      titleSize: TITLE_SIZE,
      similar: isNew ? `${forumPath(forum)}/similar` : null,
      tags: tagNames(draft.question_tags ?? ''),
      tagNeeds: viewer.has('karma_retag') ? null : forum.karma_retag,
      mayUseTools: viewer.has('karma_editor'),
      errors: { title: errors.question_name ?? errors.name, tags: errors.question_tags },
    },
    values: draft,
    errors,
    message: faults.message,
    forum: { karmaPost: forum.karma_post },
    mayAsk: viewer.has('karma_ask'),
    waits: isNew && !viewer.has('karma_post'),
    seo: { title: isNew ? t(ctx, 'Ask a question') : t(ctx, 'Edit'), noindex: true },
  };
}

/** Prepares a post for the plain text field, where text outside of HTML elements would be parsed as Markdown. */
function asTyped(html: string): string {
  return html === '' || looksLikeHtml(html) ? html : `<div>${html}</div>`;
}

/**
 * A post for its edit form.
 *
 * @throws NotAllowed if the caller can't edit it
 */
export async function draftOf(ctx: Ctx, forum: ForumRow, id: Id) {
  const row = await postIn(ctx, forum, id, {
    name: true,
    content: true,
    parent_id: true,
    create_uid: true,
    tag_ids: { name: true },
  });
  const viewer = await ctx.get(Permissions).in(forum.id);
  viewer.assertMay('karma_edit_own', 'karma_edit_all', row.create_uid);
  return {
    isAnswer: row.parent_id !== null,
    draft: {
      question_name: row.name ?? '',
      content: asTyped(row.content ?? ''),
      question_tags: row.tag_ids.map(({ name }) => name).join(', '),
    },
  };
}
