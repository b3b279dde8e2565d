import { type Ctx, type CurrencyUnits, type Decimal, decimal, type Id, type Ids } from '#core';
import { currencyMemory, keyOf, readCurrencies, remembered } from '../memories.ts';

/** How a currency counts, and what it is worth. */
export interface SaleCurrency extends CurrencyUnits {
  readonly id: Id;
  readonly code: string;
  /** Units of it for one of the company's. */
  readonly rate: Decimal;
}

/** Currencies by id, switched off ones as well. */
export async function currenciesOf(ctx: Ctx, ids: Ids): Promise<Map<Id, SaleCurrency>> {
  const rows = await remembered(ctx, currencyMemory, readCurrencies, keyOf(ids));
  return new Map(
    [...rows.values()].map(({ id, name, rate, decimal_places, rounding }) => [
      id,
      { id, code: name, rate, digits: decimal_places, rounding },
    ]),
  );
}

/**
 * A price in another currency, at the rates of now. A price that was converted is rounded to what can be paid in the currency: what a page shows
 * for one times the quantity is then what is paid.
 */
export function convert(price: Decimal, from: SaleCurrency | undefined, to: SaleCurrency | undefined): Decimal {
  if (!from || !to || from.id === to.id) return price;
  return payable(decimal(price).times(to.rate).div(from.rate).toString(), to);
}

/** A worked-out price as a multiple of the currency's smallest step. */
export function payable(price: Decimal, currency: SaleCurrency): Decimal {
  const step = decimal(currency.rounding ?? '0');
  const stepped = step.gt(0) ? decimal(price).roundTo(step) : decimal(price);
  return stepped.round(currency.digits).toString();
}
