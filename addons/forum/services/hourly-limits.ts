import { app, type Ctx, service, TooMany } from 'pergola';
import { Partner } from '#addons/base';
import { HOUR } from '../constants.ts';
import { MANAGERS } from './permissions.ts';

/** Keeps one person from filling a forum (C46), whichever way they come. Those who manage forums are not counted. */
export class HourlyLimits extends service('forum.hourly_limits', { ctx: app.ctx }) {
  /**
   * Counts what the caller made in the last hour. What one person writes at the same time is counted one after the other; their contact is locked for
   * them, since their user is locked by the ledger of karma.
   *
   * @param made counts it, as the system: also what the caller may no longer see
   * @throws TooMany
   */
  async require(most: number, made: (system: Ctx, since: Date) => Promise<number>, adding = 1): Promise<void> {
    const { ctx } = this;
    if (ctx.su || ctx.user.id === null || ctx.has(MANAGERS)) return;
    if (ctx.user.partnerId !== null) await ctx.lock(Partner, [ctx.user.partnerId]);
    if ((await made(ctx.sudo(), new Date(ctx.now().getTime() - HOUR))) + adding <= most) return;
    throw new TooMany('You have written a lot in the last hour. Please go on a little later.', {
      code: 'forum.hourly',
      retryAfter: 600,
    });
  }
}
