import { Partner } from '@pergola/base';
import { app, type Ctx, service, TooMany } from 'pergola';
import { HOUR } from '../constants.ts';
import { MANAGERS } from './permissions.ts';

/** Prevents one person from flooding a forum (C46), through any interface. Forum managers are exempt. */
export class HourlyLimits extends service('forum.hourly_limits', { ctx: app.ctx }) {
  /**
   * Checks what the caller created in the last hour. Locks the caller's contact to serialise concurrent requests, because the karma ledger
   * locks their user.
   *
   * @param countSince counts as the system, including records the caller can no longer see
   * @throws TooMany
   */
  async require(max: number, countSince: (system: Ctx, since: Date) => Promise<number>, adding = 1): Promise<void> {
    const { ctx } = this;
    if (ctx.su || ctx.user.id === null || ctx.has(MANAGERS)) return;
    if (ctx.user.partnerId !== null) await ctx.lock(Partner, [ctx.user.partnerId]);
    if ((await countSince(ctx.sudo(), new Date(ctx.now().getTime() - HOUR))) + adding <= max) return;
    throw new TooMany('You’ve reached the hourly limit. Try again in a while.', {
      code: 'forum.hourly',
      retryAfter: 600,
    });
  }
}
