import { Currency } from '@pergola/base';
import { type Ctx, type CurrencyUnits, type Decimal, decimal, type Id, type Ids, kept } from 'pergola';
import type { CurrencyFormat } from 'pergola/pages';

/** Decimal places, rate and format of a currency. */
export interface SaleCurrency extends CurrencyFormat {
  readonly id: Id;
  readonly symbol: string;
  readonly position: 'before' | 'after';
  readonly rounding: Decimal | null;
  /** Units of this currency per unit of the company's. */
  readonly rate: Decimal;
}

/** Currencies by id, including disabled ones. */
export const currencies = kept(
  'sale.currencies',
  async (ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, SaleCurrency>> => {
    const rows = await ctx.model(Currency).find(
      [
        ['id', 'in', ids],
        ['active', 'in', [true, false]],
      ],
      { select: { name: true, symbol: true, position: true, rate: true, decimal_places: true, rounding: true } },
    );
    return new Map(
      rows.map(({ id, name, decimal_places, ...row }) => [id, { ...row, id, code: name, digits: decimal_places }]),
    );
  },
);

/**
 * Converts a price to another currency at current rates. Rounds a converted price to payable steps of the currency, so that the shown unit
 * price times the quantity is the amount paid.
 */
export function convert(price: Decimal, from: SaleCurrency | undefined, to: SaleCurrency | undefined): Decimal {
  if (!from || !to || from.id === to.id) return price;
  return payable(decimal(price).times(to.rate).div(from.rate).toString(), to);
}

/** Rounds a calculated price to a multiple of the currency's smallest step. */
export function payable(price: Decimal, currency: CurrencyUnits): Decimal {
  const step = decimal(currency.rounding ?? '0');
  const stepped = step.gt(0) ? decimal(price).roundTo(step) : decimal(price);
  return stepped.round(currency.digits).toString();
}
