import type { Ctx, Id } from '#core';
import { TITLE_SIZE } from '../constants.ts';
import { placeOf, postIn } from '../routes/params.ts';
import { forumPath } from '../routes/paths.ts';
import { Permissions } from '../services/permissions.ts';
import { type ForumRow, headerOf } from './header.ts';

/** What the form to write a question shows. */
export interface Draft {
  readonly question_name?: string;
  readonly content?: string;
  readonly question_tags?: string;
}
export interface Faults {
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** The form to write a question, or to change a post. */
export async function writePage(
  ctx: Ctx,
  forum: ForumRow,
  draft: Draft,
  faults: Faults,
  post: { id: Id; isAnswer: boolean } | null,
) {
  const { header, viewer } = await headerOf(ctx, forum, 'questions');
  const isNew = post === null;
  return {
    header,
    isNew,
    isAnswer: post?.isAnswer ?? false,
    action: isNew ? `${forumPath(forum)}/question/new` : `${forumPath(forum)}/post/${post.id}/save`,
    back: isNew ? forumPath(forum) : await placeOf(ctx, forum, post.id),
    draftKey: isNew ? `forum.${forum.id}.ask` : `forum.post.${post.id}`,
    similarUrl: `${forumPath(forum)}/similar`,
    titleSize: TITLE_SIZE,
    values: draft,
    errors: {},
    ...faults,
    forum: {
      id: forum.id,
      karmaEditor: forum.karma_editor,
      karmaRetag: forum.karma_retag,
      karmaPost: forum.karma_post,
    },
    mayEditorTools: viewer.has('karma_editor'),
    mayRetag: viewer.has('karma_retag'),
    mayAsk: viewer.has('karma_ask'),
    waits: isNew && !viewer.has('karma_post'),
    seo: { title: isNew ? ctx.t('Ask a question') : ctx.t('Edit'), noindex: true },
  };
}

/** A post as its form begins with it. Throws NotAllowed for those who may not change it. */
export async function draftOf(ctx: Ctx, forum: ForumRow, id: Id) {
  const row = await postIn(ctx, forum, id, {
    name: true,
    content: true,
    parent_id: true,
    create_uid: true,
    tag_ids: { name: true },
  });
  const viewer = await ctx.get(Permissions).in(forum.id);
  viewer.requireFor('karma_edit_own', 'karma_edit_all', row.create_uid);
  return {
    isAnswer: row.parent_id !== null,
    draft: {
      question_name: row.name ?? '',
      content: row.content ?? '',
      question_tags: row.tag_ids.map(({ name }) => name).join(', '),
    },
  };
}
