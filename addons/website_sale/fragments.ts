import { SaleOrder, SaleOrderLine, Stock } from '@pergola/sale';
import { type Ctx, fragment, type Id, type Ids } from 'pergola';
import { ShopTemplate } from './models/product-template.ts';
import { cartOf } from './services/cart/session-cart.ts';
import { readProduct } from './services/catalogue/product-data.ts';
import { t } from './texts.ts';

/** Stock level up to which visitors see the exact number. */
const EXACT_UP_TO = 5;

/** Link to the cart with its number of products. */
export const cartLink = fragment('website_sale.cart_link', {
  template: 'website_sale.cart_link',
  load: async (ctx, { path }) => {
    const isCartPage = path.endsWith('/shop/cart');
    return {
      quantity: await cartQuantity(ctx),
      here: isCartPage,
      changes: isCartPage || path.includes('/shop/product/'),
    };
  },
});

async function cartQuantity(ctx: Ctx): Promise<number> {
  const order = await cartOf(ctx);
  if (order === null) return 0;
  const row = await ctx
    .sudo() // The cart is the caller's own.
    .model(SaleOrder)
    .first([['id', '=', order]], { select: { cart_quantity: true } });
  return row?.cart_quantity ?? 0;
}

/** Stock level of a product: changes often, while the cached page stays. */
export const stock = fragment('website_sale.stock', {
  template: 'website_sale.stock',
  vary: 'often',
  load: async (ctx, request) => {
    const id = Number(/\/shop\/product\/(?:.*-)?(\d{1,9})$/.exec(request.path)?.[1] ?? 0);
    const levels = await stockOf(ctx, id);
    const total = Object.values(levels).reduce((sum, level) => sum + level, 0);
    const inCart = await inOwnCart(ctx, Object.keys(levels).map(Number));
    return { levels, inCart, initialText: initialTextOf(ctx, Object.keys(levels).length, total, inCart.length > 0) };
  },
});

/** Returns the stock level of each tracked variant of a product that the caller may see. */
async function stockOf(ctx: Ctx, template: Id): Promise<Record<Id, number>> {
  const [row] = await ctx.model(ShopTemplate).read([template], { select: { inventory: true } });
  if (row?.inventory !== 'kept') return {};
  const variants = (await readProduct(ctx, template)).product_variant_ids.map(({ id }) => id);
  // Stock levels are public; orders that reserve stock are not shown.
  return Object.fromEntries(await ctx.sudo().get(Stock).available('product.product', variants));
}

/** Returns which of these variants are in the caller's cart. */
async function inOwnCart(ctx: Ctx, variants: Ids): Promise<Ids> {
  if (variants.length === 0) return [];
  const order = await cartOf(ctx);
  if (order === null) return [];
  const rows = await ctx
    .sudo() // The cart is the caller's own.
    .model(SaleOrderLine)
    .find(
      [
        ['order_id', '=', order],
        ['product_id', 'in', variants],
      ],
      { select: { product_id: true } },
    );
  return rows.flatMap(({ product_id }) => product_id ?? []);
}

/** Text shown before scripts run, or without them. */
function initialTextOf(ctx: Ctx, variants: number, available: number, isMine: boolean): string {
  if (variants === 0) return '';
  if (available === 0) return isMine ? t(ctx, 'The last ones are in your cart') : t(ctx, 'Sold out');
  return variants === 1 && available <= EXACT_UP_TO ? t(ctx, 'Only {n} left', { n: available }) : t(ctx, 'In stock');
}
