import { changeColumns, SaleOrder } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';
import { networkOf, takeRate } from 'pergola/http';
import { ShopOrder } from '../../models/sale-order.ts';
import { pricingContext } from '../pricing-context.ts';
import { CART, cartOf, isBeingPaid, partnerOf } from './session-cart.ts';

/** Locks and reads the session's cart, so that its data stays valid and is read only once. Requires a writing context. */
export async function lockCart(ctx: Ctx): Promise<void> {
  const cart = ctx.session.get(CART);
  if (typeof cart !== 'number') return;
  const orders = ctx.sudo().model(SaleOrder); // The session shows that the cart is the caller's.
  await Promise.all([ctx.lock(SaleOrder, [cart]), orders.read([cart], { select: changeColumns })]);
}

/**
 * Returns the caller's cart in the language and prices of their pages, and creates one if needed. If the cart is being paid, leaves it
 * alone and creates another. Requires a writing context.
 */
export async function ensureCart(ctx: Ctx): Promise<Id> {
  const cart = await cartOf(ctx);
  if (cart !== null && !(await isBeingPaid(ctx, cart))) {
    if (ctx.session.get(CART) !== cart) ctx.session.set(CART, cart);
    await followVisitor(ctx, cart);
    return cart;
  }
  const { pricelist } = await pricingContext(ctx);
  const partner = partnerOf(ctx.user);
  // Visitors may not write orders; this one is their own, and only created here.
  const id = await ctx
    .sudo()
    .model(ShopOrder)
    .openCart({
      partner_id: partner,
      pricelist_id: pricelist,
      lang: ctx.lang,
      ...(ctx.attributes.website
        ? { website_id: ctx.attributes.website.id, company_id: ctx.attributes.website.companyId }
        : {}),
    });
  ctx.session.set(CART, id);
  return id;
}

/**
 * Updates a cart to the language and prices of its visitor's current page, their latest choice. Updates texts and prices of its lines.
 * Requires a writing context; the cart must be the caller's and not being paid.
 */
export async function followVisitor(ctx: Ctx, cart: Id): Promise<void> {
  const orders = ctx.sudo().model(SaleOrder); // The cart is the caller's own.
  const { pricelist } = await pricingContext(ctx);
  const { pricelist_id, lang } = await orders.get(cart, { select: { pricelist_id: true, lang: true } });
  const changes = {
    ...(pricelist_id === pricelist ? {} : { pricelist_id: pricelist }),
    ...(lang === ctx.lang ? {} : { lang: ctx.lang }),
  };
  if (Object.keys(changes).length > 0) await orders.write(cart, changes);
}

/**
 * Limits new carts per address before anything is written: a client without cookies would create a cart with each call.
 *
 * @throws TooMany
 */
export async function countNewCart(ctx: Ctx, ip: string): Promise<void> {
  if (ctx.user.id !== null || ctx.session.get(CART) !== undefined) return;
  await takeRate(ctx, { name: 'website_sale.new_cart', key: networkOf(ip), calls: 20_000, seconds: 3600 });
}
