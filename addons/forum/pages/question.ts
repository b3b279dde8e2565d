import { Follower, Message } from '#addons/mail';
import type { Ctx, FieldsOf, Id, Ids, Row } from '#core';
import { PAGE } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { forumPath, questionPath, tagPath } from '../routes/paths.ts';
import { rightsFor } from '../models/post-rights.ts';
import type { Viewer } from '../services/permissions.ts';
import { type Author, authorsOf } from '../services/authors.ts';
import type { ForumRow } from './header.ts';

const postSelect = {
  name: true,
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

/** What the page of a question reads of it. */
export const questionSelect = {
  ...postSelect,
  forum_id: true,
  parent_id: true,
  bump_date: true,
  user_favourite: true,
  tag_ids: { name: true },
} as const;
export type QuestionRow = Row<FieldsOf<ForumPost>, typeof questionSelect>;

interface Said {
  readonly id: Id;
  readonly body: string | null;
  readonly date: Date;
  readonly author: Author;
  readonly canDelete: boolean;
  readonly canConvert: boolean;
}

/** The comments on posts, the oldest first, with the users behind their contacts; two queries. */
async function commentsOn(ctx: Ctx, ids: Ids) {
  // Whoever reads a post reads what is said on it; internal notes are left out.
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
  const users = await system
    .modelNamed('res.users')
    .find([['partner_id', 'in', partners]], { select: { partner_id: true } });
  const userOf = new Map(users.map((row) => [Number(row.partner_id), row.id]));
  return rows.map((row) => ({ ...row, user: row.author_id === null ? null : (userOf.get(row.author_id) ?? null) }));
}

/** A page of a question's answers, the accepted one first, and how many there are. Counted only where the page does not tell. */
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
  const here = Math.min(Math.max(1, page), last);
  return { answers: page <= 1 ? first : await find((here - 1) * PAGE.answers), total, here, last };
}

/** Whether the caller follows a post they read. */
async function isFollowed(ctx: Ctx, post: Id): Promise<boolean> {
  if (ctx.user.partnerId === null) return false;
  const of = [
    ['res_model', '=', 'forum.post'],
    ['res_id', '=', post],
    ['partner_id', '=', ctx.user.partnerId],
  ] as const;
  // Whom people follow is nobody else's to read; this is the caller's own.
  return (await ctx.sudo().model(Follower).search(of, { limit: 1 })).length > 0;
}

/** Everything the page of a question shows, in a fixed number of queries whatever is written there. */
export async function questionPage(ctx: Ctx, forum: ForumRow, viewer: Viewer, question: QuestionRow, page: number) {
  const { answers, total, here, last } = await answersOf(ctx, question.id, page);
  const comments = await commentsOn(ctx, [question.id, ...answers.map(({ id }) => id)]);
  const all = [question, ...answers];
  const author = await authorsOf(ctx, forum, [
    ...all.flatMap(({ create_uid, edited_uid, closed_uid }) => [create_uid ?? 0, edited_uid ?? 0, closed_uid ?? 0]),
    ...comments.map(({ user }) => user ?? 0),
  ]);
  const byPost = Map.groupBy(comments, ({ res_id }) => res_id);
  const path = questionPath(forum, question);
  const shown = (post: PostRow, asker: Id | null, isAnswer: boolean) =>
    shownPost({ forum, viewer, post, asker, isAnswer, author, comments: byPost.get(post.id) ?? [] });
  const asked = shown(question, question.create_uid, false);
  return {
    question: {
      ...asked,
      path,
      actions: `${forumPath(forum)}/question/${question.id}`,
      tags: question.tag_ids.map((tag) => ({ name: tag.name, path: tagPath(forum, tag) })),
      favourite: question.user_favourite,
      favourites: question.favourite_count ?? 0,
      isFollowed: await isFollowed(ctx, question.id),
    },
    answers: answers.map((answer) => shown(answer, question.create_uid, true)),
    answerCount: total,
    page: here,
    pages: last,
    hasAnswered: answers.some(({ create_uid }) => create_uid !== null && create_uid === viewer.userId),
    canAnswer: viewer.has('karma_answer'),
    isOpen: question.state === 'active' && question.active,
  };
}

function shownPost(about: {
  forum: ForumRow;
  viewer: Viewer;
  post: PostRow;
  asker: Id | null;
  isAnswer: boolean;
  author: (user: Id | null) => Author;
  comments: readonly { id: Id; body: string | null; date: Date; user: Id | null }[];
}) {
  const { forum, viewer, post, asker, isAnswer, author, comments } = about;
  const rights = rightsFor(viewer, post.create_uid, asker);
  const said = comments.map(
    ({ id, body, date, user }): Said => ({
      id,
      body,
      date,
      author: author(user),
      canDelete: viewer.may('karma_comment_unlink_own', 'karma_comment_unlink_all', user),
      canConvert: user !== null && viewer.may('karma_comment_convert_own', 'karma_comment_convert_all', user),
    }),
  );
  const hidden = Math.max(0, said.length - PAGE.commentsShown);
  return {
    ...post,
    ...rights,
    isAnswer,
    // Visitors are told to sign in, and not how much karma it takes.
    isAnybody: viewer.userId === null,
    isOwn: viewer.userId !== null && post.create_uid === viewer.userId,
    base: `${forumPath(forum)}/post/${post.id}`,
    author: author(post.create_uid),
    editor: post.edited_date === null ? null : author(post.edited_uid),
    closer: post.closed_uid === null ? null : author(post.closed_uid),
    isUp: post.user_vote === 1,
    isDown: post.user_vote === -1,
    firstComments: said.slice(0, PAGE.commentsShown),
    moreComments: hidden > 0 ? said.slice(PAGE.commentsShown) : [],
  };
}
