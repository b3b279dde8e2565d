import { type CurrencyUnits, type Decimal, decimal, fromMinor, type Minor, toMinor } from 'pergola';
import type { KeptTax } from '../../models/sale-order-line.ts';
import { exactTaxes, roundTaxes, type TaxRule, taxedAmount } from '../tax/taxes.ts';

/** Amounts of a line. */
export interface LineAmounts {
  price_subtotal: Minor;
  price_tax: Minor;
  price_total: Minor;
  tax_detail: KeptTax[];
}

/** Quantity, price and discount of a line. */
export interface AskedLine {
  readonly product_uom_qty: Decimal;
  readonly price_unit: Decimal;
  readonly discount: Decimal | null;
}

/** Calculates the amounts of a quantity at a price, less a discount. */
export function amountsOf(
  { product_uom_qty, price_unit, discount }: AskedLine,
  rules: readonly TaxRule[],
  currency: CurrencyUnits,
): LineAmounts {
  const discountFactor = decimal('100')
    .minus(discount ?? '0')
    .div(100);
  const exact = exactTaxes(decimal(price_unit).times(product_uom_qty).times(discountFactor), product_uom_qty, rules);
  const rounded = roundTaxes(exact, currency);
  const detail = rounded.taxes.map((tax, index) => ({
    tax: tax.id,
    included: tax.included,
    base: tax.base,
    amount: tax.amount,
    exactBase: exact.taxes[index]?.base.toString() ?? '0',
    exactAmount: exact.taxes[index]?.amount.toString() ?? '0',
  }));
  return {
    price_subtotal: rounded.untaxed,
    price_tax: rounded.tax,
    price_total: rounded.total,
    tax_detail: detail,
  };
}

/** Prices of a line as shown to everyone: consistently with or without tax, and such that unit × quantity less discount is the amount. */
export interface ShownLine {
  /** Unit price before the line's discount, in major units; has more digits than the currency only if needed. */
  readonly unit: Decimal;
  /** Unit price before pricelist rules; equals `unit` if unknown. */
  readonly list: Decimal;
  /** Amount of the line. */
  readonly amount: Minor;
  /** Amount before the line's discount. */
  readonly was: Minor;
}

interface Line extends AskedLine {
  readonly price_list: Decimal | null;
  readonly price_subtotal: Minor | null;
  readonly price_total: Minor | null;
  readonly tax_detail: readonly KeptTax[] | null;
}

/** Maximum number of decimal places of a unit price, both stored and shown. */
const MAX_PLACES = 6;

interface Showing {
  readonly currency: CurrencyUnits;
  readonly taxed: boolean;
  readonly rules: readonly TaxRule[];
}

/** Returns the prices of a line as shown; see {@link ShownLine}. */
export function shownLine(line: Line, { currency, taxed, rules }: Showing): ShownLine {
  const amount = (taxed ? line.price_total : line.price_subtotal) ?? 0;
  if (isBare(line)) {
    const unit = fromMinor(taxedAmount(line.price_unit, 1, rules, currency, taxed), currency);
    const amountBefore = toMinor(decimal(unit).times(line.product_uom_qty), currency);
    return { unit, list: listOf(line, unit, currency), amount, was: amountBefore };
  }
  const unit = unitOf(line, amount, { currency, taxed });
  return {
    unit,
    list: listOf(line, unit, currency),
    amount,
    was: hasDiscount(line) ? toMinor(decimal(unit).times(line.product_uom_qty), currency) : amount,
  };
}

/** Returns the unit price with the fewest digits that yields the amount. */
function unitOf(line: Line, amount: Minor, { currency, taxed }: Omit<Showing, 'rules'>): Decimal {
  const pieces = decimal(line.product_uom_qty).times(discountFactorOf(line));
  const exact = exactAmount(line, taxed).div(pieces).round(12);
  // An unchanged price is shown with all its digits.
  const minPlaces = exact.eq(line.price_unit) ? Math.max(currency.digits, exact.places()) : currency.digits;
  // Rounding each tax can move the amount slightly away from the price.
  const paid = decimal(fromMinor(amount, currency)).div(pieces);
  for (let places = minPlaces; places <= MAX_PLACES; places++) {
    const fits = [exact, paid]
      .map((unit) => unit.round(places))
      .find((unit) => toMinor(unit.times(pieces), currency) === amount);
    if (fits) return fits.toString();
  }
  return paid.round(MAX_PLACES).toString();
}

/** Returns the exact amount of a line, with all its taxes or without any. */
function exactAmount(line: Line, taxed: boolean) {
  const grossAmount = decimal(line.price_unit).times(line.product_uom_qty).times(discountFactorOf(line));
  return (line.tax_detail ?? [])
    .filter(({ included }) => included !== taxed)
    .reduce((sum, { exactAmount: tax }) => (taxed ? sum.plus(tax) : sum.minus(tax)), grossAmount);
}

function listOf(line: Line, unit: Decimal, currency: CurrencyUnits): Decimal {
  const price = decimal(line.price_unit);
  if (!line.price_list || price.isZero()) return unit;
  return decimal(unit).times(line.price_list).div(price).round(currency.digits).toString();
}

const discountFactorOf = ({ discount }: Pick<Line, 'discount'>) =>
  decimal('100')
    .minus(discount ?? '0')
    .div(100);

const hasDiscount = (line: Pick<Line, 'discount'>): boolean => !discountFactorOf(line).eq(1);

/** Whether the line costs nothing at any price: its quantity is zero, or its discount is 100 %. */
export const isBare = (line: Pick<Line, 'discount' | 'product_uom_qty'>): boolean =>
  discountFactorOf(line).isZero() || decimal(line.product_uom_qty).isZero();
