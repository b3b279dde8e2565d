import { orderColumns, SaleOrder } from '@pergola/sale';
import type { Ctx, Id, Identity } from 'pergola';
import { ShopOrder } from '../../models/sale-order.ts';

/** Session key of the visitor's cart. */
export const CART = 'sale_order_id';
/** Session key of the visitor's last order. */
export const LAST_ORDER = 'sale_last_order_id';

/**
 * Returns the caller's cart, or null: the session's cart, or the one a signed-in customer left elsewhere. A customer's cart is only
 * accessible to them, or to the visitor who continues after they signed out. Read-only.
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

/** Whether a cart in the session belongs to the caller. */
export function isFor(cart: { readonly partner_id: Id | null }, partner: Id | null): boolean {
  return cart.partner_id === null || partner === null || cart.partner_id === partner;
}

/** Returns the caller's last order in this session, or null. */
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

/** Returns a cart by its id from the session or a signed cookie, or null if it isn't an open cart. */
export async function openCart(ctx: Ctx, id: unknown) {
  if (typeof id !== 'number') return null;
  const [order] = await ctx
    .sudo() // The session shows that the cart is the caller's.
    .model(SaleOrder)
    .read([id], { select: orderColumns });
  return order?.is_cart && (order.state === 'draft' || order.state === 'sent') ? order : null;
}

/** Returns the latest cart a customer left on this site, other than `except`. */
export async function cartOfCustomer(ctx: Ctx, partner: Id, except?: Id): Promise<Id | null> {
  const site = ctx.attributes.website?.id;
  const order = await ctx
    .sudo() // The cart is the caller's own.
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

/** Returns the contact of a signed-in caller, or null. */
export function partnerOf(user: Identity): Id | null {
  return user.id === null ? null : user.partnerId;
}
