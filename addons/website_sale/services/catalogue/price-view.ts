import { type Ctx, type CurrencyUnits, type Decimal, decimal, fromMinor, type Id, type Ids, type Minor } from 'pergola';
import { currencyFormats } from '#addons/sale';
import { LIST_PRICE_ABOVE } from './discounts.ts';

/** A price as printed by templates: the number is separate so that scripts can replace it. */
export interface PriceView {
  readonly value: Decimal;
  readonly digits: number;
  /** Currency symbol, if it precedes the number. */
  readonly before: string;
  readonly after: string;
}

/** How amounts of a currency are written. */
export interface CurrencyView extends CurrencyUnits {
  readonly id: Id;
  readonly code: string;
  readonly symbol: string;
  readonly position: 'before' | 'after';
}

/** Currencies by id, also those switched off since. */
export async function currencyViews(ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, CurrencyView>> {
  return currencyFormats(ctx, ids);
}

/** An amount in minor units, ready to be printed. */
export function priceView(amount: Minor, currency: CurrencyView): PriceView {
  return unitView(fromMinor(amount, currency), currency);
}

/** A unit price in major units, ready to be printed: with the digits of its currency, or with all of its own where it has more. */
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
