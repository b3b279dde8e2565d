import type { Ctx } from 'pergola';
import { GamificationBadge } from '../models/gamification-badge.ts';
import { forumPath } from '../routes/paths.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';

/** Badges that can be earned, most frequent first. */
export async function badgesPage(ctx: Ctx, forum: ForumRow) {
  const { header } = await headerOf(ctx, forum, 'badges');
  const rows = await ctx
    .model(GamificationBadge)
    .find([], { select: { name: true, description: true, level: true, stat_count: true } });
  const sorted = rows.toSorted((a, b) => (b.stat_count ?? 0) - (a.stat_count ?? 0));
  return {
    header,
    badges: sorted.map((badge) => ({ ...badge, path: `${forumPath(forum)}/badge/${badge.id}` })),
    seo: { title: t(ctx, 'Badges'), canonical: `${forumPath(forum)}/badge` },
  };
}
