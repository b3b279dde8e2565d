import type { Ctx, Id, Minor } from '#core';
import type { CurrencyView } from '../catalogue/price-view.ts';
import { cartState } from './answer.ts';

/** What an order comes to, as pages show it. */
export interface Totals {
  readonly untaxed: Minor;
  readonly taxes: readonly { readonly name: string; readonly amount: Minor }[];
  readonly total: Minor;
  /** What prices of lists (a promo code) took off, as lines show them. */
  readonly saved: Minor;
  readonly currency: CurrencyView;
  /** Whether taxes may still change, because nobody said where it goes. */
  readonly provisional: boolean;
}

/** For amounts whose currency is gone. */
export const unknownCurrency: CurrencyView = { id: 0, code: 'EUR', symbol: '€', position: 'after', digits: 2 };

/** The sums of an order the caller was found to own; needs rights lifted. */
export async function totalsOf(ctx: Ctx, id: Id): Promise<Totals> {
  return (await cartState(ctx, id)).totals;
}
