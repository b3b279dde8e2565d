import { route } from 'pergola';
import { Forum } from '../models/forum.ts';
import { ForumPost } from '../models/forum-post.ts';
import { forumSelect, requireHere, unreadOf } from '../pages/header.ts';
import { newestQuestions } from '../services/questions.ts';
import { notHere, recordId } from './params.ts';

/** Maximum number of answers in live vote updates. */
const MOST_ANSWERS = 200;

/** Newest public questions of a forum, for live updates of lists. */
const list = route.events(
  '/forum/live/:forum',
  { name: 'forum.live_list', params: { forum: recordId } },
  async ({ ctx, params }) => {
    const [forum] = await ctx.model(Forum).read([params.forum], { select: { active: true, website_id: true } });
    if (!forum) throw notHere();
    requireHere(ctx, forum);
    return { newest: await newestQuestions.get(ctx.sudo(), forum.id) };
  },
);

/** Public votes on a question and its answers, and the accepted answer, for live updates. */
const question = route.events(
  '/forum/live/:forum/:question',
  { name: 'forum.live_question', params: { forum: recordId, question: recordId } },
  async ({ ctx, params }) => {
    const [forum] = await ctx.model(Forum).read([params.forum], { select: { active: true, website_id: true } });
    if (!forum) throw notHere();
    requireHere(ctx, forum);
    const posts = await ctx
      .model(ForumPost)
      .find([['forum_id', '=', forum.id], '|', ['id', '=', params.question], ['parent_id', '=', params.question]], {
        select: { vote_count: true, is_correct: true, parent_id: true },
        order: 'id desc',
        limit: MOST_ANSWERS,
      });
    if (posts.length === 0) throw notHere();
    const answers = posts.filter(({ parent_id }) => parent_id !== null);
    return {
      votes: Object.fromEntries(posts.map(({ id, vote_count }) => [id, vote_count ?? 0])),
      answers: answers.map(({ id }) => id),
      accepted: answers.find(({ is_correct }) => is_correct)?.id ?? null,
    };
  },
);

/** The caller's unread notifications, for live updates. */
const notes = route.events(
  '/forum/live/:forum/notes',
  { name: 'forum.live_notes', auth: 'user', params: { forum: recordId } },
  async ({ ctx, params }) => {
    const [forum] = await ctx.model(Forum).read([params.forum], { select: forumSelect });
    if (!forum) throw notHere();
    requireHere(ctx, forum);
    return unreadOf(ctx, forum);
  },
);

export const liveRoutes = [list, question, notes];
