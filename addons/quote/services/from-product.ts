import { ProductProduct } from '#addons/sale';
import type { Ctx, Decimal, Id } from '#core';

/** What a line takes from its product when it does not say it itself. */
export interface FromProduct {
  readonly name?: string;
  readonly price_unit?: Decimal;
  readonly uom?: Id | null;
}

/** Text, price and unit of the products these values name, in their order. */
export async function completeFromProduct(
  ctx: Ctx,
  values: readonly { readonly product_id?: unknown }[],
): Promise<FromProduct[]> {
  const ids = values.flatMap(({ product_id: id }) => (typeof id === 'number' ? [id] : []));
  const rows = await ctx.model(ProductProduct).read([...new Set(ids)], {
    select: {
      display_name: true,
      lst_price: true,
      product_tmpl_id: { description_sale: true, uom_id: true },
    },
  });
  const products = new Map(rows.map((row) => [row.id, row]));
  return values.map(({ product_id: id }) => {
    const product = typeof id === 'number' ? products.get(id) : undefined;
    if (!product) return {};
    const text = product.product_tmpl_id?.description_sale;
    return {
      name: text ? `${product.display_name}\n${text}` : product.display_name,
      ...(product.lst_price ? { price_unit: product.lst_price } : {}),
      uom: product.product_tmpl_id?.uom_id ?? null,
    };
  });
}
