import { Partner } from '#addons/base';
import { type Ctx, type RawDomain, TooMany } from '#core';
import { MANAGERS } from './permissions.ts';

const HOUR = 3_600_000;

/** What one person writes at the same time is counted one after the other. Their contact stands for them: their user is locked by the ledger of karma. */
export async function lockAuthor(ctx: Ctx): Promise<void> {
  if (ctx.user.partnerId !== null) await ctx.lock(Partner, [ctx.user.partnerId]);
}

/**
 * Keeps one person from filling a forum (C46), whichever way they come: counts what they made in the last hour. Those who manage forums are not
 * counted.
 *
 * @throws TooMany
 */
export async function requireHourly(
  ctx: Ctx,
  model: string,
  domain: RawDomain,
  most: number,
  adding = 1,
): Promise<void> {
  if (ctx.su || ctx.user.id === null || ctx.has(MANAGERS)) return;
  await lockAuthor(ctx);
  const since = new Date(ctx.now().getTime() - HOUR);
  // Counts what the caller made, also what they may no longer see.
  const made = await ctx
    .sudo()
    .modelNamed(model)
    .count([['create_uid', '=', ctx.user.id], ['create_date', '>', since], ...domain] as never);
  if (made + adding <= most) return;
  throw new TooMany('You have written a lot in the last hour. Please go on a little later.', {
    code: 'forum.hourly',
    retryAfter: 600,
  });
}
