import type { Ctx, RouteExtension } from '#core';
import { CART, cartOf, takeCartAlong } from '../services/cart/session-cart.ts';

interface Input {
  readonly ctx: Ctx;
  /** Who the credentials belong to, worked out before; nobody's when they are wrong. */
  readonly prepared?: unknown;
}

/** Routes that sign in who their `prepared` names. */
const signIns = ['web.login_post', 'web.session_authenticate'];
const signOuts = ['web.logout_post', 'web.session_logout_post', 'web.session_destroy'];

/** Who signs in finds what they put in the cart before, here and elsewhere, in one cart. */
async function bringTogether(input: Input, next: () => Promise<unknown>): Promise<unknown> {
  const answer = await next();
  if (typeof input.prepared === 'number') await takeCartAlong(input.ctx, input.prepared);
  return answer;
}

/** Who signs out keeps the cart; what they said of themselves stays with their account. */
async function keepCart({ ctx }: Input, next: () => Promise<unknown>): Promise<unknown> {
  const cart = await cartOf(ctx);
  const answer = await next();
  if (cart !== null) ctx.session.set(CART, cart);
  return answer;
}

export const carryCart: readonly RouteExtension[] = [
  ...signIns.map((route): RouteExtension => ({ route, around: bringTogether })),
  ...signOuts.map((route): RouteExtension => ({ route, around: keepCart })),
];
