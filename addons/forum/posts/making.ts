import { type Ctx, type FieldsOf, type Id, InvalidInput, NotAllowed, type Values } from '#core';
import { HOURLY } from '../constants.ts';
import { ForumKarma } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { hasAnswered } from './comments.ts';
import { isBlank, missing, requireEditorKarma } from '../services/html-text.ts';
import { requireHourly } from '../services/hourly-limits.ts';
import { announceAnswer, announceQuestion, followOwn } from '../services/notifications.ts';
import { requireFor, requireKarma, requireUser, type Viewer, viewerOf } from '../services/permissions.ts';

type PostValues = Values<FieldsOf<ForumPost>>;

/** What people say of a post they make; everything else follows from it. */
const given = new Set(['name', 'content', 'tag_ids', 'forum_id', 'parent_id']);

/**
 * The values of a new post of the caller, with what follows for it: whether it waits for a moderator, and whether it is shown.
 *
 * @throws NotAllowed for too little karma, InvalidInput for what is missing, TooMany
 */
export async function newPost(ctx: Ctx, values: PostValues): Promise<PostValues> {
  const user = requireUser(ctx);
  const other = Object.entries(values).find(
    ([name, value]) => !given.has(name) && value !== undefined && value !== true,
  );
  if (other)
    throw new NotAllowed('“{field}” of a post is kept by itself.', { code: 'forum.kept', params: { field: other[0] } });
  const { name, content, tag_ids, forum_id: forum, parent_id } = values;
  if (!forum) throw new InvalidInput('A post belongs to a forum.', { code: 'forum.no_forum' });
  const viewer = await viewerOf(ctx, forum);
  requireEditorKarma(content, null, viewer.has('karma_editor'));
  const isAnswer = Boolean(parent_id);
  const made = isAnswer
    ? await newAnswer(ctx, viewer, user, parent_id ?? 0)
    : await newQuestion(ctx, viewer, name ?? null);
  return {
    ...(isAnswer ? {} : { name, tag_ids }),
    content,
    forum_id: forum,
    parent_id: parent_id ?? null,
    ...made,
    author_hidden: viewer.karma <= 0 && !viewer.manages,
  };
}

async function newQuestion(ctx: Ctx, viewer: Viewer, name: unknown): Promise<PostValues> {
  requireKarma(viewer, 'karma_ask');
  if (typeof name !== 'string' || name.trim() === '') throw missing('name', 'A question needs a title.');
  await requireHourly(
    ctx,
    'forum.post',
    [
      ['parent_id', '=', null],
      ['active', 'in', [true, false]],
    ],
    HOURLY.questions,
  );
  return { state: viewer.has('karma_post') ? 'active' : 'pending' };
}

async function newAnswer(ctx: Ctx, viewer: Viewer, user: Id, question: Id): Promise<PostValues> {
  requireKarma(viewer, 'karma_answer');
  await requireHourly(
    ctx,
    'forum.post',
    [
      ['parent_id', '!=', null],
      ['active', 'in', [true, false]],
    ],
    HOURLY.answers,
  );
  await ctx.lock(ForumPost, [question]);
  // The caller sees the question: links to what they do not see are refused before this.
  const row = await ctx
    .sudo()
    .model(ForumPost)
    .first(
      [
        ['id', '=', question],
        ['active', 'in', [true, false]],
      ],
      {
        select: { forum_id: true, parent_id: true, state: true, active: true },
      },
    );
  if (!row || row.parent_id !== null || row.forum_id !== viewer.forum) {
    throw new InvalidInput('There is no such question in this forum.', { code: 'forum.no_question' });
  }
  if (!row.active || row.state !== 'active') {
    throw new InvalidInput('This question is closed: it takes no more answers.', { code: 'forum.question_closed' });
  }
  if (await hasAnswered(ctx, question, user)) {
    throw new InvalidInput('You have answered this question already. Edit your answer to add to it.', {
      code: 'forum.answered_already',
    });
  }
  return { state: 'active' };
}

/** What follows once posts are made: karma for asking, followers, mails, activity of the question. */
export async function afterMaking(ctx: Ctx, ids: readonly Id[]): Promise<void> {
  const posts = ctx.sudo().model(ForumPost);
  const rows = await posts.read(ids, { select: { create_uid: true, parent_id: true, state: true, forum_id: true } });
  for (const { id, create_uid: author, parent_id: question, state, forum_id: forum } of rows) {
    await followOwn(ctx, id, author);
    if (question !== null) {
      await followOwn(ctx, question, author);
      await announceAnswer(ctx, id);
      await posts.write(question, { last_activity_date: new Date(ctx.now()) });
    } else if (state === 'active') {
      const { table } = await viewerOf(ctx, forum);
      const amount = table.karma_gen_question_new;
      await ctx
        .sudo()
        .model(ForumKarma)
        .move([{ user_id: author, amount, reason: 'asked', post_id: id, forum_id: forum }]);
      await announceQuestion(ctx, id);
    }
  }
}

/** What of a post may be changed by people, with the karma it takes. */
export async function checkChange(ctx: Ctx, ids: readonly Id[], values: PostValues): Promise<void> {
  requireUser(ctx);
  const names = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const other = names.find((name) => !['name', 'content', 'tag_ids', 'active'].includes(name));
  if (other)
    throw new NotAllowed('“{field}” of a post is kept by itself.', { code: 'forum.kept', params: { field: other } });
  const rows = await ctx
    .sudo()
    .model(ForumPost)
    .read(ids, { select: { forum_id: true, create_uid: true, content: true, parent_id: true, state: true } });
  for (const { forum_id, create_uid: author, content, parent_id, state } of rows) {
    const viewer = await viewerOf(ctx, forum_id);
    if ('active' in values) {
      requireFor(viewer, 'karma_unlink_own', 'karma_unlink_all', author);
      if (state === 'offensive' || state === 'pending') requireKarma(viewer, 'karma_moderate');
    }
    if (names.some((name) => name !== 'active')) requireFor(viewer, 'karma_edit_own', 'karma_edit_all', author);
    requireEditorKarma(values.content, content, viewer.has('karma_editor'));
    if (parent_id === null && 'name' in values && !String(values.name ?? '').trim())
      throw missing('name', 'A question needs a title.');
    if ('content' in values && isBlank(values.content as string | null)) throw missing('content', 'Write something.');
  }
}
