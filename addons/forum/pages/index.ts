import { onWebsite } from '@pergola/website';
import type { Ctx, Id } from 'pergola';
import { Forum } from '../models/forum.ts';
import { ForumPost } from '../models/forum-post.ts';
import { forumPath } from '../routes/paths.ts';
import { MANAGERS } from '../services/permissions.ts';
import { t } from '../texts.ts';

/** Maximum up to which questions and answers of a forum are counted. */
const MOST_COUNTED = 10_000;

/** Forums of the site. */
export async function indexPage(ctx: Ctx) {
  const forums = await ctx.model(Forum).find([...onWebsite(ctx)], { select: { name: true, description: true } });
  const entries = [];
  for (const forum of forums) entries.push({ ...forum, path: forumPath(forum), ...(await figuresOf(ctx, forum.id)) });
  return {
    forums: entries,
    mayManage: ctx.has(MANAGERS),
    seo: { title: t(ctx, 'Forums'), description: t(ctx, 'Questions and answers') },
  };
}

/** One query per forum: each count stops at its limit, while a single query for all of them would count every post. */
async function figuresOf(ctx: Ctx, forum: Id) {
  const posts = ctx.model(ForumPost);
  const inForum = ['forum_id', '=', forum] as const;
  const [latest] = await posts.find([inForum, ['parent_id', '=', null], ['state', '=', 'active']], {
    select: { name: true, last_activity_date: true },
    order: 'last_activity_date desc, id desc',
    limit: 1,
  });
  const upTo = { most: MOST_COUNTED + 1 };
  const questions = await posts.count([inForum, ['parent_id', '=', null], ['state', '=', 'active']], upTo);
  const answers = await posts.count([inForum, ['parent_id', '!=', null]], upTo);
  return {
    questions: Math.min(questions, MOST_COUNTED),
    moreQuestions: questions > MOST_COUNTED,
    answers: Math.min(answers, MOST_COUNTED),
    moreAnswers: answers > MOST_COUNTED,
    latest: latest ?? null,
  };
}
