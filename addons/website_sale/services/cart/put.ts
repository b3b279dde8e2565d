import { type LineAnswer, ProductProduct, SaleOrder, SaleOrderLine, wholeQuantity } from '#addons/sale';
import { Conflict, type Ctx, type Id, NotFound } from '#core';
import { cartOf, ensureCart } from './session-cart.ts';

/** What a visitor wants of their cart, as it came in. */
export interface CartChange {
  readonly line: Id | null;
  readonly product: Id | null;
  /** So many from now on; wins over `add`. */
  readonly set?: unknown;
  readonly add?: unknown;
}
export interface CartAnswer extends LineAnswer {
  readonly order: Id;
}

/**
 * Changes how many of something the caller's cart holds, making the cart with the first thing. Needs a context that writes.
 *
 * @throws NotFound for a line that is not in the caller's cart; Conflict for what is not sold, and while the cart is being paid.
 */
export async function changeCart(ctx: Ctx, change: CartChange): Promise<CartAnswer> {
  const quantity = {
    ...(isGiven(change.set) ? { set: wholeQuantity(change.set) } : {}),
    ...(isGiven(change.add) ? { add: wholeQuantity(change.add) } : {}),
  };
  const system = ctx.sudo(); // Everything below is done to the caller's own cart.
  if (change.line !== null) {
    const order = await cartOf(ctx);
    // A line of another cart, or of another product than was said, is not found by the order either.
    const product = order === null ? null : (change.product ?? (await productOf(system, order, change.line)));
    if (order === null || product === null) throw noLine();
    return { order, ...(await system.model(SaleOrder).setLine(order, { product, line: change.line, ...quantity })) };
  }
  if (change.product === null) throw noProduct();
  const wanted = Math.max(quantity.set ?? 0, quantity.add ?? 0);
  // Nothing is begun for who takes out what is not there.
  const order = wanted > 0 ? await buyerOf(ctx, change.product) : await cartOf(ctx);
  if (order === null) throw noLine();
  return { order, ...(await system.model(SaleOrder).setLine(order, { product: change.product, ...quantity })) };
}

/** The caller's cart for something the shop sells them: what they may see, and no more. */
async function buyerOf(ctx: Ctx, product: Id): Promise<Id> {
  const [row] = await ctx.model(ProductProduct).read([product], { select: { sale_ok: true } });
  if (!row?.sale_ok) throw noProduct();
  return ensureCart(ctx);
}

async function productOf(ctx: Ctx, order: Id, line: Id): Promise<Id | null> {
  const row = await ctx.model(SaleOrderLine).first(
    [
      ['id', '=', line],
      ['order_id', '=', order],
    ],
    { select: { product_id: true } },
  );
  return row?.product_id ?? null;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function noLine(): NotFound {
  return new NotFound('There is no such line in your cart.', { code: 'website_sale.no_line' });
}

function noProduct(): Conflict {
  return new Conflict('This product is no longer sold.', { code: 'website_sale.not_sold' });
}
