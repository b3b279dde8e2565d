import { type Ctx, type Id, type PageInput, redirect, route, z } from '#core';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostReason } from '../models/forum-post-reason.ts';
import { forumPath, questionPath } from './paths.ts';
import { requireFor } from '../services/permissions.ts';
import { authorsOf } from '../services/authors.ts';
import { type ForumRow, headerOf } from '../pages/header.ts';
import { pagerFor } from '../pages/pager.ts';
import { forumParam, idParam, notHere, placeOf, postIn } from './params.ts';

const withQuestion = { forum: forumParam, question: idParam };
const withPost = { forum: forumParam, post: idParam };
const nothing = z.object({});

async function reasonPage(ctx: Ctx, forum: ForumRow, id: Id, type: 'basic' | 'offensive') {
  const post = await postIn(ctx, forum, id, { name: true, create_uid: true, parent_id: { name: true } });
  const { header, viewer } = await headerOf(ctx, forum, type === 'basic' ? 'questions' : 'queue');
  if (type === 'basic') requireFor(viewer, 'karma_close_own', 'karma_close_all', post.create_uid);
  else requireFor(viewer, 'karma_moderate', 'karma_moderate', null);
  return {
    header,
    isClosing: type === 'basic',
    name: post.name ?? post.parent_id?.name ?? '',
    action:
      type === 'basic'
        ? `${forumPath(forum)}/question/${id}/close`
        : `${forumPath(forum)}/post/${id}/mark_as_offensive`,
    back: await placeOf(ctx, forum, id),
    reasons: await ctx.model(ForumPostReason).find([['reason_type', '=', type]], { select: { name: true } }),
    seo: { title: type === 'basic' ? ctx.t('Close this question') : ctx.t('Mark as offensive'), noindex: true },
  };
}

const askForClose = route.page(
  '/forum/:forum/question/:question/ask_for_close',
  { name: 'forum.ask_for_close', auth: 'user', params: withQuestion },
  async ({ ctx, params: { forum, question }, render }) =>
    render('forum.reason', await reasonPage(ctx, forum, question, 'basic')),
);
/** In Odoo the page is asked for by POST. */
const askForClosePost = route.form(
  '/forum/:forum/question/:question/ask_for_close',
  { name: 'forum.ask_for_close_post', auth: 'user', params: withQuestion, body: nothing },
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
  { name: 'forum.close', auth: 'user', params: withQuestion, writes: true, body: reason },
  async ({ ctx, params: { forum, question }, body, url }) => {
    await postIn(ctx, forum, question, { name: true });
    await ctx.model(ForumPost).close([question], body.reason_id);
    return redirect(url(await placeOf(ctx, forum, question)));
  },
);

const offensive = route.form(
  '/forum/:forum/post/:post/mark_as_offensive',
  { name: 'forum.offensive', auth: 'user', params: withPost, writes: true, body: reason },
  async ({ ctx, params: { forum, post }, body, url }) => {
    await postIn(ctx, forum, post, { name: true });
    await ctx.model(ForumPost).markAsOffensive([post], body.reason_id);
    return redirect(url(`${forumPath(forum)}/flagged_queue`));
  },
);

type Act = (posts: ForumPost, id: Id) => Promise<unknown>;

/** A form that does one thing with a question and goes back to it. */
function onQuestion(name: string, act: Act) {
  return route.form(
    `/forum/:forum/question/:question/${name}`,
    { name: `forum.${name}`, auth: 'user', params: withQuestion, writes: true, body: nothing },
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
  onQuestion('delete', (posts, id) => posts.write(id, { active: false })),
  onQuestion('undelete', (posts, id) => posts.write(id, { active: true })),
];

/** Deletes an answer, and goes back to its question. */
const deleteAnswer = route.form(
  '/forum/:forum/post/:post/delete',
  { name: 'forum.delete_post', auth: 'user', params: withPost, writes: true, body: nothing },
  async ({ ctx, params: { forum, post }, url }) => {
    const { parent_id } = await postIn(ctx, forum, post, { parent_id: { name: true } });
    if (parent_id) await ctx.model(ForumPost).unlink(post);
    else await ctx.model(ForumPost).write(post, { active: false });
    return redirect(url(parent_id ? questionPath(forum, parent_id) : await placeOf(ctx, forum, post)));
  },
);

/** What a queue holds, who may look at it, and what is shown above it. */
const queues = {
  validation_queue: { states: ['pending'], needs: 'karma_post', active: [true] },
  flagged_queue: { states: ['flagged'], needs: 'karma_moderate', active: [true] },
  offensive_posts: { states: ['offensive'], needs: 'karma_moderate', active: [true, false] },
  closed_posts: { states: ['close'], needs: 'karma_moderate', active: [true] },
  deleted_posts: { states: ['active', 'close', 'flagged'], needs: 'karma_moderate', active: [false] },
} as const;
type QueueName = keyof typeof queues;
const names = Object.keys(queues) as QueueName[];
const SIZE = 20;

function queueLabel(ctx: Ctx, name: QueueName): string {
  switch (name) {
    case 'validation_queue':
      return ctx.t('To validate');
    case 'flagged_queue':
      return ctx.t('Flagged posts');
    case 'offensive_posts':
      return ctx.t('Offensive posts');
    case 'closed_posts':
      return ctx.t('Closed questions');
    case 'deleted_posts':
      return ctx.t('Deleted posts');
  }
}

type QueueInput = Pick<PageInput<unknown, undefined>, 'ctx' | 'render'>;

async function queuePage({ ctx, render }: QueueInput, forum: ForumRow, name: QueueName, page: number) {
  const { header, viewer } = await headerOf(ctx, forum, 'queue');
  const { states: wanted, needs, active } = queues[name];
  // To those who may not look there is nothing here.
  if (viewer.userId === null || !viewer.has(needs)) throw notHere();
  const posts = ctx.model(ForumPost);
  const domain = [
    ['forum_id', '=', forum.id],
    ['state', 'in', wanted],
    ['active', 'in', active],
  ] as const;
  const count = await posts.count(domain);
  const rows = await posts.find(domain, {
    select: {
      name: true,
      content: true,
      create_date: true,
      create_uid: true,
      parent_id: { name: true },
      flag_user_id: true,
      closed_uid: true,
      closed_reason_id: { name: true },
      vote_count: true,
    },
    order: name === 'validation_queue' || name === 'flagged_queue' ? 'create_date, id' : 'write_date desc, id desc',
    limit: SIZE,
    offset: (page - 1) * SIZE,
  });
  const author = await authorsOf(
    ctx,
    forum,
    rows.flatMap((row) => [row.create_uid ?? 0, row.flag_user_id ?? 0, row.closed_uid ?? 0]),
  );
  const base = forumPath(forum);
  const counts = [];
  for (const queue of names.filter((one) => viewer.has(queues[one].needs))) {
    const about = queues[queue];
    counts.push({
      href: `${base}/${queue}`,
      label: queueLabel(ctx, queue),
      active: queue === name,
      count: await posts.count([
        ['forum_id', '=', forum.id],
        ['state', 'in', about.states],
        ['active', 'in', about.active],
      ]),
    });
  }
  return render('forum.queue', {
    header,
    name,
    label: queueLabel(ctx, name),
    queues: counts,
    canModerate: viewer.has('karma_moderate'),
    isWaiting: name === 'validation_queue',
    isFlagged: name === 'flagged_queue',
    isOffensive: name === 'offensive_posts',
    isDeleted: name === 'deleted_posts',
    isClosed: name === 'closed_posts',
    posts: rows.map((row) => ({
      ...row,
      title: row.name ?? row.parent_id?.name ?? '',
      isAnswer: row.parent_id !== null,
      path: row.parent_id ? `${questionPath(forum, row.parent_id)}#answer-${row.id}` : questionPath(forum, row),
      base: `${base}/post/${row.id}`,
      questionBase: `${base}/question/${row.id}`,
      author: author(row.create_uid),
      flagger: row.flag_user_id === null ? null : author(row.flag_user_id),
      closer: row.closed_uid === null ? null : author(row.closed_uid),
    })),
    pager: pagerFor(page, count, SIZE, (number) => `${base}/${name}?page=${number}`),
    seo: { title: queueLabel(ctx, name), noindex: true },
  });
}

const pages = names.map((name) =>
  route.page(
    `/forum/:forum/${name}`,
    {
      name: `forum.${name}`,
      auth: 'user',
      params: { forum: forumParam },
      query: z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1).catch(1) }),
    },
    (input) => queuePage(input, input.params.forum, name, input.query.page),
  ),
);

/** Decisions on posts of the queues: as calls for the keyboard, as forms for everybody. */
const decisions = (
  [
    ['validate', (posts: ForumPost, id: Id) => posts.approve([id])],
    ['refuse', (posts: ForumPost, id: Id) => posts.refuse([id])],
  ] as const
).flatMap(([name, act]) => [
  route.rpc(
    `/forum/:forum/post/:post/${name}`,
    { name: `forum.${name}`, auth: 'user', params: withPost, writes: true },
    async ({ ctx, params: { forum, post } }) => {
      await postIn(ctx, forum, post, { name: true });
      return act(ctx.model(ForumPost), post);
    },
  ),
  route.form(
    `/forum/:forum/post/:post/${name}/form`,
    {
      name: `forum.${name}_form`,
      auth: 'user',
      params: withPost,
      writes: true,
      body: z.object({ redirect: z.string().default('') }),
    },
    async ({ ctx, params: { forum, post }, body, url }) => {
      await postIn(ctx, forum, post, { name: true });
      await act(ctx.model(ForumPost), post);
      return redirect(body.redirect || url(`${forumPath(forum)}/validation_queue`));
    },
  ),
]);

export const moderationRoutes = [
  [askForClose, askForClosePost, askForOffensive, close, offensive, deleteAnswer],
  states,
  pages,
  decisions,
];
