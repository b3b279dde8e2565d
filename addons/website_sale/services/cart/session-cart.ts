import { changeColumns, orderColumns, SaleOrder } from '#addons/sale';
import { type Ctx, type Id, type Identity, identityOf } from '#core';
import { networkOf, takeRate } from '#core/http';
import { ShopOrder } from '../../models/sale-order.ts';
import { pricingContext } from '../pricing-context.ts';

/** Where the session keeps the visitor's cart. */
export const CART = 'sale_order_id';
/** Where the session keeps the order the visitor placed last. */
export const LAST_ORDER = 'sale_last_order_id';

/**
 * The caller's cart, or null: the one of their session; of who is signed in without one, the cart they left elsewhere. Never somebody else's: what was a
 * customer's own is theirs again only for them, or for the visitor who stayed when they signed out. Reads only.
 */
export async function cartOf(ctx: Ctx): Promise<Id | null> {
  const partner = partnerOf(ctx.user);
  const kept = await openCart(ctx, ctx.session.get(CART));
  if (kept && (kept.partner_id === null || partner === null || kept.partner_id === partner)) return kept.id;
  return partner === null ? null : cartOfCustomer(ctx, partner);
}

/** Locks the cart of the session and reads it, so that what is known of it holds and is read once. Needs a context that writes. */
export async function lockCart(ctx: Ctx): Promise<void> {
  const kept = ctx.session.get(CART);
  if (typeof kept !== 'number') return;
  const orders = ctx.sudo().model(SaleOrder); // The session says that it is the caller's.
  await Promise.all([ctx.lock(SaleOrder, [kept]), orders.read([kept], { select: changeColumns })]);
}

/** The caller's cart, made when there is none; a cart that is being paid is left alone, and a new one begun. Needs a context that writes. */
export async function ensureCart(ctx: Ctx): Promise<Id> {
  const there = await cartOf(ctx);
  if (there !== null && !(await isBeingPaid(ctx, there))) {
    if (ctx.session.get(CART) !== there) ctx.session.set(CART, there);
    return there;
  }
  const { pricelist, fiscalPosition } = await pricingContext(ctx);
  const partner = partnerOf(ctx.user);
  // Visitors may write no orders; this is their own, and made only by them.
  const id = await ctx
    .sudo()
    .model(ShopOrder)
    .openCart({
      partner_id: partner,
      pricelist_id: pricelist,
      lang: ctx.lang,
      ...(partner === null ? { fiscal_position: fiscalPosition } : {}),
      ...(ctx.attributes.website
        ? { website_id: ctx.attributes.website.id, company_id: ctx.attributes.website.companyId }
        : {}),
    });
  ctx.session.set(CART, id);
  return id;
}

/**
 * Counts a visitor without a cart who is about to begin one, before anything is written: a program that keeps no cookies would begin one with each call.
 *
 * @throws TooMany
 */
export async function countNewCart(ctx: Ctx, ip: string): Promise<void> {
  if (ctx.user.id !== null || ctx.session.get(CART) !== undefined) return;
  await takeRate(ctx, { name: 'website_sale.new_cart', key: networkOf(ip), calls: 20_000, seconds: 3600 });
}

/** The order the caller placed last in this session, or null. */
export function lastOrderOf(ctx: Ctx): Id | null {
  const kept = ctx.session.get(LAST_ORDER);
  return typeof kept === 'number' ? kept : null;
}

/**
 * Brings the cart of the session and the one the customer left before together, when they sign in. What cannot be brought together stays as it is:
 * nobody is kept from signing in by a cart.
 */
export async function takeCartAlong(ctx: Ctx, userId: Id): Promise<void> {
  try {
    await ctx.savepoint(async () => {
      const identity = await identityOf(ctx, userId);
      if (identity) await merge(ctx, identity);
    });
  } catch (error) {
    ctx.log.warn({ err: error, userId }, 'The carts of a customer could not be brought together');
  }
}

async function merge(ctx: Ctx, identity: Identity): Promise<void> {
  const partner = partnerOf(identity);
  if (partner === null) return;
  const system = ctx.sudo(); // Both carts are the customer's own.
  const kept = await openCart(ctx, ctx.session.get(CART));
  const here = kept && (kept.partner_id === null || kept.partner_id === partner) ? kept : null;
  const before = await cartOfCustomer(ctx, partner, here?.id);
  if (here === null || here.state !== 'draft') {
    if (here === null) ctx.session.set(CART, before ?? undefined);
    return;
  }
  if (before !== null && !(await isBeingPaid(ctx, before))) {
    await system.model(SaleOrder).mergeInto(here.id, before);
    ctx.session.set(CART, before);
    return;
  }
  if (here.partner_id === partner) return;
  await system.model(SaleOrder).write(here.id, { partner_id: partner });
  await system.model(SaleOrder).reprice([here.id]);
}

/** Whether a payment for it was begun, so that it may not change. */
export async function isBeingPaid(ctx: Ctx, id: Id): Promise<boolean> {
  const row = await ctx
    .sudo() // Whether it is being paid is asked for a cart the caller has.
    .model(SaleOrder)
    .first([['id', '=', id]], { select: { state: true } });
  return row?.state !== 'draft';
}

async function openCart(ctx: Ctx, id: unknown) {
  if (typeof id !== 'number') return null;
  const [order] = await ctx
    .sudo() // The session says that it is the caller's.
    .model(SaleOrder)
    .read([id], { select: orderColumns });
  return order?.is_cart && (order.state === 'draft' || order.state === 'sent') ? order : null;
}

async function cartOfCustomer(ctx: Ctx, partner: Id, except?: Id): Promise<Id | null> {
  const site = ctx.attributes.website?.id;
  const found = await ctx
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
  return found?.id ?? null;
}

function partnerOf(user: Identity): Id | null {
  return user.id === null ? null : user.partnerId;
}
