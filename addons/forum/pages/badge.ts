import type { Ctx, Id } from 'pergola';
import { GamificationBadge } from '../models/gamification-badge.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import { notHere } from '../routes/params.ts';
import { forumPath } from '../routes/paths.ts';
import { Authors } from '../services/authors.ts';
import { type ForumRow, headerOf } from './header.ts';

/**
 * A badge and the users who earned it.
 *
 * @throws NotFound
 */
export async function badgePage(ctx: Ctx, forum: ForumRow, id: Id) {
  const { header } = await headerOf(ctx, forum, 'badges');
  const row = await ctx
    .model(GamificationBadge)
    .first([['id', '=', id]], { select: { name: true, description: true, level: true } });
  if (!row) throw notHere();
  const owners = await ctx
    .model(GamificationBadgeUser)
    .find([['badge_id', '=', id]], { select: { user_id: true, create_date: true }, limit: 100 });
  const author = await ctx.get(Authors).of(
    forum,
    owners.map(({ user_id }) => user_id),
  );
  return {
    header,
    badge: row,
    back: `${forumPath(forum)}/badge`,
    owners: owners
      .map(({ user_id, create_date }) => ({ ...author(user_id), date: create_date }))
      .filter(({ path }) => path !== null),
    seo: { title: row.name, description: row.description, canonical: `${forumPath(forum)}/badge/${id}` },
  };
}
