import { type Ctx, type Id, type Ids, InvalidInput } from '#core';
import { ForumKarma } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostReason } from '../models/forum-post-reason.ts';
import { announceQuestion, tell } from '../services/notifications.ts';
import { requireFor, requireKarma, requireUser, type Viewer, viewerOf } from '../services/permissions.ts';

/** A bad question costs its author so many downvotes. */
const CLOSED_COSTS = 5;

/** What deciding about a post needs to know of it. */
interface Judged {
  readonly id: Id;
  readonly viewer: Viewer;
  readonly forum: Id;
  readonly author: Id | null;
  readonly state: string;
  readonly isQuestion: boolean;
}

/** The posts the caller sees, each locked, with what they may do there. */
async function judged(ctx: Ctx, ids: Ids): Promise<Judged[]> {
  requireUser(ctx);
  const visible = await ctx.model(ForumPost).allowed(ids, 'read');
  await ctx.lock(ForumPost, visible);
  // States are nobody's to read past the rules; these the caller sees.
  const rows = await ctx
    .sudo()
    .model(ForumPost)
    .read(visible, { select: { forum_id: true, parent_id: true, create_uid: true, state: true } });
  const found: Judged[] = [];
  for (const { id, forum_id: forum, parent_id, create_uid: author, state } of rows) {
    found.push({ id, forum, author, state, isQuestion: parent_id === null, viewer: await viewerOf(ctx, forum) });
  }
  return found;
}

/** Closes questions that are open, for a reason; bad reasons cost their authors karma. Answers whether any was closed. */
export async function close(ctx: Ctx, ids: Ids, reason: Id): Promise<boolean> {
  const why = await ctx.model(ForumPostReason).first([['id', '=', reason]], { select: { costs_karma: true } });
  if (!why) throw new InvalidInput('There is no such reason.', { code: 'forum.no_reason' });
  let closed = false;
  for (const { id, viewer, forum, author, state, isQuestion } of await judged(ctx, ids)) {
    if (!isQuestion) continue;
    requireFor(viewer, 'karma_close_own', 'karma_close_all', author);
    if (state !== 'active') continue;
    const amount = why.costs_karma ? CLOSED_COSTS * viewer.table.karma_gen_question_downvote : 0;
    await system(ctx).write(id, {
      state: 'close',
      closed_reason_id: reason,
      closed_uid: ctx.user.id,
      closed_date: new Date(ctx.now()),
    });
    await ledger(ctx).move([{ user_id: author, amount, reason: 'closed', post_id: id, forum_id: forum }]);
    await tell(ctx, 'closed', id, author);
    closed = true;
  }
  return closed;
}

/** Opens closed questions again; what closing cost is given back. Answers whether any was opened. */
export async function reopen(ctx: Ctx, ids: Ids): Promise<boolean> {
  let opened = false;
  for (const { id, viewer, forum, author, state, isQuestion } of await judged(ctx, ids)) {
    if (!isQuestion) continue;
    requireFor(viewer, 'karma_close_own', 'karma_close_all', author);
    if (state !== 'close') continue;
    await system(ctx).write(id, { state: 'active', closed_reason_id: null, closed_uid: null, closed_date: null });
    await ledger(ctx).takeBack(id, forum, ['closed']);
    opened = true;
  }
  return opened;
}

/** What flagging answers. */
export type FlagReply =
  | { readonly success: 'post_flagged_moderator' | 'post_flagged_non_moderator' }
  | { readonly error: 'post_already_flagged' | 'post_non_flaggable' | 'anonymous_user' };

/** Takes a post out of sight until a moderator has looked at it. */
export async function flag(ctx: Ctx, id: Id): Promise<FlagReply> {
  if (ctx.user.id === null) return { error: 'anonymous_user' };
  const [post] = await judged(ctx, [id]);
  if (!post) return { error: 'post_non_flaggable' };
  requireKarma(post.viewer, 'karma_flag');
  if (post.state === 'flagged') return { error: 'post_already_flagged' };
  if (post.state !== 'active') return { error: 'post_non_flaggable' };
  await system(ctx).write(id, { state: 'flagged', flag_user_id: ctx.user.id });
  return {
    success: post.viewer.has('karma_moderate') ? 'post_flagged_moderator' : 'post_flagged_non_moderator',
  };
}

/** Lets posts through: new ones that waited, and those that somebody flagged or found offensive, which get back what it cost. */
export async function approve(ctx: Ctx, ids: Ids): Promise<boolean> {
  let approved = false;
  for (const { id, viewer, forum, author, state, isQuestion } of await judged(ctx, ids)) {
    requireKarma(viewer, 'karma_moderate');
    if (state !== 'pending' && state !== 'flagged' && state !== 'offensive') continue;
    await system(ctx).write(id, {
      state: 'active',
      active: true,
      moderator_id: ctx.user.id,
      flag_user_id: null,
      closed_reason_id: null,
      closed_uid: null,
      closed_date: null,
    });
    if (state === 'offensive') await ledger(ctx).takeBack(id, forum, ['offensive']);
    if (state === 'pending' && isQuestion) await welcome(ctx, id, viewer, author);
    approved = true;
  }
  return approved;
}

async function welcome(ctx: Ctx, id: Id, viewer: Viewer, author: Id | null): Promise<void> {
  const amount = viewer.table.karma_gen_question_new;
  await ledger(ctx).move([{ user_id: author, amount, reason: 'asked', post_id: id, forum_id: viewer.forum }]);
  await tell(ctx, 'validated', id, author);
  await announceQuestion(ctx, id);
}

/** Puts posts away that waited; their authors are told. */
export async function refuse(ctx: Ctx, ids: Ids): Promise<boolean> {
  let refused = false;
  for (const { id, viewer, author, state } of await judged(ctx, ids)) {
    requireKarma(viewer, 'karma_moderate');
    if (state !== 'pending') continue;
    await system(ctx).write(id, { active: false, moderator_id: ctx.user.id });
    await tell(ctx, 'refused', id, author);
    refused = true;
  }
  return refused;
}

/** Puts posts away for good reason, which costs their authors much. */
export async function markAsOffensive(ctx: Ctx, ids: Ids, reason: Id): Promise<boolean> {
  const why = await ctx.model(ForumPostReason).first([['id', '=', reason]], { select: { reason_type: true } });
  if (!why) throw new InvalidInput('There is no such reason.', { code: 'forum.no_reason' });
  let marked = false;
  for (const { id, viewer, forum, author, state } of await judged(ctx, ids)) {
    requireKarma(viewer, 'karma_moderate');
    if (state === 'offensive') continue;
    await system(ctx).write(id, {
      state: 'offensive',
      active: false,
      closed_reason_id: reason,
      closed_uid: ctx.user.id,
      closed_date: new Date(ctx.now()),
      moderator_id: ctx.user.id,
    });
    const amount = viewer.table.karma_gen_answer_flagged;
    await ledger(ctx).move([{ user_id: author, amount, reason: 'offensive', post_id: id, forum_id: forum }]);
    marked = true;
  }
  return marked;
}

/** What was decided above is written whoever decided it: the karma was looked at. */
function system(ctx: Ctx): ForumPost {
  return ctx.sudo().model(ForumPost);
}

function ledger(ctx: Ctx): ForumKarma {
  return ctx.sudo().model(ForumKarma);
}
