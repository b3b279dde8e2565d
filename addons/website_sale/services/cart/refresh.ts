import { type OrderProblem, SaleOrder, SaleOrderLine } from '@pergola/sale';
import { type Ctx, decimal, type Id, type Ids } from 'pergola';
import { unchosenList } from '../pricing-context.ts';
import { followVisitor } from './begin-cart.ts';

/** Updates that a cart took over from the shop. */
export interface CartNews {
  /** Lines whose price changed. */
  readonly repriced: Ids;
  /** Whether the promo code or pricelist has expired; its cookie must then be cleared. */
  readonly isListGone: boolean;
}

/**
 * Updates prices and descriptions, and replaces prices of an expired code with the default ones, so that customers see them before they
 * pay. Requires a writing context; the cart must be the caller's.
 */
export async function takeOffers(ctx: Ctx, order: Id, problems: readonly OrderProblem[]): Promise<CartNews> {
  const renewed = problems.filter(({ remedy }) => remedy === 'renew');
  const isListGone = renewed.some(({ code }) => code === 'sale.list_gone');
  const previousPrices = isListGone ? await pricesOf(ctx, order) : new Map<Id, string>();
  const orders = ctx.sudo().model(SaleOrder);
  if (isListGone) await orders.setPricelist(order, await unchosenList(ctx));
  else if (renewed.length > 0) await orders.reprice([order]);
  const now = isListGone ? await pricesOf(ctx, order) : previousPrices;
  const reportedLines = renewed.flatMap(({ code, line }) =>
    code === 'sale.price_changed' && line !== null ? [line] : [],
  );
  const repricedLines = [...now].filter(([line, price]) => previousPrices.get(line) !== price).map(([line]) => line);
  return { repriced: [...new Set([...reportedLines, ...repricedLines])], isListGone };
}

async function pricesOf(ctx: Ctx, order: Id): Promise<Map<Id, string>> {
  const { order_line } = await ctx
    .sudo() // The cart is the caller's own.
    .model(SaleOrder)
    .get(order, { select: { order_line: { price_unit: true } } });
  return new Map(order_line.map(({ id, price_unit }) => [id, decimal(price_unit).toString()]));
}

/** Also removes products that are no longer sold. Keeps lines that exceed the stock: the customer decides on the quantity. */
export async function refreshCart(ctx: Ctx, order: Id): Promise<CartNews> {
  const system = ctx.sudo(); // The cart is the caller's own.
  await system.lock(SaleOrder, [order]);
  const orders = system.model(SaleOrder);
  const ended = (await orders.problems(order)).filter(({ code }) => code === 'sale.list_gone');
  // Prices of an expired code are replaced below, which reports the changed ones to the customer.
  if (ended.length === 0) await followVisitor(ctx, order);
  const problems = await orders.problems(order);
  const unsoldLines = problems.flatMap(({ line, remedy }) => (remedy === 'remove' && line !== null ? [line] : []));
  if (unsoldLines.length > 0) await system.model(SaleOrderLine).unlink([...new Set(unsoldLines)]);
  return takeOffers(ctx, order, problems);
}

/** Query for the cart page that describes the changes. */
export function changedQuery({ repriced, isListGone }: CartNews): string {
  return `?note=${isListGone ? 'code' : 'changed'}${repriced.length > 0 ? `&priced=${repriced.slice(0, 50).join(',')}` : ''}`;
}

/** Returns the line ids in such a query; empty if it is malformed. */
export function linesIn(text: string): Id[] {
  return /^\d{1,9}(,\d{1,9}){0,49}$/.test(text) ? text.split(',').map(Number) : [];
}
