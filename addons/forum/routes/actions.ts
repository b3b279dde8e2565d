import { type Ctx, type Id, InvalidInput, NotAllowed, redirect, route, z } from '#core';
import { TEXTS } from '../constants.ts';
import { ForumNotification } from '../models/forum-notification.ts';
import { ForumPost } from '../models/forum-post.ts';
import type { ForumRow } from '../pages/header.ts';
import { forumParam, idParam, placeOf, postIn, recordId, requirePostIn } from './params.ts';
import { forumPath } from './paths.ts';

const withPost = { forum: forumParam, post: idParam };
const withQuestion = { forum: forumParam, question: idParam };
const withComment = { ...withPost, message: idParam };
const nothing = z.object({});

/** A post of the forum in the path; the caller has to see it. */
async function posts(ctx: Ctx, forum: ForumRow, id: Id): Promise<ForumPost> {
  await requirePostIn(ctx, forum, id);
  return ctx.model(ForumPost);
}

/** The refusals that a call answers and a form has to say. */
function refusal(error: 'own_post' | 'anonymous_user'): NotAllowed {
  return new NotAllowed(error === 'own_post' ? TEXTS.ownPost : TEXTS.anonymousVote, { code: `forum.${error}` });
}

const votes = (
  [
    ['upvote', true],
    ['downvote', false],
  ] as const
).flatMap(([name, up]) => [
  route.rpc(
    `/forum/:forum/post/:post/${name}`,
    { name: `forum.${name}`, params: withPost, writes: true },
    async ({ ctx, params: { forum, post } }) => (await posts(ctx, forum, post)).vote([post], up),
  ),
  route.form(
    `/forum/:forum/post/:post/${name}/form`,
    { name: `forum.${name}_form`, auth: 'user', params: withPost, writes: true, body: nothing },
    async ({ ctx, params: { forum, post }, url }) => {
      const answer = await (await posts(ctx, forum, post)).vote([post], up);
      if ('error' in answer) throw refusal(answer.error);
      return redirect(url(await placeOf(ctx, forum, post)));
    },
  ),
]);

const correct = [
  route.rpc(
    '/forum/:forum/post/:post/toggle_correct',
    { name: 'forum.toggle_correct', params: withPost, writes: true },
    async ({ ctx, params: { forum, post } }) => (await posts(ctx, forum, post)).toggleCorrect([post]),
  ),
  route.form(
    '/forum/:forum/post/:post/toggle_correct/form',
    { name: 'forum.toggle_correct_form', auth: 'user', params: withPost, writes: true, body: nothing },
    async ({ ctx, params: { forum, post }, url }) => {
      await (await posts(ctx, forum, post)).toggleCorrect([post]);
      return redirect(url(await placeOf(ctx, forum, post)));
    },
  ),
];

const favourite = [
  route.rpc(
    '/forum/:forum/question/:question/toggle_favourite',
    { name: 'forum.toggle_favourite', auth: 'user', params: withQuestion, writes: true },
    async ({ ctx, params: { forum, question } }) => (await posts(ctx, forum, question)).toggleFavourite([question]),
  ),
  route.form(
    '/forum/:forum/question/:question/toggle_favourite/form',
    { name: 'forum.toggle_favourite_form', auth: 'user', params: withQuestion, writes: true, body: nothing },
    async ({ ctx, params: { forum, question }, url }) => {
      await (await posts(ctx, forum, question)).toggleFavourite([question]);
      return redirect(url(await placeOf(ctx, forum, question)));
    },
  ),
];

const flag = [
  route.rpc(
    '/forum/:forum/post/:post/flag',
    { name: 'forum.flag', params: withPost, writes: true },
    async ({ ctx, params: { forum, post } }) => (await posts(ctx, forum, post)).flag([post]),
  ),
  route.form(
    '/forum/:forum/post/:post/flag/form',
    { name: 'forum.flag_form', auth: 'user', params: withPost, writes: true, body: nothing },
    async ({ ctx, params: { forum, post }, url }) => {
      const answer = await (await posts(ctx, forum, post)).flag([post]);
      if ('error' in answer) throw new InvalidInput('This post cannot be flagged.', { code: `forum.${answer.error}` });
      return redirect(url(forumPath(forum)));
    },
  ),
];

const comments = [
  route.rpc(
    '/forum/:forum/post/:post/comment/:message/delete',
    { name: 'forum.comment_delete', auth: 'user', params: withComment, writes: true },
    async ({ ctx, params: { forum, post, message } }) => (await posts(ctx, forum, post)).deleteComment([post], message),
  ),
  route.form(
    '/forum/:forum/post/:post/comment/:message/delete/form',
    { name: 'forum.comment_delete_form', auth: 'user', params: withComment, writes: true, body: nothing },
    async ({ ctx, params: { forum, post, message }, url }) => {
      await (await posts(ctx, forum, post)).deleteComment([post], message);
      return redirect(url(await placeOf(ctx, forum, post)));
    },
  ),
  route.form(
    '/forum/:forum/post/:post/comment/:message/convert_to_answer',
    { name: 'forum.comment_convert', auth: 'user', params: withComment, writes: true, body: nothing },
    async ({ ctx, params: { forum, post, message }, url }) => {
      const made = await (await posts(ctx, forum, post)).convertCommentToAnswer([post], message);
      return redirect(url(made === false ? forumPath(forum) : await placeOf(ctx, forum, made)));
    },
  ),
  route.form(
    '/forum/:forum/post/:post/convert_to_comment',
    { name: 'forum.convert', auth: 'user', params: withPost, writes: true, body: nothing },
    async ({ ctx, params: { forum, post }, url }) => {
      const { parent_id: question } = await postIn(ctx, forum, post, { parent_id: true });
      const made = await ctx.model(ForumPost).convertToComment([post]);
      return redirect(
        url(made === false || question === null ? forumPath(forum) : await placeOf(ctx, forum, question)),
      );
    },
  ),
];

const bump = route.form(
  '/forum/:forum/question/:question/bump',
  { name: 'forum.bump', auth: 'user', params: withQuestion, writes: true, body: nothing },
  async ({ ctx, params: { forum, question }, url }) => {
    await (await posts(ctx, forum, question)).bump([question]);
    return redirect(url(await placeOf(ctx, forum, question)));
  },
);

const read = [
  route.rpc(
    '/forum/notification_read',
    {
      name: 'forum.notification_read',
      auth: 'user',
      writes: true,
      input: z.object({ notification_id: recordId }),
    },
    async ({ ctx, input }) => {
      await ctx.model(ForumNotification).markRead([input.notification_id]);
      return true;
    },
  ),
  route.form(
    '/forum/notification_read/form',
    {
      name: 'forum.notification_read_form',
      auth: 'user',
      writes: true,
      body: z.object({ notification_id: recordId.optional(), redirect: z.string().default('/forum') }),
    },
    async ({ ctx, body }) => {
      const model = ctx.model(ForumNotification);
      await model.markRead(body.notification_id === undefined ? await model.unread(1_000) : [body.notification_id]);
      return redirect(body.redirect);
    },
  ),
];

export const actionRoutes = [votes, correct, favourite, flag, comments, [bump], read];
