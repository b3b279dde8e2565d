import { pagerOf } from '@pergola/website';
import { type Ctx, type Id, sanitizeHtml } from 'pergola';
import { PAGE } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { notHere } from '../routes/params.ts';
import { forumPath, postPath } from '../routes/paths.ts';
import { Authors } from '../services/authors.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf, momentOf } from './header.ts';

/** Moderation queues: their posts, and the karma required to open them. */
const queues = {
  validation_queue: { states: ['pending'], needs: 'karma_post', active: [true] },
  flagged_queue: { states: ['flagged'], needs: 'karma_moderate', active: [true] },
  offensive_posts: { states: ['offensive'], needs: 'karma_moderate', active: [true, false] },
  closed_posts: { states: ['close'], needs: 'karma_moderate', active: [true] },
  deleted_posts: { states: ['active', 'close', 'flagged'], needs: 'karma_moderate', active: [false] },
} as const;
export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];

function queueLabel(ctx: Ctx, name: QueueName): string {
  switch (name) {
    case 'validation_queue':
      return t(ctx, 'To approve');
    case 'flagged_queue':
      return t(ctx, 'Flagged posts');
    case 'offensive_posts':
      return t(ctx, 'Offensive posts');
    case 'closed_posts':
      return t(ctx, 'Closed questions');
    case 'deleted_posts':
      return t(ctx, 'Deleted posts');
  }
}

/** One page of a moderation queue. */
export async function queuePage(ctx: Ctx, forum: ForumRow, name: QueueName, page: number) {
  const { header, viewer } = await headerOf(ctx, forum, 'queue');
  const { states: postStates, needs, active } = queues[name];
  // Without permission, the queue doesn't exist.
  if (viewer.userId === null || !viewer.has(needs)) throw notHere();
  const posts = ctx.model(ForumPost);
  const domain = [
    ['forum_id', '=', forum.id],
    ['state', 'in', postStates],
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
      closed_reason_id: { name: true },
    },
    order: name === 'validation_queue' || name === 'flagged_queue' ? 'create_date, id' : 'write_date desc, id desc',
    limit: PAGE.queue,
    offset: (page - 1) * PAGE.queue,
  });
  const author = await ctx.get(Authors).of(
    forum,
    rows.flatMap((row) => [row.create_uid ?? 0, row.flag_user_id ?? 0]),
  );
  const base = forumPath(forum);
  const counts = [];
  for (const queue of queueNames.filter((queueName) => viewer.has(queues[queueName].needs))) {
    const definition = queues[queue];
    counts.push({
      href: `${base}/${queue}`,
      label: queueLabel(ctx, queue),
      active: queue === name,
      count: await posts.count([
        ['forum_id', '=', forum.id],
        ['state', 'in', definition.states],
        ['active', 'in', definition.active],
      ]),
    });
  }
  const nameOf = (user: Id | null): string | null => (user === null ? null : author(user).name);
  return {
    header,
    queue: {
      name,
      queues: counts,
      canModerate: viewer.has('karma_moderate'),
      posts: rows.map((row) => ({
        id: row.id,
        title: row.name ?? row.parent_id?.name ?? '',
        isAnswer: row.parent_id !== null,
        path: postPath(forum, row),
        base: `${base}/post/${row.id}`,
        questionBase: `${base}/question/${row.id}`,
        html: sanitizeHtml(row.content ?? '', 'comment'),
        date: momentOf(ctx, row.create_date),
        author: author(row.create_uid),
        flagger: nameOf(row.flag_user_id),
        reason: row.closed_reason_id?.name ?? null,
      })),
    },
    pager: pagerOf({ page, count, size: PAGE.queue, address: (number) => `${base}/${name}?page=${number}` }),
    seo: { title: queueLabel(ctx, name), noindex: true },
  };
}
