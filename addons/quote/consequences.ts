import { type Ctx, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { QuotedOrder } from './models/sale-order.ts';

/** Quotations that customers can no longer sign. Without Sales, that app reports them. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('quote') || leaving.has('sale')) return [];
  const count = await ctx.model(QuotedOrder).count([['state', '=', 'sent']]);
  return [{ sentence: sentence('Quotations that customers can no longer sign online'), count, stops: true }];
}
