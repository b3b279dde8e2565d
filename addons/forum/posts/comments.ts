import { User } from '#addons/base';
import { Message } from '#addons/mail';
import { type Ctx, type Id, InvalidInput, sanitizeHtml, TooMany } from '#core';
import { HOURLY } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumUser } from '../models/res-users.ts';
import { htmlFromTyped } from '../services/markdown.ts';
import { takeBackAcceptance } from './accepting.ts';
import { isBlank, requireEditorKarma } from '../services/html-text.ts';
import { lockAuthor } from '../services/hourly-limits.ts';
import { followOwn, tell } from '../services/notifications.ts';
import { karmaNeeded, MANAGERS, requireFor, requireUser, viewerOf } from '../services/permissions.ts';

const HOUR = 3_600_000;

/** A post the caller sees, for what is said on it; null when they do not. */
async function postOf(ctx: Ctx, id: Id) {
  const [visible] = await ctx.model(ForumPost).allowed([id], 'read');
  if (visible === undefined) return null;
  // Comments hang on a post the caller sees.
  return ctx
    .sudo()
    .model(ForumPost)
    .get(id, {
      select: {
        forum_id: true,
        parent_id: true,
        create_uid: true,
        create_date: true,
        state: true,
        active: true,
        content: true,
      },
    });
}

/** The user behind a contact, if there is one. */
async function userOf(ctx: Ctx, partner: Id | null): Promise<Id | null> {
  if (partner === null) return null;
  const [user] = await ctx
    .sudo()
    .model(User)
    .search([['partner_id', '=', partner]], { limit: 1 });
  return user ?? null;
}

/**
 * Says something on a post. Answers the comment's id.
 *
 * @throws NotAllowed for too little karma, InvalidInput for nothing
 */
export async function comment(ctx: Ctx, id: Id, body: string): Promise<Id> {
  const user = requireUser(ctx);
  const post = await postOf(ctx, id);
  if (!post) throw new InvalidInput('There is no such post.', { code: 'forum.no_post' });
  const viewer = await viewerOf(ctx, post.forum_id);
  requireFor(viewer, 'karma_comment_own', 'karma_comment_all', post.create_uid);
  const html = sanitizeHtml(htmlFromTyped(body), 'comment');
  if (isBlank(html)) {
    const message = 'Write something.';
    throw new InvalidInput(message, { code: 'forum.no_content', fields: { comment: message } });
  }
  requireEditorKarma(html, null, viewer.has('karma_editor'));
  if (!post.active || (post.state !== 'active' && post.state !== 'close'))
    throw new InvalidInput('Nothing more is said here.', { code: 'forum.post_closed' });
  await requireFewer(ctx);
  const [made] = await ctx.model(ForumPost).messagePost([id], { body: html, type: 'comment' });
  if (made === undefined) throw new InvalidInput('There is no such post.', { code: 'forum.no_post' });
  await tell(ctx, 'comment', id, post.create_uid);
  await followOwn(ctx, id, user);
  return made;
}

/** Counts the caller's comments of the last hour. Throws TooMany. */
async function requireFewer(ctx: Ctx): Promise<void> {
  await lockAuthor(ctx);
  if (ctx.su || ctx.has(MANAGERS)) return;
  const made = await ctx
    .sudo()
    .model(Message)
    .count([
      ['author_id', '=', ctx.user.partnerId],
      ['model', '=', 'forum.post'],
      ['type', '=', 'comment'],
      ['date', '>', new Date(ctx.now().getTime() - HOUR)],
    ]);
  if (made < HOURLY.comments) return;
  throw new TooMany('You have written a lot in the last hour. Please go on a little later.', {
    code: 'forum.hourly',
    retryAfter: 600,
  });
}

/** A comment of this post, with who wrote it; null when it is none. */
async function commentOf(ctx: Ctx, post: Id, message: Id) {
  // Messages are rows of their own; this one hangs on a post the caller sees.
  const row = await ctx
    .sudo()
    .model(Message)
    .first(
      [
        ['id', '=', message],
        ['model', '=', 'forum.post'],
        ['res_id', '=', post],
        ['type', 'in', ['comment', 'email']],
      ],
      { select: { author_id: true, body: true, date: true } },
    );
  return row && { ...row, user: await userOf(ctx, row.author_id) };
}

/** Deletes a comment; false when it is none of this post. */
export async function deleteComment(ctx: Ctx, id: Id, message: Id): Promise<boolean> {
  requireUser(ctx);
  const post = await postOf(ctx, id);
  const said = post && (await commentOf(ctx, id, message));
  if (!said) return false;
  const viewer = await viewerOf(ctx, post.forum_id);
  requireFor(viewer, 'karma_comment_unlink_own', 'karma_comment_unlink_all', said.user);
  await ctx.sudo().model(Message).unlink(message);
  return true;
}

/** Makes a comment on the question of an answer; what was said on the answer comes along. Answers the comment's id, false for a question. */
export async function convertToComment(ctx: Ctx, id: Id): Promise<Id | false> {
  requireUser(ctx);
  const post = await postOf(ctx, id);
  if (!post || post.parent_id === null) return false;
  const viewer = await viewerOf(ctx, post.forum_id);
  requireFor(viewer, 'karma_comment_convert_own', 'karma_comment_convert_all', post.create_uid);
  const system = ctx.sudo();
  await system.lock(ForumPost, [post.parent_id]);
  const [author] = await system
    .model(User)
    .read(post.create_uid === null ? [] : [post.create_uid], { select: { partner_id: true } });
  const messages = system.model(Message);
  const said = await messages.search([
    ['model', '=', 'forum.post'],
    ['res_id', '=', id],
    ['type', 'in', ['comment', 'email']],
  ]);
  // Nobody is told twice of what was an answer already: the row is made without a mail.
  const made = await messages.create({
    model: 'forum.post',
    res_id: post.parent_id,
    author_id: author?.partner_id ?? null,
    body: post.content,
    type: 'comment',
    date: post.create_date,
  });
  if (said.length > 0) await messages.write(said, { res_id: post.parent_id });
  await takeBackAcceptance(ctx, id, post.forum_id);
  await system.model(ForumPost).unlink(id);
  return made;
}

/**
 * Makes an answer of a comment on a question, in its author's name; false when the author is no user or has answered already.
 *
 * @throws NotAllowed for too little karma, the caller's or the author's
 */
export async function convertCommentToAnswer(ctx: Ctx, id: Id, message: Id): Promise<Id | false> {
  requireUser(ctx);
  const post = await postOf(ctx, id);
  const said = post && (await commentOf(ctx, id, message));
  if (!said) return false;
  const viewer = await viewerOf(ctx, post.forum_id);
  requireFor(viewer, 'karma_comment_convert_own', 'karma_comment_convert_all', said.user);
  const question = post.parent_id ?? post.id;
  const system = ctx.sudo();
  await system.lock(ForumPost, [question]);
  if (said.user === null || (await hasAnswered(ctx, question, said.user))) return false;
  await requireAnswerKarma(ctx, said.user, viewer.forum);
  const made = await system.model(ForumPost).create({
    forum_id: post.forum_id,
    parent_id: question,
    content: said.body,
    create_uid: said.user,
    create_date: said.date,
  } as never);
  await system.model(Message).unlink(message);
  return made;
}

/** Whether somebody has answered a question already. */
export async function hasAnswered(ctx: Ctx, question: Id, user: Id): Promise<boolean> {
  const answers = await ctx
    .sudo()
    .model(ForumPost)
    .count([
      ['parent_id', '=', question],
      ['create_uid', '=', user],
      ['active', 'in', [true, false]],
    ]);
  return answers > 0;
}

/** The answer is the author's: it takes their karma. Throws NotAllowed. */
async function requireAnswerKarma(ctx: Ctx, author: Id, forum: Id): Promise<void> {
  const row = await ctx
    .sudo()
    .model(ForumUser)
    .first([['id', '=', author]], { select: { karma: true } });
  const { table } = await viewerOf(ctx, forum);
  if ((row?.karma ?? 0) < table.karma_answer) throw karmaNeeded(table.karma_answer);
}
