import type { Ctx, Id } from 'pergola';
import { SaleOrder } from '#addons/sale';

/** Whether something of an order has to be sent. */
export async function hasGoods(ctx: Ctx, order: Id): Promise<boolean> {
  const { order_line } = await ctx
    .model(SaleOrder)
    .get(order, { select: { order_line: { product_id: { type: true } } } });
  return order_line.some(({ product_id }) => product_id?.type === 'consu');
}

/** Whether nothing is paid and nothing is sent, so that no postal address and no telephone is asked for. Needs rights lifted. */
export async function isGift(ctx: Ctx, order: Id): Promise<boolean> {
  const { amount_total } = await ctx.model(SaleOrder).get(order, { select: { amount_total: true } });
  return amount_total === 0 && !(await hasGoods(ctx, order));
}
