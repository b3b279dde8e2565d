import { action, type Ctx, type Id, redirect, route, z } from 'pergola';
import type { FormQuestion } from 'pergola/http';
import { ForumPost } from '../models/forum-post.ts';
import { queueNames, queuePage } from '../pages/queue.ts';
import { reasonPage } from '../pages/reason.ts';
import { t } from '../texts.ts';
import { forumParam, idParam, notHere, pageQuery, placeOf, postIn, requirePostIn } from './params.ts';
import { forumPath, questionPath } from './paths.ts';

const withQuestion = { forum: forumParam, question: idParam };
const withPost = { forum: forumParam, post: idParam };
const emptyBody = z.object({});
const backTo = z.object({ redirect: z.string().default('') });

const askForClose = route.page(
  '/forum/:forum/question/:question/ask_for_close',
  { name: 'forum.ask_for_close', auth: 'user', params: withQuestion },
  async ({ ctx, params: { forum, question }, render }) =>
    render('forum.reason', await reasonPage(ctx, forum, question, 'basic')),
);
/** Odoo requests the page by POST. */
const askForClosePost = route.form(
  '/forum/:forum/question/:question/ask_for_close',
  { name: 'forum.ask_for_close_post', auth: 'user', params: withQuestion, body: emptyBody },
  ({ params: { forum, question }, url }) => redirect(url(`${forumPath(forum)}/question/${question}/ask_for_close`)),
);
const askForOffensive = route.page(
  '/forum/:forum/post/:post/ask_for_mark_as_offensive',
  { name: 'forum.ask_for_offensive', auth: 'user', params: withPost },
  async ({ ctx, params: { forum, post }, render }) =>
    render('forum.reason', await reasonPage(ctx, forum, post, 'offensive')),
);

const reason = z.object({ reason_id: z.coerce.number().int().positive('Choose a reason.') });

const close = route.form(
  '/forum/:forum/question/:question/close',
  {
    name: 'forum.close',
    auth: 'user',
    page: '/forum/:forum/question/:question/ask_for_close',
    params: withQuestion,
    writes: true,
    body: reason,
  },
  async ({ ctx, params: { forum, question }, body, url }) => {
    await requirePostIn(ctx, forum, question);
    await ctx.model(ForumPost).close([question], body.reason_id);
    return redirect(url(await placeOf(ctx, forum, question)));
  },
);

const offensive = route.form(
  '/forum/:forum/post/:post/mark_as_offensive',
  {
    name: 'forum.offensive',
    auth: 'user',
    page: '/forum/:forum/post/:post/ask_for_mark_as_offensive',
    params: withPost,
    writes: true,
    body: reason,
  },
  async ({ ctx, params: { forum, post }, body, url }) => {
    await requirePostIn(ctx, forum, post);
    await ctx.model(ForumPost).markAsOffensive([post], body.reason_id);
    return redirect(url(`${forumPath(forum)}/flagged_queue`));
  },
);

type Act = (posts: ForumPost, id: Id) => Promise<unknown>;

/** A form that runs one action on a question and redirects back to it. */
function onQuestion(name: string, act: Act, confirm?: (ctx: Ctx) => FormQuestion) {
  return route.form(
    `/forum/:forum/question/:question/${name}`,
    {
      name: `forum.${name}`,
      auth: 'user',
      page: '/forum/:forum/question/:question',
      params: withQuestion,
      writes: true,
      body: emptyBody,
      ...(confirm && { confirm }),
    },
    async ({ ctx, params: { forum, question }, url }) => {
      const { parent_id } = await postIn(ctx, forum, question, { parent_id: true });
      if (parent_id !== null) throw notHere();
      await act(ctx.model(ForumPost), question);
      return redirect(url(await placeOf(ctx, forum, question)));
    },
  );
}

const states = [
  onQuestion('reopen', (posts, id) => posts.reopen([id])),
  onQuestion(
    'delete',
    (posts, id) => posts.write(id, { active: false }),
    (ctx) => ({ question: t(ctx, 'Delete this question? You can restore it later.'), yes: t(ctx, 'Delete') }),
  ),
  onQuestion('undelete', (posts, id) => posts.write(id, { active: true })),
];

/** Deletes an answer, and redirects to its question. */
const deleteAnswer = route.form(
  '/forum/:forum/post/:post/delete',
  {
    name: 'forum.delete_post',
    page: '/forum/:forum/question/:post',
    auth: 'user',
    params: withPost,
    writes: true,
    body: emptyBody,
    confirm: (ctx) => ({ question: t(ctx, 'Delete this answer for good?'), yes: t(ctx, 'Delete') }),
  },
  async ({ ctx, params: { forum, post }, url }) => {
    const { parent_id } = await postIn(ctx, forum, post, { parent_id: { name: true } });
    if (parent_id) await ctx.model(ForumPost).unlink(post);
    else await ctx.model(ForumPost).write(post, { active: false });
    return redirect(url(parent_id ? questionPath(forum, parent_id) : await placeOf(ctx, forum, post)));
  },
);

const pages = queueNames.map((name) =>
  route.page(
    `/forum/:forum/${name}`,
    {
      name: `forum.${name}`,
      auth: 'user',
      params: { forum: forumParam },
      query: z.object({ page: pageQuery }),
    },
    async ({ ctx, params: { forum }, query, render }) =>
      render('forum.queue', await queuePage(ctx, forum, name, query.page)),
  ),
);

/** Approves a post, from a queue or from its page. */
export const validate = action(
  '/forum/:forum/post/:post/validate',
  {
    name: 'forum.validate',
    auth: 'user',
    params: withPost,
    input: backTo,
    form: { page: '/forum/:forum/question/:post' },
  },
  async ({ ctx, params: { forum, post } }) => {
    await requirePostIn(ctx, forum, post);
    return ctx.model(ForumPost).approve([post]);
  },
  ({ params: { forum }, input, url }) => input.redirect || url(`${forumPath(forum)}/validation_queue`),
);

export const refuse = action(
  '/forum/:forum/post/:post/refuse',
  {
    name: 'forum.refuse',
    auth: 'user',
    params: withPost,
    input: backTo,
    form: { page: '/forum/:forum/question/:post' },
  },
  async ({ ctx, params: { forum, post } }) => {
    await requirePostIn(ctx, forum, post);
    return ctx.model(ForumPost).refuse([post]);
  },
  ({ params: { forum }, input, url }) => input.redirect || url(`${forumPath(forum)}/validation_queue`),
);

export const moderationRoutes = [
  [askForClose, askForClosePost, askForOffensive, close, offensive, deleteAnswer],
  states,
  pages,
  [validate, refuse],
];
