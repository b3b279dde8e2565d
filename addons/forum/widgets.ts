import { figure, type WidgetContent, widget } from '@pergola/web';
import type { Ctx } from 'pergola';
import { ForumPost } from './models/forum-post.ts';
import { MANAGERS } from './services/permissions.ts';

/** Number of latest unanswered questions shown. */
const LATEST = 3;

export const widgets = [
  widget('forum.questions', {
    label: 'Unanswered questions',
    icon: 'question-circle',
    groups: [MANAGERS],
    models: [ForumPost],
    figures: [figure(ForumPost, { label: 'Unanswered', menu: 'forum.menu_posts', filter: 'unanswered' })],
    load: latestUnanswered,
  }),
  widget('forum.held', {
    label: 'Posts awaiting review',
    icon: 'shield-check',
    groups: [MANAGERS],
    figures: [
      figure(ForumPost, {
        label: 'Awaiting moderation',
        menu: 'forum.menu_posts',
        filter: 'pending',
        urgent: true,
      }),
      figure(ForumPost, { label: 'Flagged', menu: 'forum.menu_posts', filter: 'flagged', urgent: true }),
    ],
  }),
];

async function latestUnanswered(ctx: Ctx): Promise<WidgetContent> {
  const rows = await ctx.model(ForumPost).find(
    [
      ['parent_id', '=', null],
      ['child_count', '=', 0],
      ['state', '=', 'active'],
    ],
    { select: { name: true, forum_id: { name: true } }, order: 'create_date desc', limit: LATEST },
  );
  return {
    lines: rows.map(({ id, name, forum_id }) => ({
      label: name ?? '',
      note: forum_id?.name ?? '',
      to: { model: 'forum.post', id, menu: 'forum.menu_posts' },
    })),
  };
}
