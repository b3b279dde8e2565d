import type { IdRange, SitemapEntry } from '@pergola/website';
import { type Ctx, redirect, reply, route, z } from 'pergola';
import { ForumPost } from '../models/forum-post.ts';
import { questionPage } from '../pages/question.ts';
import { forumParam, idParam, notHere, pageQuery, placeOf, postIn, questionParam } from './params.ts';
import { forumPath, questionPath } from './paths.ts';

const params = { forum: forumParam, question: questionParam };

async function addresses(ctx: Ctx, ids: IdRange): Promise<SitemapEntry[]> {
  const rows = await ctx
    .model(ForumPost)
    .find([...ids, ['parent_id', '=', null], ['website_visible', '=', true], ['forum_id.active', '=', true]], {
      select: { name: true, last_activity_date: true, forum_id: { name: true, website_id: true } },
    });
  const site = ctx.attributes.website?.id ?? null;
  return rows.flatMap(({ forum_id, ...row }) =>
    forum_id && (forum_id.website_id === null || forum_id.website_id === site)
      ? [{ path: questionPath(forum_id, row), lastmod: row.last_activity_date }]
      : [],
  );
}

const page = route.page(
  '/forum/:forum/question/:question',
  {
    name: 'forum.question',
    params,
    query: z.object({ page: pageQuery }),
    sitemap: { model: ForumPost, entries: addresses },
  },
  async ({ ctx, params: { forum, question }, query, render, url }) => {
    if (question.forum_id !== forum.id) throw notHere();
    if (question.parent_id !== null) return redirect(url(await placeOf(ctx, forum, question.id)), 301);
    return render('forum.question', await questionPage(ctx, forum, question, query.page));
  },
);

/** Redirects to the edit form of the caller's answer. */
const editAnswer = route.page(
  '/forum/:forum/question/:id/edit_answer',
  { name: 'forum.edit_answer', auth: 'user', params: { forum: forumParam, id: idParam } },
  async ({ ctx, params: { forum, id }, url }) => {
    const question = await postIn(ctx, forum, id, { name: true });
    const [answerId] = await ctx.model(ForumPost).search([
      ['parent_id', '=', question.id],
      ['create_uid', '=', ctx.user.id],
    ]);
    return redirect(
      url(answerId === undefined ? questionPath(forum, question) : `${forumPath(forum)}/post/${answerId}/edit`),
    );
  },
);

/** Reports a view from the browser. Bots without JavaScript aren't counted, and each visitor counts once in half an hour. */
const trackView = route.http(
  '/forum/:forum/question/:id/seen',
  {
    name: 'forum.seen',
    method: 'POST',
    writes: true,
    beacon: true,
    body: 'none',
    params: { forum: forumParam, id: idParam },
    rate: [{ calls: 300, seconds: 600 }],
  },
  async ({ ctx, params: { id } }) => {
    await ctx.model(ForumPost).trackView([id]);
    return reply.empty();
  },
);

export const questionRoutes = [page, editAnswer, trackView];
