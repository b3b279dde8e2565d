import type { Ctx, Id } from '#core';
import { ProductPricelist } from '../../models/product-pricelist.ts';
import { SalePartner } from '../../models/res-partner.ts';

/** The pricelist of a customer: their own, else the first there is; null where there is none at all. */
export async function pricelistFor(ctx: Ctx, partner: Id | null): Promise<Id | null> {
  if (partner !== null) {
    const [row] = await ctx.model(SalePartner).read([partner], { select: { property_product_pricelist: true } });
    if (row?.property_product_pricelist) return row.property_product_pricelist;
  }
  const [first] = await ctx.model(ProductPricelist).search([], { limit: 1 });
  return first ?? null;
}
