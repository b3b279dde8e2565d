import { type Ctx, type Decimal, decimal, type Id } from '#core';
import { ProductCategory } from '../../models/product-category.ts';
import { extrasOf, ProductProduct } from '../../models/product-product.ts';
import type { PricedProduct } from './price-rules.ts';

/** What the price of a variant starts from. */
export interface Basis extends PricedProduct {
  /** With the surcharges of its values, in `currency`. */
  readonly list: Decimal;
  readonly cost: Decimal;
  readonly currency: Id;
}

/** What the prices of variants start from; those that are gone are left out. */
export async function readBases(ctx: Ctx, products: readonly Id[]): Promise<Map<Id, Basis>> {
  const rows = await ctx.model(ProductProduct).find(
    [
      ['id', 'in', products],
      ['active', 'in', [true, false]],
    ],
    {
      select: {
        attribute_value_ids: true,
        product_tmpl_id: { list_price: true, standard_price: true, currency_id: true, categ_id: true },
      },
    },
  );
  const extras = await extrasOf(
    ctx,
    rows.filter((row) => row.attribute_value_ids.length > 0).flatMap((row) => row.product_tmpl_id?.id ?? []),
  );
  const above = await categoriesOf(
    ctx,
    rows.flatMap((row) => row.product_tmpl_id?.categ_id ?? []),
  );
  return new Map(
    rows.flatMap(({ id, attribute_value_ids, product_tmpl_id: template }) => {
      if (!template) return [];
      const list = attribute_value_ids
        .reduce((sum, value) => sum.plus(extras.get(`${template.id}:${value}`) ?? '0'), decimal(template.list_price))
        .toString();
      const basis: Basis = {
        product: id,
        template: template.id,
        categories: above.get(template.categ_id ?? 0) ?? [],
        list,
        cost: template.standard_price ?? '0',
        currency: template.currency_id,
      };
      return [[id, basis]];
    }),
  );
}

/** Each category with those above it. */
async function categoriesOf(ctx: Ctx, ids: readonly Id[]): Promise<Map<Id, Id[]>> {
  if (ids.length === 0) return new Map();
  const above = await ctx.model(ProductCategory).above([...new Set(ids)]);
  return new Map([...above].map(([id, others]) => [id, [id, ...others]]));
}
