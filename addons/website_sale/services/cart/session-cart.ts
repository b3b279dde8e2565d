import type { Ctx, Id, Identity } from 'pergola';
import { orderColumns, SaleOrder } from '#addons/sale';
import { ShopOrder } from '../../models/sale-order.ts';

/** Where the session keeps the visitor's cart. */
export const CART = 'sale_order_id';
/** Where the session keeps the order the visitor placed last. */
export const LAST_ORDER = 'sale_last_order_id';

/**
 * Returns the caller's cart, or null: the one of their session; of a customer who is signed in without one, the cart they left elsewhere. A customer's
 * cart is only found by them, or by the visitor who stayed when they signed out. Reads only.
 */
export async function cartOf(ctx: Ctx): Promise<Id | null> {
  return cartFor(ctx, partnerOf(ctx.user));
}

/** The same for a customer who is about to sign in. */
export async function cartFor(ctx: Ctx, partner: Id | null): Promise<Id | null> {
  const sessionOrder = await openCart(ctx, ctx.session.get(CART));
  if (sessionOrder && isFor(sessionOrder, partner)) return sessionOrder.id;
  return partner === null ? null : cartOfCustomer(ctx, partner);
}

/** Whether a cart of the session is the caller's. */
export function isFor(cart: { readonly partner_id: Id | null }, partner: Id | null): boolean {
  return cart.partner_id === null || partner === null || cart.partner_id === partner;
}

/** The order the caller placed last in this session, or null. */
export function lastOrderOf(ctx: Ctx): Id | null {
  const orderId = ctx.session.get(LAST_ORDER);
  return typeof orderId === 'number' ? orderId : null;
}

/** Whether a payment for the cart was started, which locks it. */
export async function isBeingPaid(ctx: Ctx, id: Id): Promise<boolean> {
  const row = await ctx
    .sudo() // The cart is the caller's.
    .model(SaleOrder)
    .first([['id', '=', id]], { select: { state: true } });
  return row?.state !== 'draft';
}

/** A cart by the id that the session or a signed cookie holds; null when it is no open cart. */
export async function openCart(ctx: Ctx, id: unknown) {
  if (typeof id !== 'number') return null;
  const [order] = await ctx
    .sudo() // The session says that it is the caller's.
    .model(SaleOrder)
    .read([id], { select: orderColumns });
  return order?.is_cart && (order.state === 'draft' || order.state === 'sent') ? order : null;
}

/** The cart a customer left on this site, the latest first; `except` is passed over. */
export async function cartOfCustomer(ctx: Ctx, partner: Id, except?: Id): Promise<Id | null> {
  const site = ctx.attributes.website?.id;
  const order = await ctx
    .sudo() // It is the caller's own.
    .model(ShopOrder)
    .first(
      [
        ['is_cart', '=', true],
        ['state', 'in', ['draft', 'sent']],
        ['partner_id', '=', partner],
        ...(except === undefined ? [] : ([['id', '!=', except]] as const)),
        ...(site === undefined ? [] : (['|', ['website_id', '=', null], ['website_id', '=', site]] as const)),
      ],
      { select: { state: true }, order: 'write_date desc, id desc' },
    );
  return order?.id ?? null;
}

/** The contact of a caller who is signed in, or null. */
export function partnerOf(user: Identity): Id | null {
  return user.id === null ? null : user.partnerId;
}
