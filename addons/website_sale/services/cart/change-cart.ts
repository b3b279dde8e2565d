import {
  type LineAnswer,
  ProductProduct,
  quantityFrom,
  SaleOrder,
  SaleOrderLine,
  Stock,
  wholeQuantity,
} from '@pergola/sale';
import { Conflict, type Ctx, type Id, InvalidInput, NotFound, z } from 'pergola';
import { ensureCart, followVisitor, lockCart } from './begin-cart.ts';
import { forgetMerge } from './merge-carts.ts';
import { cartOf, isBeingPaid } from './session-cart.ts';

/** A cart change as requested by a visitor. */
export interface CartChange {
  readonly line: Id | null;
  readonly product: Id | null;
  /** New quantity; takes precedence over `add`. */
  readonly set?: unknown;
  readonly add?: unknown;
}
export interface CartAnswer extends LineAnswer {
  readonly order: Id;
}

/**
 * Sets or adds a quantity in the caller's cart, creating the cart with its first product. Requires a writing context.
 *
 * @throws NotFound if the line isn't in the caller's cart; Conflict if the product isn't sold or the cart is being paid.
 */
export async function changeCart(ctx: Ctx, change: CartChange): Promise<CartAnswer> {
  const quantity = {
    ...(isGiven(change.set) ? { set: quantityFrom(change.set) } : {}),
    ...(isGiven(change.add) ? { add: quantityFrom(change.add) } : {}),
  };
  const system = ctx.sudo(); // All changes below affect the caller's own cart.
  if (change.product !== null)
    await system
      .get(Stock)
      .lineUp(await system.model(SaleOrderLine).wants({ product: change.product }, 1, change.line));
  await lockCart(ctx);
  forgetMerge(ctx);
  if (change.line !== null) {
    const order = await cartOf(ctx);
    if (order === null) throw noLine();
    if (!(await isBeingPaid(ctx, order))) await followVisitor(ctx, order);
    const leaves = wholeQuantity(quantity.set ?? quantity.add ?? 0) <= 0;
    const line = leaves || change.product === null ? await lineOf(system, order, change.line) : null;
    // The order also rejects a line of another cart or product.
    const product = change.product ?? line?.product ?? null;
    if (product === null) throw noLine();
    const answer = await system.model(SaleOrder).setLine(order, { product, line: change.line, ...quantity });
    remember(ctx, line && answer.quantity === 0 && product === line.product ? { ...line, order, product } : undefined);
    return { order, ...answer };
  }
  if (change.product === null)
    throw new InvalidInput('Choose a product to add or a line to change.', { code: 'website_sale.nothing_named' });
  const requested = wholeQuantity(Math.max(quantity.set ?? 0, quantity.add ?? 0));
  // Doesn't create a cart to remove something from it.
  const order = requested > 0 ? await buyerOf(ctx, change.product) : await cartOf(ctx);
  if (order === null) throw noLine();
  remember(ctx, undefined);
  return { order, ...(await system.model(SaleOrder).setLine(order, { product: change.product, ...quantity })) };
}

/** Returns or creates the caller's cart, if the product is visible to them and on sale. */
async function buyerOf(ctx: Ctx, product: Id): Promise<Id> {
  const [row] = await ctx.model(ProductProduct).read([product], { select: { sale_ok: true } });
  if (!row?.sale_ok) throw noProduct();
  return ensureCart(ctx);
}

/** The line removed last, so that it can be put back. */
interface Removed {
  readonly order: Id;
  readonly product: Id;
  readonly quantity: number;
  readonly name: string;
  readonly extra: Readonly<Record<string, unknown>>;
}
const REMOVED = 'sale_removed_line';

function remember(ctx: Ctx, removed: Removed | undefined): void {
  if (removed !== undefined || ctx.session.get(REMOVED) !== undefined) ctx.session.set(REMOVED, removed);
}

const removedShape = z.object({
  order: z.number(),
  product: z.number(),
  quantity: z.number(),
  name: z.string(),
  extra: z.record(z.string(), z.unknown()),
});

/** Returns the line that the caller removed with their last cart change, or null. */
export function removedLine(ctx: Ctx, order: Id | null): Removed | null {
  const { data } = removedShape.safeParse(ctx.session.get(REMOVED));
  return data !== undefined && data.order === order ? data : null;
}

/** Puts the removed line back, limited to the available stock; returns null if there is nothing to put back. Requires a writing context. */
export async function putBack(ctx: Ctx): Promise<CartAnswer | null> {
  const order = await cartOf(ctx);
  const removed = removedLine(ctx, order);
  if (order === null || removed === null) return null;
  if (!(await isBeingPaid(ctx, order))) await followVisitor(ctx, order);
  remember(ctx, undefined);
  const { product, quantity: add, extra } = removed;
  const orders = ctx.sudo().model(SaleOrder); // The cart is the caller's own.
  return { order, ...(await orders.setLine(order, { product, add, extra })) };
}

async function lineOf(ctx: Ctx, order: Id, line: Id) {
  const row = await ctx.model(SaleOrderLine).first(
    [
      ['id', '=', line],
      ['order_id', '=', order],
    ],
    { select: { product_id: true, product_uom_qty: true, name: true } },
  );
  if (!row) return null;
  return {
    product: row.product_id,
    quantity: Number(row.product_uom_qty),
    name: row.name.split('\n', 1)[0] ?? '',
    extra: await ctx.model(SaleOrderLine).extraOf(line),
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function noLine(): NotFound {
  return new NotFound('This item is no longer in your cart.', { code: 'website_sale.no_line' });
}

function noProduct(): Conflict {
  return new Conflict('This product is no longer sold.', { code: 'website_sale.not_sold' });
}
