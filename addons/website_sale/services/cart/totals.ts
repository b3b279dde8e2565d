import { SaleOrder } from '#addons/sale';
import type { Ctx, Id, Minor } from '#core';
import { type CurrencyView, currencyViews } from '../catalogue/price-view.ts';

/** What an order comes to, as pages show it. */
export interface Totals {
  readonly untaxed: Minor;
  readonly taxes: readonly { readonly name: string; readonly amount: Minor }[];
  readonly total: Minor;
  readonly currency: CurrencyView;
  /** Whether taxes may still change, because nobody said where it goes. */
  readonly provisional: boolean;
}

const unknownCurrency: CurrencyView = { id: 0, code: 'EUR', symbol: '€', position: 'after', digits: 2 };

/** The sums of an order the caller was found to own; needs rights lifted. */
export async function totalsOf(ctx: Ctx, id: Id): Promise<Totals> {
  const orders = ctx.model(SaleOrder);
  const order = await orders.get(id, {
    select: { amount_untaxed: true, amount_total: true, currency_id: true, invoice_country_id: true, state: true },
  });
  const shares = await orders.taxShares(id);
  return {
    untaxed: order.amount_untaxed ?? 0,
    taxes: shares.map(({ label, amount }) => ({ name: label, amount })),
    total: order.amount_total ?? 0,
    currency: (await currencyViews(ctx, [order.currency_id])).get(order.currency_id) ?? unknownCurrency,
    provisional: order.state === 'draft' && order.invoice_country_id === null,
  };
}
