import { type Ctx, type Id, InvalidInput, NotFound } from '#core';
import { ForumKarma } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { tell } from '../services/notifications.ts';
import { requireFor, viewerOf } from '../services/permissions.ts';

/**
 * Marks an answer as the right one, or takes the mark away; a question has one at most. Answers the new state.
 *
 * @throws NotAllowed for too little karma, InvalidInput for a question
 */
export async function toggleCorrect(ctx: Ctx, id: Id): Promise<boolean | { readonly error: 'anonymous_user' }> {
  const [visible] = await ctx.model(ForumPost).allowed([id], 'read');
  if (visible === undefined) throw new NotFound('There is no such post.', { code: 'forum.no_post' });
  if (ctx.user.id === null) return { error: 'anonymous_user' };
  // The mark belongs to the question's author and to moderators, who need no right to write the answer.
  const posts = ctx.sudo().model(ForumPost);
  const { parent_id: question, forum_id } = await posts.get(id, {
    select: { forum_id: true, parent_id: { create_uid: true } },
  });
  if (!question) throw new InvalidInput('Only answers are accepted.', { code: 'forum.not_an_answer' });
  await ctx.lock(ForumPost, [question.id]);
  const viewer = await viewerOf(ctx, forum_id);
  requireFor(viewer, 'karma_answer_accept_own', 'karma_answer_accept_all', question.create_uid);
  const marked = await posts.search([
    ['parent_id', '=', question.id],
    ['is_correct', '=', true],
  ]);
  for (const other of marked) await takeBackAcceptance(ctx, other, forum_id);
  if (marked.includes(id)) return false;
  await accept(ctx, id, forum_id);
  return true;
}

async function accept(ctx: Ctx, id: Id, forum: Id): Promise<void> {
  const posts = ctx.sudo().model(ForumPost);
  await posts.write(id, { is_correct: true });
  const { create_uid: author } = await posts.get(id, { select: { create_uid: true } });
  // Nobody earns by finding their own answer right.
  if (author === ctx.user.id) return;
  const { table } = await viewerOf(ctx, forum);
  const about = { forum_id: forum, post_id: id };
  await ctx
    .sudo()
    .model(ForumKarma)
    .move([
      { ...about, user_id: author, amount: table.karma_gen_answer_accepted, reason: 'accepted' },
      { ...about, user_id: ctx.user.id, amount: table.karma_gen_answer_accept, reason: 'accept' },
    ]);
  await tell(ctx, 'accepted', id, author);
}

/** Takes the mark from an answer, and the karma it brought from those who got it. */
export async function takeBackAcceptance(ctx: Ctx, id: Id, forum: Id): Promise<void> {
  const system = ctx.sudo();
  await system.model(ForumPost).write(id, { is_correct: false });
  await system.model(ForumKarma).takeBack(id, forum, ['accepted', 'accept']);
}
