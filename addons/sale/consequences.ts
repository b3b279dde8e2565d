import { type Ctx, fromMinor, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { PaymentTransaction } from './models/payment-transaction.ts';
import { SaleOrder } from './models/sale-order.ts';
import { currencyFormats } from './services/formats.ts';

/** Orders, quotations and payments that need the app. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('sale')) return [];
  const sent = await ctx.model(SaleOrder).count([['state', '=', 'sent']]);
  const pending = await ctx.model(PaymentTransaction).count([['state', '=', 'pending']]);
  return [
    { sentence: sentence('Orders to fulfil'), stops: true, ...(await openOrders(ctx)) },
    { sentence: sentence('Quotations that customers can no longer answer'), count: sent, stops: true },
    { sentence: sentence('Payments that won’t be confirmed'), count: pending, stops: true },
  ];
}

async function openOrders(ctx: Ctx): Promise<Pick<Consequence, 'count' | 'amounts'>> {
  const groups = await ctx.model(SaleOrder).group([['state', '=', 'sale']], {
    by: ['currency_id'],
    aggregates: ['amount_total:sum'],
  });
  const known = await currencyFormats(
    ctx,
    groups.map((group) => Number(group.currency_id)),
  );
  return {
    count: groups.reduce((sum, group) => sum + Number(group.count), 0),
    amounts: groups.flatMap((group) => {
      const currency = known.get(Number(group.currency_id));
      return currency
        ? [{ amount: fromMinor(Number(group['amount_total:sum']), currency), currency: currency.code }]
        : [];
    }),
  };
}
