import { type Ctx, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { ShopTemplate } from './models/product-template.ts';
import { ShopOrder } from './models/sale-order.ts';

/** Products that visitors can no longer buy, and the carts they have filled. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('website_sale')) return [];
  const products = await ctx.model(ShopTemplate).count([['website_published', '=', true]]);
  const carts = await ctx.model(ShopOrder).count([
    ['is_cart', '=', true],
    ['state', '=', 'draft'],
    ['cart_quantity', '>', 0],
  ]);
  return [
    { sentence: sentence('Products that visitors can no longer buy'), count: products, stops: true },
    { sentence: sentence('Filled carts that can’t be ordered'), count: carts, stops: true },
  ];
}
