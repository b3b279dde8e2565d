import { ProductProduct, ProductStock } from '@pergola/sale';
import { type Ctx, data, type FieldsOf, type Values } from 'pergola';
import { articles, productKey } from './catalogue/articles.ts';

/** Stock of each tracked variant. */
export default data(ProductStock, async (ctx: Ctx) => {
  const all: Record<string, Values<FieldsOf<ProductStock>>> = {};
  for (const [key, { stock }] of Object.entries(articles)) {
    if (stock === undefined) continue;
    const variants = await ctx
      .model(ProductProduct)
      .search([['product_tmpl_id', '=', await ctx.ref(`website_sale.${productKey(key)}`)]], { order: 'id' });
    for (const [index, product_id] of variants.entries())
      all[`stock_${key}_${index}`] = { product_id, quantity: Math.max(0, stock - index * 3) };
  }
  return all;
});
