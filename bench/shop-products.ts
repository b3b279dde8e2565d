import type { Ctx } from 'pergola';
import { ProductAttribute, ProductAttributeLine, ProductAttributeValue } from '../addons/sale/index.ts';
import { ShopTemplate } from '../addons/website_sale/index.ts';

/** Creates a shop with this many products, each with values of two of ten attributes that have a hundred values each. */
export async function fillShop(ctx: Ctx, from: number, number: number): Promise<void> {
  if (from === 0) {
    const attributes = await ctx
      .model(ProductAttribute)
      .create(Array.from({ length: 10 }, (_, place) => ({ name: `Attribute ${place}` })));
    for (const attribute_id of attributes)
      await ctx
        .model(ProductAttributeValue)
        .create(Array.from({ length: 100 }, (_, place) => ({ name: `Value ${place}`, attribute_id })));
  }
  const ids = await ctx.model(ShopTemplate).create(
    Array.from({ length: number }, (_, place) => ({
      name: `Product ${from + place}`,
      description_sale: 'Useful for many things.',
      list_price: String(10 + ((from + place) % 90)),
      website_published: true,
      website_sequence: (from + place) * 7,
    })),
  );
  const values = await ctx.model(ProductAttributeValue).find([], { select: { attribute_id: true } });
  const byAttribute = [...Map.groupBy(values, ({ attribute_id }) => attribute_id)];
  await ctx.model(ProductAttributeLine).create(
    ids.flatMap((product_tmpl_id) =>
      [product_tmpl_id % 10, (product_tmpl_id + 3) % 10].map((place) => {
        const [attribute_id = 0, attributeValues = []] = byAttribute[place] ?? [];
        return {
          product_tmpl_id,
          attribute_id,
          value_ids: [attributeValues[product_tmpl_id % attributeValues.length]?.id ?? 0],
        };
      }),
    ),
  );
}
