import { holdMinutes as holdSetting, type LineAnswer, type LineRequest, SaleOrder } from '#addons/sale';
import { cartOf, ensureCart } from '#addons/website_sale';
import type { Ctx, Id } from '#core';

/** The order behind the caller's cart; null when there is none. Reads only. */
export async function cartOrder(ctx: Ctx): Promise<Id | null> {
  return cartOf(ctx);
}

/** Minutes that a cart keeps its tickets. */
export async function holdMinutes(ctx: Ctx): Promise<number> {
  return ctx.settings.get(holdSetting);
}

/** The caller's cart, made when there is none, with a way to put tickets in. */
export async function buyerCart(
  ctx: Ctx,
): Promise<{ readonly id: Id; put(request: LineRequest): Promise<LineAnswer> }> {
  const id = await ensureCart(ctx);
  // The cart is the caller's: the session says so.
  const orders = ctx.sudo().model(SaleOrder);
  return { id, put: (request) => orders.setLine(id, request) };
}
