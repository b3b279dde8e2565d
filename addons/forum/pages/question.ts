import { User } from '@pergola/base';
import { Message } from '@pergola/mail';
import { localizePath, originOf, pagerOf, seoOf } from '@pergola/website';
import type { Ctx, FieldsOf, Id, Ids, Row } from 'pergola';
import { BUMP_DAYS, DAY, PAGE } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { type PostRights, rightsFor } from '../models/post-rights.ts';
import { forumPath, questionPath, tagPath } from '../routes/paths.ts';
import { type Author, Authors } from '../services/authors.ts';
import { otherLanguage, plainText, teaser } from '../services/html-text.ts';
import type { Viewer } from '../services/permissions.ts';
import { Questions } from '../services/questions.ts';
import { type ForumRow, headerOf } from './header.ts';

const postSelect = {
  name: true,
  lang: true,
  content: true,
  state: true,
  active: true,
  views: true,
  is_correct: true,
  vote_count: true,
  user_vote: true,
  favourite_count: true,
  create_uid: true,
  create_date: true,
  edited_date: true,
  edited_uid: true,
  closed_reason_id: { name: true },
  closed_uid: true,
  closed_date: true,
  last_activity_date: true,
  child_count: true,
} as const;
type PostRow = Row<FieldsOf<ForumPost>, typeof postSelect>;

/** Question fields used by its page. */
export const questionSelect = {
  ...postSelect,
  forum_id: true,
  parent_id: true,
  bump_date: true,
  user_favourite: true,
  tag_ids: { name: true },
} as const;
export type QuestionRow = Row<FieldsOf<ForumPost>, typeof questionSelect>;

interface CommentView {
  readonly id: Id;
  readonly body: string | null;
  readonly date: Date;
  readonly author: Author;
  readonly canDelete: boolean;
  readonly canConvert: boolean;
}

/** Comments on posts, oldest first, with the users of their authors; two queries. */
async function commentsOn(ctx: Ctx, ids: Ids) {
  // Readers of a post can read its comments; internal notes are excluded.
  const system = ctx.sudo();
  const rows = await system.model(Message).find(
    [
      ['model', '=', 'forum.post'],
      ['res_id', 'in', ids],
      ['type', 'in', ['comment', 'email']],
      ['internal', '=', false],
      ['website_published', '=', true],
    ],
    { select: { res_id: true, body: true, date: true, author_id: true }, order: 'date, id', limit: 2_000 },
  );
  const partners = [...new Set(rows.flatMap(({ author_id }) => author_id ?? []))];
  const users = await system.model(User).find([['partner_id', 'in', partners]], { select: { partner_id: true } });
  const userOf = new Map(users.map((row) => [row.partner_id, row.id]));
  return rows.map((row) => ({ ...row, user: row.author_id === null ? null : (userOf.get(row.author_id) ?? null) }));
}

/** Returns one page of answers, the accepted one first, and their number. Only counts them if the page doesn't reveal it. */
async function answersOf(ctx: Ctx, question: Id, page: number) {
  const posts = ctx.model(ForumPost);
  const find = (offset: number) =>
    posts.find([['parent_id', '=', question]], {
      select: postSelect,
      order: 'is_correct desc, vote_count desc, create_date, id',
      limit: PAGE.answers,
      offset,
    });
  const first = page <= 1 ? await find(0) : [];
  if (page <= 1 && first.length < PAGE.answers) return { answers: first, total: first.length, here: 1, last: 1 };
  const total = await posts.count([['parent_id', '=', question]]);
  const last = Math.max(1, Math.ceil(total / PAGE.answers));
  const currentPage = Math.min(Math.max(1, page), last);
  return { answers: page <= 1 ? first : await find((currentPage - 1) * PAGE.answers), total, here: currentPage, last };
}

/** Whether the caller follows a post they can read. */
async function isFollowed(ctx: Ctx, post: Id): Promise<boolean> {
  const { partnerId } = ctx.user;
  return partnerId !== null && (await ctx.model(ForumPost).isFollower(post, partnerId));
}

/** Contents of the question page, in a fixed number of queries regardless of its length. */
async function discussionOf(ctx: Ctx, forum: ForumRow, viewer: Viewer, question: QuestionRow, page: number) {
  const { answers, total, here: currentPage, last } = await answersOf(ctx, question.id, page);
  const comments = await commentsOn(ctx, [question.id, ...answers.map(({ id }) => id)]);
  const all = [question, ...answers];
  const author = await ctx
    .get(Authors)
    .of(forum, [
      ...all.flatMap(({ create_uid, edited_uid, closed_uid }) => [create_uid ?? 0, edited_uid ?? 0, closed_uid ?? 0]),
      ...comments.map(({ user }) => user ?? 0),
    ]);
  const byPost = Map.groupBy(comments, ({ res_id }) => res_id);
  const path = questionPath(forum, question);
  const viewOf = (post: PostRow, asker: Id | null, isAnswer: boolean) =>
    postView(ctx, { forum, viewer, post, asker, isAnswer, author, comments: byPost.get(post.id) ?? [] });
  const questionView = viewOf(question, question.create_uid, false);
  return {
    question: {
      ...questionView,
      path,
      actions: `${forumPath(forum)}/question/${question.id}`,
      tags: question.tag_ids.map((tag) => ({ name: tag.name, path: tagPath(forum, tag) })),
      favourite: {
        base: `${forumPath(forum)}/question/${question.id}`,
        isOn: question.user_favourite,
        count: question.favourite_count ?? 0,
      },
      follow: { id: question.id, object: 'forum.post', path, isFollowed: await isFollowed(ctx, question.id) },
    },
    answers: answers.map((answer) => viewOf(answer, question.create_uid, true)),
    answerCount: total,
    page: currentPage,
    pages: last,
    hasAnswered: answers.some(({ create_uid }) => create_uid !== null && create_uid === viewer.userId),
    isOpen: question.state === 'active' && question.active,
  };
}

function postView(
  ctx: Ctx,
  context: {
    forum: ForumRow;
    viewer: Viewer;
    post: PostRow;
    asker: Id | null;
    isAnswer: boolean;
    author: (user: Id | null) => Author;
    comments: readonly { id: Id; body: string | null; date: Date; user: Id | null }[];
  },
) {
  const { forum, viewer, post, asker, isAnswer, author, comments } = context;
  const rights = rightsFor(viewer, post.create_uid, asker);
  const commentViews = comments.map(
    ({ id, body, date, user }): CommentView => ({
      id,
      body,
      date,
      author: author(user),
      canDelete: viewer.may('karma_comment_unlink_own', 'karma_comment_unlink_all', user),
      canConvert: user !== null && viewer.may('karma_comment_convert_own', 'karma_comment_convert_all', user),
    }),
  );
  const hidden = Math.max(0, commentViews.length - PAGE.commentsShown);
  return {
    ...post,
    ...rights,
    language: otherLanguage(ctx, post.lang),
    isAnswer,
    isOwn: viewer.userId !== null && post.create_uid === viewer.userId,
    base: `${forumPath(forum)}/post/${post.id}`,
    author: author(post.create_uid),
    editor: post.edited_date === null ? null : author(post.edited_uid),
    closer: post.closed_uid === null ? null : author(post.closed_uid),
    votes: votesOf(viewer, post, rights, isAnswer, `${forumPath(forum)}/post/${post.id}`),
    flagNeeds: rights.can_flag ? null : rights.karma_flag,
    firstComments: commentViews.slice(0, PAGE.commentsShown),
    moreComments: hidden > 0 ? commentViews.slice(PAGE.commentsShown) : [],
  };
}

/** Props of the vote island. Visitors see a sign-in prompt instead of the required karma. */
function votesOf(viewer: Viewer, post: PostRow, rights: PostRights, isAnswer: boolean, base: string) {
  const isKnown = viewer.userId !== null;
  const needs = (may: boolean, karma: number): number | null => (isKnown && !may ? karma : null);
  const hasVoted = post.user_vote === 1 || post.user_vote === -1;
  return {
    base,
    count: post.vote_count ?? 0,
    vote: post.user_vote ?? 0,
    mayVote: isKnown && post.create_uid !== viewer.userId,
    accepted: isAnswer ? post.is_correct : null,
    needs: {
      upvote: needs(rights.can_upvote || hasVoted, rights.karma_upvote),
      downvote: needs(rights.can_downvote || hasVoted, rights.karma_downvote),
      accept: needs(rights.can_accept, rights.karma_accept),
    },
  };
}
type Discussion = Awaited<ReturnType<typeof discussionOf>>;

/** A rejected answer, with the reason. */
interface RejectedAnswer {
  readonly message?: string;
  readonly content?: string;
}

/** Values of the question page. */
export async function questionPage(
  ctx: Ctx,
  forum: ForumRow,
  question: QuestionRow,
  page: number,
  rejected: RejectedAnswer = {},
) {
  const { header, viewer } = await headerOf(ctx, forum, 'questions');
  const discussion = await discussionOf(ctx, forum, viewer, question, page);
  const path = questionPath(forum, question);
  const isHidden = !question.active || !['active', 'close'].includes(question.state);
  return {
    header,
    forum: {
      id: forum.id,
      path: forumPath(forum),
      share: forum.allow_share,
    },
    isSignedIn: viewer.userId !== null,
    reply: {
      action: `${forumPath(forum)}/post/${question.id}/new`,
      draft: `forum.answer.${question.id}`,
      mayUseTools: viewer.has('karma_editor'),
      needs: viewer.has('karma_answer') ? null : forum.karma_answer,
    },
    ...discussion,
    visit: {
      seen: discussion.isOpen ? `${discussion.question.actions}/seen` : null,
      title: question.name ?? '',
      sent: sentDrafts(forum, viewer, discussion),
    },
    live: isHidden ? null : liveOf(forum, discussion),
    refused: rejected,
    // Lets authors copy their text if the answer form is no longer available.
    lostText: discussion.isOpen && !discussion.hasAnswered ? '' : (rejected.content ?? ''),
    address: originOf(ctx, ctx.attributes.website) + path,
    canBump: canBump(ctx, forum, question) && viewer.userId !== null,
    similar: await ctx.get(Questions).alike(forum, question),
    pager: pagerOf({
      page: discussion.page,
      count: discussion.answerCount,
      size: PAGE.answers,
      address: (number) => (number === 1 ? path : `${path}?page=${number}`),
    }),
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
        canonical: discussion.page > 1 ? `${path}?page=${discussion.page}` : path,
        breadcrumbs: [
          { name: forum.name, url: forumPath(forum) },
          { name: question.name ?? '', url: path },
        ],
        jsonLd: isHidden ? [] : [questionAndAnswers(ctx, discussion, path)],
      },
    ),
  };
}

/** Initial state for the page's live updates. */
function liveOf(forum: ForumRow, { question, answers, answerCount }: Discussion) {
  const posts = [question, ...answers];
  return {
    forum: forum.id,
    question: question.id,
    shown: {
      votes: Object.fromEntries(posts.map(({ id, vote_count }) => [id, vote_count ?? 0])),
      answers: answers.map(({ id }) => id),
      accepted: answers.find(({ is_correct }) => is_correct)?.id ?? null,
    },
    isWhole: answers.length === answerCount,
  };
}

/** Names of the caller's drafts whose posts are now on this page. */
function sentDrafts(forum: ForumRow, viewer: Viewer, { question, answers, hasAnswered }: Discussion): string[] {
  if (viewer.userId === null) return [];
  const edited = [question, ...answers].filter(({ edited_uid }) => edited_uid === viewer.userId);
  return [
    ...(question.isOwn ? [`forum.${forum.id}.ask`] : []),
    ...(hasAnswered ? [`forum.answer.${question.id}`] : []),
    ...edited.map(({ id }) => `forum.post.${id}`),
  ];
}

function canBump(ctx: Ctx, forum: ForumRow, question: QuestionRow): boolean {
  const latestDate = ctx.now().getTime() - BUMP_DAYS * DAY;
  return (
    forum.allow_bump &&
    question.state === 'active' &&
    (question.child_count ?? 0) === 0 &&
    question.create_date.getTime() < latestDate &&
    (question.bump_date?.getTime() ?? 0) < latestDate
  );
}

/** The question as schema.org JSON-LD, for search engines. */
function questionAndAnswers(ctx: Ctx, { question, answers }: Discussion, path: string) {
  const site = ctx.attributes.website;
  const origin = originOf(ctx, site);
  const address = origin + localizePath(site, path, ctx.lang);
  const authorOf = ({ name, path: profile }: Author) => ({
    '@type': 'Person',
    name,
    ...(profile ? { url: origin + localizePath(site, profile, ctx.lang) } : {}),
  });
  const datesOf = ({ create_date, edited_date }: { create_date: Date; edited_date: Date | null }) => ({
    datePublished: create_date.toISOString(),
    ...(edited_date ? { dateModified: edited_date.toISOString() } : {}),
  });
  const answerOf = (post: (typeof answers)[number]) => ({
    '@type': 'Answer',
    text: plainText(post.content),
    ...datesOf(post),
    upvoteCount: post.vote_count,
    url: `${address}#answer-${post.id}`,
    author: authorOf(post.author),
  });
  const accepted = answers.find(({ is_correct }) => is_correct);
  const suggested = answers
    .filter((post) => post !== accepted)
    .slice(0, 20)
    .map(answerOf);
  return {
    '@type': 'QAPage',
    mainEntity: {
      '@type': 'Question',
      name: question.name,
      text: plainText(question.content),
      answerCount: question.child_count ?? 0,
      upvoteCount: question.vote_count,
      ...datesOf(question),
      author: authorOf(question.author),
      ...(accepted ? { acceptedAnswer: answerOf(accepted) } : {}),
      // Search engines reject an empty list.
      ...(suggested.length > 0 ? { suggestedAnswer: suggested } : {}),
    },
  };
}
