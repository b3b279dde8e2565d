import { ProductProduct } from '@pergola/sale';
import { data, type FieldsOf, type Values } from 'pergola';
import { ShopView, type ViewKind } from '../models/website-sale-view.ts';

/** Number of days with statistics. */
const DAYS = 14;
/** Number of views of each kind on an ordinary day. */
const dailyCounts: Readonly<Partial<Record<ViewKind, number>>> = {
  product_view: 40,
  product_add_to_cart: 9,
  customer_checkout: 5,
  order_checkout: 4,
  order_payment: 3,
  order_confirmed: 3,
};

/** Two weeks of shop visits, with more at weekends. */
export default data(ShopView, async (ctx) => {
  const products = await ctx.model(ProductProduct).search([], { order: 'id', limit: 4 });
  const all: Record<string, Values<FieldsOf<ShopView>>> = {};
  for (let ago = 0; ago < DAYS; ago += 1) {
    const date = new Date(ctx.now().getTime() - ago * 86_400_000);
    const isWeekend = date.getUTCDay() % 6 === 0;
    for (const [kind, count] of Object.entries(dailyCounts))
      all[`visits_${ago}_${kind}`] = {
        day: date.toISOString().slice(0, 10),
        kind: kind as ViewKind,
        count: (isWeekend ? 2 : 1) * count + (ago % 3),
        product_id: kind.startsWith('product_') ? products[ago % products.length] : null,
        method: kind === 'order_payment' ? (ago % 4 === 0 ? 'Wire Transfer' : 'Test card') : null,
      };
  }
  return all;
});
