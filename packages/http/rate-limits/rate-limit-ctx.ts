import type { Ctx } from '@pergola/core';
import { rateLimiter } from './rate-limiter.ts';
import type { RatedCall, SignInTry } from './types.ts';

/**
 * Counts a password attempt before the password is checked: in `prepare`, never inside a write. Allows 10 attempts a minute per account,
 * whether it exists or not, and 60 per address, across all nodes. The owner of an account under attack can still sign in from another
 * address, perhaps after some seconds.
 *
 * ```ts
 * prepare: async ({ ctx, body, request }) => { await takeSignIn(ctx, { account: body.login, address: request.ip }); … }
 * ```
 *
 * @throws TooMany
 */
export function takeSignIn(ctx: Ctx, attempt: SignInTry): Promise<void> {
  return ctx.get(rateLimiter).takeSignIn(attempt);
}

/**
 * Gives back an attempt counted by {@link takeSignIn} after the password turned out to be right, so that correct passwords are never
 * limited.
 */
export function giveBackSignIn(ctx: Ctx, attempt: SignInTry): Promise<void> {
  return ctx.get(rateLimiter).giveBackSignIn(attempt);
}

/**
 * Counts one call under a name and key, for limits that a route's `rate` can't express (emails to one address); never inside a write.
 *
 * @throws TooMany
 */
export function takeRate(ctx: Ctx, call: RatedCall): Promise<void> {
  return ctx.get(rateLimiter).take(call);
}
