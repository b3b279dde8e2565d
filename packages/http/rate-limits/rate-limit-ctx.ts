import type { Ctx } from '@pergola/core';
import { rateLimiter } from './rate-limiter.ts';
import type { RatedCall, SignInTry } from './types.ts';

/**
 * Counts a try to use a password, before it is looked at: in `prepare`, never inside a write. At most 10 a minute for one account, whether it
 * exists or not, and 60 for one address, over all nodes; an account that is under attack still lets its owner in from elsewhere, perhaps after some
 * seconds.
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
 * Gives back a try that {@link takeSignIn} counted, because its password was right: whoever knows it may use it as often as they like.
 */
export function giveBackSignIn(ctx: Ctx, attempt: SignInTry): Promise<void> {
  return ctx.get(rateLimiter).giveBackSignIn(attempt);
}

/**
 * Counts one call under a name and key, for limits that a route's `rate` cannot say (mails to one address); never inside a write.
 *
 * @throws TooMany
 */
export function takeRate(ctx: Ctx, call: RatedCall): Promise<void> {
  return ctx.get(rateLimiter).take(call);
}
