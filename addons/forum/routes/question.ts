import { originOf, seoOf } from '#addons/website';
import { type Ctx, type Id, redirect, reply, route, z } from '#core';
import { PAGE } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { forumPath, questionPath } from './paths.ts';
import { plainText, teaser } from '../services/html-text.ts';
import type { Viewer } from '../services/permissions.ts';
import { type ForumRow, headerOf } from '../pages/header.ts';
import { similarTo } from '../services/questions.ts';
import { pagerFor } from '../pages/pager.ts';
import { questionPage } from '../pages/question.ts';
import { forumParam, idParam, notHere, placeOf, postIn, questionParam } from './params.ts';

const params = { forum: forumParam, question: questionParam };
const DAY = 86_400_000;

/** The addresses of questions that search engines should know: the newest, whose number is bounded because every new one has the list made anew. */
async function addresses(ctx: Ctx) {
  const rows = await ctx.model(ForumPost).find(
    [
      ['parent_id', '=', null],
      ['website_visible', '=', true],
      ['forum_id.active', '=', true],
    ],
    {
      select: { name: true, last_activity_date: true, forum_id: { name: true, website_id: true } },
      order: 'id desc',
      limit: 10_000,
    },
  );
  const site = ctx.facts.website?.id ?? null;
  return rows.flatMap(({ forum_id, ...row }) =>
    forum_id && (forum_id.website_id === null || forum_id.website_id === site)
      ? [{ path: questionPath(forum_id, row), lastmod: row.last_activity_date }]
      : [],
  );
}

/** An answer or a comment that was refused, with what is wrong: it stands in its form again. */
interface Refused {
  readonly message?: string;
  readonly content?: string;
  readonly comment?: { readonly post: Id; readonly text: string; readonly message: string };
}

/** Draws the page of a question. */
export async function drawQuestion(
  ctx: Ctx,
  forum: ForumRow,
  question: Parameters<typeof questionPage>[3],
  page: number,
  refused: Refused = {},
): Promise<object> {
  const { header, viewer } = await headerOf(ctx, forum, 'questions');
  const shown = await questionPage(ctx, forum, viewer, question, page);
  const path = questionPath(forum, question);
  const isHidden = !question.active || !['active', 'close'].includes(question.state);
  return {
    header,
    forum: {
      id: forum.id,
      path: forumPath(forum),
      share: forum.allow_share,
      karmaAnswer: forum.karma_answer,
      karmaEditor: forum.karma_editor,
    },
    isSignedIn: viewer.userId !== null,
    mayEditorTools: viewer.has('karma_editor'),
    ...shown,
    question: withComment(shown.question, refused),
    answers: shown.answers.map((answer) => withComment(answer, refused)),
    sentDrafts: sentDrafts(forum, viewer, shown),
    refused,
    // Where there is no form for an answer any more, what was written can still be taken along.
    lostText: shown.isOpen && !shown.hasAnswered ? '' : (refused.content ?? ''),
    address: originOf(ctx, ctx.facts.website) + path,
    canBump: canBump(ctx, forum, question) && viewer.userId !== null,
    similar: await similarTo(ctx, forum, question.name ?? '', question.id),
    pager: pagerFor(shown.page, shown.answerCount, PAGE.answers, (number) =>
      number === 1 ? path : `${path}?page=${number}`,
    ),
    seo: seoOf(
      {
        website_meta_title: null,
        website_meta_description: null,
        website_meta_keywords: null,
        website_meta_og_img: null,
      },
      {
        title: question.name,
        description: teaser(question.content, 160),
        type: 'article',
        noindex: isHidden,
        canonical: shown.page > 1 ? `${path}?page=${shown.page}` : path,
        breadcrumbs: [
          { name: forum.name, url: forumPath(forum) },
          { name: question.name ?? '', url: path },
        ],
        jsonLd: isHidden ? [] : [questionAndAnswers(ctx, shown, path)],
      },
    ),
  };
}

function withComment<P extends { readonly id: Id }>(post: P, { comment }: Refused): P & { refusedComment?: object } {
  return comment?.post === post.id ? { ...post, refusedComment: comment } : post;
}

/** Names of the drafts that became what stands on this page, in the caller's browser. */
function sentDrafts(
  forum: ForumRow,
  viewer: Viewer,
  { question, answers, hasAnswered }: Awaited<ReturnType<typeof questionPage>>,
): string {
  if (viewer.userId === null) return '';
  const edited = [question, ...answers].filter(({ edited_uid }) => edited_uid === viewer.userId);
  return [
    ...(question.isOwn ? [`forum.${forum.id}.ask`] : []),
    ...(hasAnswered ? [`forum.answer.${question.id}`] : []),
    ...edited.map(({ id }) => `forum.post.${id}`),
  ].join(' ');
}

function canBump(ctx: Ctx, forum: ForumRow, question: Parameters<typeof questionPage>[3]): boolean {
  const before = ctx.now().getTime() - 10 * DAY;
  return (
    forum.allow_bump &&
    question.state === 'active' &&
    (question.child_count ?? 0) === 0 &&
    question.create_date.getTime() < before &&
    (question.bump_date?.getTime() ?? 0) < before
  );
}

/** The question in schema.org's words, for search engines. */
function questionAndAnswers(
  ctx: Ctx,
  { question, answers }: Awaited<ReturnType<typeof questionPage>>,
  path: string,
): object {
  const address = originOf(ctx, ctx.facts.website) + path;
  const said = (post: (typeof answers)[number]): object => ({
    '@type': 'Answer',
    text: plainText(post.content),
    dateCreated: post.create_date.toISOString(),
    upvoteCount: post.vote_count,
    url: `${address}#answer-${post.id}`,
    author: { '@type': 'Person', name: post.author.name },
  });
  const accepted = answers.find(({ is_correct }) => is_correct);
  return {
    '@type': 'QAPage',
    mainEntity: {
      '@type': 'Question',
      name: question.name,
      text: plainText(question.content),
      answerCount: question.child_count ?? 0,
      upvoteCount: question.vote_count,
      dateCreated: question.create_date.toISOString(),
      author: { '@type': 'Person', name: question.author.name },
      ...(accepted ? { acceptedAnswer: said(accepted) } : {}),
      suggestedAnswer: answers
        .filter((post) => post !== accepted)
        .slice(0, 20)
        .map(said),
    },
  };
}

const page = route.page(
  '/forum/:forum/question/:question',
  {
    name: 'forum.question',
    params,
    query: z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1).catch(1) }),
    sitemap: addresses,
  },
  async ({ ctx, params: { forum, question }, query, render, url }) => {
    if (question.forum_id !== forum.id) throw notHere();
    if (question.parent_id !== null) return redirect(url(await placeOf(ctx, forum, question.id)), 301);
    return render('forum.question', await drawQuestion(ctx, forum, question, query.page));
  },
);

/** To the page on which the caller changes their answer. */
const editAnswer = route.page(
  '/forum/:forum/question/:id/edit_answer',
  { name: 'forum.edit_answer', auth: 'user', params: { forum: forumParam, id: idParam } },
  async ({ ctx, params: { forum, id }, url }) => {
    const question = await postIn(ctx, forum, id, { name: true });
    const [own] = await ctx.model(ForumPost).search([
      ['parent_id', '=', question.id],
      ['create_uid', '=', ctx.user.id],
    ]);
    return redirect(url(own === undefined ? questionPath(forum, question) : `${forumPath(forum)}/post/${own}/edit`));
  },
);

/** A browser tells that somebody looks at a question; robots without scripts are not counted, and nobody twice in half an hour. */
const seen = route.http(
  '/forum/:forum/question/:id/seen',
  {
    name: 'forum.seen',
    method: 'POST',
    writes: true,
    body: 'none',
    params: { forum: forumParam, id: idParam },
    rate: [{ calls: 300, seconds: 600 }],
  },
  async ({ ctx, params: { id } }) => {
    await ctx.model(ForumPost).seen([id]);
    return reply.empty();
  },
);

export const questionRoutes = [page, editAnswer, seen];
