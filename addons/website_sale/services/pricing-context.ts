import { OrderDefaults, Pricing, SaleOrder, SalePartner, type TaxTerms, termColumns } from '@pergola/sale';
import type { Ctx, Id, Ids } from 'pergola';
import { cartFor, partnerOf } from './cart/session-cart.ts';
import { openedList, usualList } from './shop-attribute.ts';

/** Everything the prices of a page depend on. */
export interface PricingContext extends TaxTerms {
  readonly pricelist: Id | null;
  /** Promo code that opened the pricelist, or null. */
  readonly code: string | null;
}

/**
 * Determines the pricelist of a caller's pages and cart. The latest choice wins: a promo code or list chosen in this browser; for
 * customers, otherwise the list of their open cart, then their own pricelist; otherwise the shop's default. Pages for anonymous visitors
 * depend on the request attributes alone, so they can be cached.
 */
export function pricingContext(ctx: Ctx): Promise<PricingContext> {
  return pricesFor(ctx, partnerOf(ctx.user));
}

/**
 * The same for a customer who is about to sign in.
 *
 * @param carts the customer's carts whose prices may have been chosen, latest first; defaults to their open cart
 */
export async function pricesFor(ctx: Ctx, partner: Id | null, carts?: Ids): Promise<PricingContext> {
  const { shop } = ctx.attributes;
  const system = ctx.sudo(); // Customers can't read which list applies to them, but see its prices.
  const company = await sellingCompany(ctx);
  const visitor = { company, fiscalPosition: null };
  if (!shop) return { ...visitor, pricelist: await system.get(Pricing).pricelistFor(partner), code: null };
  const { pricelist, code, isChosen } = shop;
  if (partner === null) return { ...visitor, pricelist, code };
  const open = carts ?? [await cartFor(ctx, partner)].filter((id) => id !== null);
  const rows = await system.model(SaleOrder).read(open, { select: termColumns });
  const [cart] = rows;
  const defaults = system.get(OrderDefaults);
  const taxes: TaxTerms = cart
    ? await defaults.termsOf(cart)
    : { company, partner, fiscalPosition: await defaults.positionOfCustomer(partner) };
  if (isChosen) return { ...taxes, pricelist, code };
  for (const { pricelist_id } of rows) {
    const list = await openedList(ctx, pricelist_id);
    if (list) return { ...taxes, pricelist: list.id, code: list.code };
  }
  return { ...taxes, pricelist: (await ownList(ctx, partner)) ?? pricelist, code: null };
}

/** Returns the company that sells on the request's website. */
export async function sellingCompany(ctx: Ctx): Promise<Id> {
  return ctx.attributes.website?.companyId ?? (await ctx.ref('base.main_company'));
}

/** Returns the pricelist after a caller drops their code or chosen list: their contact's, or else the shop's. */
export async function unchosenList(ctx: Ctx): Promise<Id | null> {
  const partner = partnerOf(ctx.user);
  return (partner === null ? null : await ownList(ctx, partner)) ?? usualList(ctx);
}

async function ownList(ctx: Ctx, partner: Id): Promise<Id | null> {
  const [contact] = await ctx
    .sudo() // Customers can't read which list applies to them.
    .model(SalePartner)
    .read([partner], { select: { property_product_pricelist: { active: true } } });
  return contact?.property_product_pricelist?.active ? contact.property_product_pricelist.id : null;
}
