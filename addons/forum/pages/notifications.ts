import { type Ctx, safePath } from 'pergola';
import { PAGE } from '../constants.ts';
import { forumPath } from '../routes/paths.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf, notesOf } from './header.ts';

/** Forum notifications of the caller. */
export async function notificationsPage(ctx: Ctx, forum: ForumRow) {
  const { header } = await headerOf(ctx, forum, 'notifications');
  return {
    header,
    all: await notesOf(ctx, forum, PAGE.notifications, true),
    here: safePath(`${forumPath(forum)}/notifications`),
    seo: { title: t(ctx, 'Notifications'), noindex: true },
  };
}
