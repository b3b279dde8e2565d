import { job, z } from 'pergola';
import { GamificationBadge } from '../models/gamification-badge.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import { ForumUser } from '../models/res-users.ts';
import { Badges } from '../services/badges.ts';

/** Awards badges to all members with karma who have earned them since the last run; once a day. */
export const awardBadges = job('forum.award_badges', {
  label: 'Award badges',
  input: z.object({}),
  cron: '20 4 * * *',
  lease: 300_000,
  run: async ({ ctx, write, signal }) => {
    const badges = await ctx
      .model(GamificationBadge)
      .find([['measure', '!=', 'by_hand']], { select: { measure: true, threshold: true, target: true } });
    for (const { id, measure, threshold, target } of badges) {
      if (signal.aborted) throw new Error('The node stops; the rest is given by the next run.');
      const earned = await ctx.get(Badges).earnedBy(measure, threshold ?? 1, target);
      const users = await ctx.model(ForumUser).search([
        ['id', 'in', earned],
        ['karma', '>', 0],
      ]);
      const owners = await ctx
        .model(GamificationBadgeUser)
        .find([['badge_id', '=', id]], { select: { user_id: true } });
      const have = new Set(owners.map(({ user_id }) => user_id));
      const fresh = users.filter((user) => !have.has(user));
      if (fresh.length === 0) continue;
      await write(async (writing) => {
        await writing.model(GamificationBadgeUser).create(fresh.map((user_id) => ({ badge_id: id, user_id })));
      });
    }
  },
});
