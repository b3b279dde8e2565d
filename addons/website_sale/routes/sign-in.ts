import type { Ctx } from 'pergola';
import type { RouteExtension } from 'pergola/http';
import { CART, cartOf } from '../services/cart/session-cart.ts';

const signOuts = ['web.logout_post', 'web.session_logout_post', 'web.session_destroy'];

/** Keeps the cart after signing out; the customer's data stays with their account. */
async function keepCart({ ctx }: { readonly ctx: Ctx }, next: () => Promise<unknown>): Promise<unknown> {
  const cart = await cartOf(ctx);
  const answer = await next();
  if (cart !== null) ctx.session.set(CART, cart);
  return answer;
}

/** Signing in is handled by `ShopUser`. */
export const carryCart: readonly RouteExtension[] = signOuts.map(
  (route): RouteExtension => ({ route, around: keepCart }),
);
