import { Pricing, SalePartner } from '#addons/sale';
import type { Ctx, Id } from '#core';

/** What the prices of a page follow. */
export interface PricingContext {
  readonly pricelist: Id | null;
  readonly fiscalPosition: Id | null;
}

/**
 * Whose prices the caller sees: those of a code they gave, else of their own pricelist, else of the list they chose or the shop's. Pages for visitors
 * who have not signed in follow the request attributes alone, so they can be kept.
 */
export async function pricingContext(ctx: Ctx): Promise<PricingContext> {
  const { shop } = ctx.attributes;
  if (!shop) return { pricelist: await ctx.sudo().get(Pricing).pricelistFor(ctx.user.partnerId), fiscalPosition: null };
  if (shop.code !== null || ctx.user.id === null || ctx.user.partnerId === null)
    return { pricelist: shop.pricelist, fiscalPosition: null };
  // Customers may not read which list they are on; they are shown its prices.
  const [own] = await ctx
    .sudo()
    .model(SalePartner)
    .read([ctx.user.partnerId], {
      select: { property_product_pricelist: { active: true }, property_account_position: true },
    });
  return {
    pricelist: own?.property_product_pricelist?.active ? own.property_product_pricelist.id : shop.pricelist,
    fiscalPosition: own?.property_account_position ?? null,
  };
}
