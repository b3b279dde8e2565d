import { type OrderProblem, SaleOrder, SaleOrderLine } from '#addons/sale';
import type { Ctx, Id, Ids } from '#core';
import { followVisitor } from './begin-cart.ts';

/**
 * Prices that changed since are those of now from here on, and the customer sees them before they pay. Needs a context that writes; the cart is the
 * caller's own.
 *
 * @returns the lines whose price changed
 */
export async function takePrices(ctx: Ctx, order: Id, problems: readonly OrderProblem[]): Promise<Id[]> {
  const lines = problems.flatMap(({ code, line }) => (code === 'sale.price_changed' && line !== null ? [line] : []));
  if (lines.length > 0) await ctx.sudo().model(SaleOrder).reprice([order]);
  return lines;
}

/** The same, and what is no longer sold goes. What there is too little of stays: how many are wanted of it is the customer's to say. */
export async function refreshCart(ctx: Ctx, order: Id): Promise<Id[]> {
  const system = ctx.sudo(); // The cart is the caller's own.
  await system.lock(SaleOrder, [order]);
  await followVisitor(ctx, order);
  const problems = await system.model(SaleOrder).problems(order);
  const gone = problems.flatMap(({ code, line }) =>
    line === null || code === 'sale.price_changed' || code === 'sale.short' ? [] : [line],
  );
  if (gone.length > 0) await system.model(SaleOrderLine).unlink([...new Set(gone)]);
  return takePrices(ctx, order, problems);
}

/** How the cart page is told of it. */
export function changedQuery(repriced: Ids): string {
  return `?note=changed${repriced.length > 0 ? `&priced=${repriced.slice(0, 50).join(',')}` : ''}`;
}

/** The lines in such an address; none where it was written by somebody else. */
export function linesIn(text: string): Id[] {
  return /^\d{1,9}(,\d{1,9}){0,49}$/.test(text) ? text.split(',').map(Number) : [];
}
