import { pagerOf } from '@pergola/website';
import type { Ctx } from 'pergola';
import { PAGE } from '../constants.ts';
import { ForumUser } from '../models/res-users.ts';
import { forumPath } from '../routes/paths.ts';
import { Authors } from '../services/authors.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';

/** Members with a public profile, by descending karma. */
export async function usersPage(ctx: Ctx, forum: ForumRow, page: number) {
  const { header } = await headerOf(ctx, forum, 'users');
  // Visitors can't read users; this list only contains public profiles.
  const users = ctx.sudo().model(ForumUser);
  const domain = [
    ['karma', '>', 1],
    ['website_published', '=', true],
    ['active', '=', true],
  ] as const;
  const count = await users.count(domain);
  const ids = await users.search(domain, {
    order: 'karma desc, id',
    limit: PAGE.users,
    offset: (page - 1) * PAGE.users,
  });
  const author = await ctx.get(Authors).of(forum, ids);
  const base = `${forumPath(forum)}/users`;
  return {
    header,
    count,
    users: ids.map((id, index) => ({ ...author(id), rank: (page - 1) * PAGE.users + index + 1 })),
    pager: pagerOf({
      page,
      count,
      size: PAGE.users,
      address: (number) => (number === 1 ? base : `${base}/page/${number}`),
    }),
    seo: { title: t(ctx, 'Members'), canonical: page === 1 ? base : `${base}/page/${page}` },
  };
}
