import { SaleOrder } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';

/** Whether an order contains goods to ship. */
export async function hasGoods(ctx: Ctx, order: Id): Promise<boolean> {
  const { order_line } = await ctx
    .model(SaleOrder)
    .get(order, { select: { order_line: { product_id: { type: true } } } });
  return order_line.some(({ product_id }) => product_id?.type === 'consu');
}

/** Whether nothing is paid or shipped, so that neither postal address nor phone number is required. Needs elevated rights. */
export async function isGift(ctx: Ctx, order: Id): Promise<boolean> {
  const { amount_total } = await ctx.model(SaleOrder).get(order, { select: { amount_total: true } });
  return amount_total === 0 && !(await hasGoods(ctx, order));
}
