import { SaleOrder } from '#addons/sale';
import { type Ctx, decimal, type Id, type Ids, type Minor } from '#core';

/** What orders would come to without their lines' discounts, before tax: the sum of subtotals plus discounts. */
export async function undiscounted(ctx: Ctx, ids: Ids): Promise<Map<Id, Minor>> {
  const rows = await ctx
    .model(SaleOrder)
    .read(ids, { select: { order_line: { price_subtotal: true, discount: true } } });
  return new Map(
    rows.map(({ id, order_line }) => [
      id,
      order_line.reduce(
        (sum, { price_subtotal: subtotal, discount }) => sum + before(subtotal ?? 0, discount ?? '0'),
        0,
      ),
    ]),
  );
}

/** An amount before a discount in per cent was taken off; of what is free nothing can be said. */
export function before(amount: Minor, discount: string): Minor {
  const kept = decimal('100').minus(discount);
  return kept.lte('0') ? amount : decimal(amount).times('100').div(kept.toString()).round().toNumber();
}
