import { type Ctx, decimal, type Id } from '#core';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { hold } from '../stock/holds.ts';
import { refuseUnlessEditable } from './frozen.ts';
import { MOST_PIECES } from './quantity.ts';
import { repriceOrder } from './reprice.ts';
import { cartUntil } from './until.ts';

/** See `SaleOrder.clean`. */
export async function cleanOrder(ctx: Ctx, id: Id): Promise<void> {
  await ctx.lock(SaleOrder, [id]);
  const order = await ctx.model(SaleOrder).get(id, { select: { state: true, order_line: true } });
  await refuseUnlessEditable(ctx, order);
  if (order.order_line.length > 0) await ctx.model(SaleOrderLine).unlink(order.order_line);
}

/** See `SaleOrder.mergeInto`. What there is too little of for both stays as it was in the target. */
export async function mergeOrders(ctx: Ctx, from: Id, into: Id): Promise<void> {
  if (from === into) return;
  await ctx.lock(SaleOrder, [from, into]);
  const orders = ctx.model(SaleOrder);
  const select = { state: true, order_line: { product_id: true, product_uom_qty: true } } as const;
  const source = await orders.get(from, { select });
  const target = await orders.get(into, { select });
  await refuseUnlessEditable(ctx, source);
  await refuseUnlessEditable(ctx, target);
  const lines = ctx.model(SaleOrderLine);
  for (const line of source.order_line) {
    const same = await sameIn(ctx, target.order_line, line);
    if (same === null) {
      await lines.write(line.id, { order_id: into });
      continue;
    }
    const sum = decimal(line.product_uom_qty).plus(same.product_uom_qty);
    await lines.write(same.id, { product_uom_qty: (sum.gt(MOST_PIECES) ? decimal(MOST_PIECES) : sum).toString() });
    await lines.unlink(line.id);
    await holdOrTakeBack(ctx, into, same.id, same.product_uom_qty);
  }
  await orders.unlink(from);
  await renewHolds(ctx, into);
  await repriceOrder(ctx, into);
}

interface Line {
  readonly id: Id;
  readonly product_id: Id | null;
  readonly product_uom_qty: string;
}

/** The line of the target that a line of the source is more of. */
async function sameIn(ctx: Ctx, target: readonly Line[], line: Line): Promise<Line | null> {
  const candidates = target.filter(({ product_id }) => product_id !== null && product_id === line.product_id);
  if (candidates.length === 0 || line.product_id === null) return null;
  const lines = ctx.model(SaleOrderLine);
  const id = await lines.sameLine(
    candidates.map((one) => one.id),
    { product: line.product_id, extra: await lines.extraOf(line.id) },
  );
  return candidates.find((one) => one.id === id) ?? null;
}

async function holdOrTakeBack(ctx: Ctx, order: Id, line: Id, before: string): Promise<void> {
  const lines = ctx.model(SaleOrderLine);
  const short = await hold(ctx, order, await lines.needs([line]), await cartUntil(ctx));
  if (short.length === 0) return;
  await lines.write(line, { product_uom_qty: before });
  await hold(ctx, order, await lines.needs([line]), await cartUntil(ctx));
}

/** Lines that came over hold what they need for their new order; those that cannot are told of at checkout. */
async function renewHolds(ctx: Ctx, order: Id): Promise<void> {
  const { order_line } = await ctx.model(SaleOrder).get(order, { select: { order_line: true } });
  for (const line of order_line) {
    await hold(ctx, order, await ctx.model(SaleOrderLine).needs([line]), await cartUntil(ctx));
  }
}
