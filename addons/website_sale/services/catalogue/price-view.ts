import { currencyFormats } from '@pergola/sale';
import { type Ctx, type CurrencyUnits, type Decimal, decimal, fromMinor, type Id, type Ids, type Minor } from 'pergola';
import { LIST_PRICE_ABOVE } from './discounts.ts';

/** A price as printed by templates: the number is separate so that scripts can replace it. */
export interface PriceView {
  readonly value: Decimal;
  readonly digits: number;
  /** Currency symbol, if it precedes the number. */
  readonly before: string;
  readonly after: string;
}

/** Number format of a currency. */
export interface CurrencyView extends CurrencyUnits {
  readonly id: Id;
  readonly code: string;
  readonly symbol: string;
  readonly position: 'before' | 'after';
}

/** Returns currencies by id, including disabled ones. */
export async function currencyViews(ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, CurrencyView>> {
  return currencyFormats(ctx, ids);
}

/** Formats an amount in minor units for printing. */
export function priceView(amount: Minor, currency: CurrencyView): PriceView {
  return unitView(fromMinor(amount, currency), currency);
}

/** Formats a unit price in major units for printing: with the digits of its currency, or with all its digits if it has more. */
export function unitView(price: Decimal, currency: CurrencyView): PriceView {
  const gap = /\p{L}$/u.test(currency.symbol) ? '\u00a0' : '';
  return {
    value: price,
    digits: Math.max(currency.digits, decimal(price).places()),
    before: currency.position === 'before' ? `${currency.symbol}${gap}` : '',
    after: currency.position === 'after' ? `\u00a0${currency.symbol}` : '',
  };
}

/** Whether to show the list price struck through next to the price: only if it is higher by more than `LIST_PRICE_ABOVE`. */
export function isDiscount(price: Minor, list: Minor, currency: CurrencyView): boolean {
  return list - price > LIST_PRICE_ABOVE * 10 ** currency.digits;
}
