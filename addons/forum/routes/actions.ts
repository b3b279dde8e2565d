import { action, type Ctx, type Id, InvalidInput, NotAllowed, redirect, route, z } from 'pergola';
import { TEXTS } from '../constants.ts';
import { ForumNotification } from '../models/forum-notification.ts';
import { ForumPost } from '../models/forum-post.ts';
import type { ForumRow } from '../pages/header.ts';
import type { VoteReply } from '../services/vote-steps.ts';
import { t } from '../texts.ts';
import { forumParam, idParam, placeOf, postIn, recordId, requirePostIn } from './params.ts';
import { forumPath } from './paths.ts';

const withPost = { forum: forumParam, post: idParam };
const withQuestion = { forum: forumParam, question: idParam };
const withComment = { ...withPost, message: idParam };
const emptyBody = z.object({});
/** Redirects to the question if the post is an answer. */
const pageOfPost = '/forum/:forum/question/:post';

/** Returns the posts model after checking that the post belongs to the forum in the path and is visible to the caller. */
async function posts(ctx: Ctx, forum: ForumRow, id: Id): Promise<ForumPost> {
  await requirePostIn(ctx, forum, id);
  return ctx.model(ForumPost);
}

/** Arguments of the handlers for actions on a post. */
interface OnPost {
  readonly ctx: Ctx;
  readonly params: { readonly forum: ForumRow; readonly post: Id };
  url(path: string): string;
}

async function backToPost({ ctx, params: { forum, post }, url }: OnPost): Promise<string> {
  return url(await placeOf(ctx, forum, post));
}

/** Calls return the error as data; a form has to show it. */
function afterVote(voteAction: OnPost & { readonly result: VoteReply }): Promise<string> {
  const { result } = voteAction;
  if (!('error' in result)) return backToPost(voteAction);
  const text = result.error === 'own_post' ? TEXTS.ownPost : TEXTS.anonymousVote;
  throw new NotAllowed(text, { code: `forum.${result.error}` });
}

export const upvote = action(
  '/forum/:forum/post/:post/upvote',
  { name: 'forum.upvote', params: withPost, form: { page: pageOfPost } },
  async ({ ctx, params: { forum, post } }) => (await posts(ctx, forum, post)).vote([post], true),
  afterVote,
);

export const downvote = action(
  '/forum/:forum/post/:post/downvote',
  { name: 'forum.downvote', params: withPost, form: { page: pageOfPost } },
  async ({ ctx, params: { forum, post } }) => (await posts(ctx, forum, post)).vote([post], false),
  afterVote,
);

export const toggleCorrect = action(
  '/forum/:forum/post/:post/toggle_correct',
  { name: 'forum.toggle_correct', params: withPost, form: { page: pageOfPost } },
  async ({ ctx, params: { forum, post } }) => (await posts(ctx, forum, post)).toggleCorrect([post]),
  (onPost) => {
    if (typeof onPost.result === 'boolean') return backToPost(onPost);
    throw new NotAllowed(TEXTS.anonymousAccept, { code: 'forum.anonymous_user' });
  },
);

export const toggleFavourite = action(
  '/forum/:forum/question/:question/toggle_favourite',
  { name: 'forum.toggle_favourite', auth: 'user', params: withQuestion },
  async ({ ctx, params: { forum, question } }) => (await posts(ctx, forum, question)).toggleFavourite([question]),
  async ({ ctx, params: { forum, question }, url }) => url(await placeOf(ctx, forum, question)),
);

export const flag = action(
  '/forum/:forum/post/:post/flag',
  { name: 'forum.flag', params: withPost, form: { auth: 'user', page: pageOfPost } },
  async ({ ctx, params: { forum, post } }) => (await posts(ctx, forum, post)).flag([post]),
  ({ params: { forum }, result, url }) => {
    if ('error' in result) throw new InvalidInput('This post can’t be flagged.', { code: `forum.${result.error}` });
    // The post is now hidden for most readers.
    return `${url(forumPath(forum))}?flagged=1`;
  },
);

export const deleteComment = action(
  '/forum/:forum/post/:post/comment/:message/delete',
  {
    name: 'forum.comment_delete',
    auth: 'user',
    params: withComment,
    form: { page: pageOfPost, confirm: (ctx) => ({ question: t(ctx, 'Delete this comment?'), yes: t(ctx, 'Delete') }) },
  },
  async ({ ctx, params: { forum, post, message } }) => (await posts(ctx, forum, post)).deleteComment([post], message),
  backToPost,
);

const commentToAnswer = route.form(
  '/forum/:forum/post/:post/comment/:message/convert_to_answer',
  { name: 'forum.comment_convert', auth: 'user', page: pageOfPost, params: withComment, writes: true, body: emptyBody },
  async ({ ctx, params: { forum, post, message }, url }) => {
    const answerId = await (await posts(ctx, forum, post)).convertCommentToAnswer([post], message);
    return redirect(url(answerId === false ? forumPath(forum) : await placeOf(ctx, forum, answerId)));
  },
);

const answerToComment = route.form(
  '/forum/:forum/post/:post/convert_to_comment',
  { name: 'forum.convert', auth: 'user', page: pageOfPost, params: withPost, writes: true, body: emptyBody },
  async ({ ctx, params: { forum, post }, url }) => {
    const { parent_id: question } = await postIn(ctx, forum, post, { parent_id: true });
    const commentId = await ctx.model(ForumPost).convertToComment([post]);
    return redirect(
      url(commentId === false || question === null ? forumPath(forum) : await placeOf(ctx, forum, question)),
    );
  },
);

const bump = route.form(
  '/forum/:forum/question/:question/bump',
  {
    name: 'forum.bump',
    auth: 'user',
    page: '/forum/:forum/question/:question',
    params: withQuestion,
    writes: true,
    body: emptyBody,
  },
  async ({ ctx, params: { forum, question }, url }) => {
    await (await posts(ctx, forum, question)).bump([question]);
    return redirect(url(await placeOf(ctx, forum, question)));
  },
);

/** Marks one notification or all unread ones as read. */
export const readNotification = action(
  '/forum/notification_read',
  {
    name: 'forum.notification_read',
    auth: 'user',
    input: z.object({ notification_id: recordId.optional(), redirect: z.string().default('/forum') }),
    form: { page: '/forum' },
  },
  async ({ ctx, input: { notification_id: id } }) => {
    const model = ctx.model(ForumNotification);
    await model.markRead(id === undefined ? await model.unread(1_000) : [id]);
    return true;
  },
  ({ input }) => input.redirect,
);

export const actionRoutes = [
  upvote,
  downvote,
  toggleCorrect,
  toggleFavourite,
  flag,
  deleteComment,
  commentToAnswer,
  answerToComment,
  bump,
  readNotification,
];
