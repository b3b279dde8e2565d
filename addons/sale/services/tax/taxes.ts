import { type CurrencyUnits, type Decimal, decimal, type Id, type Minor, toMinor } from 'pergola';
import type { DecimalInput, ExactDecimal } from 'pergola/orm';
import { payable } from '../currencies.ts';

/** Tax fields needed for calculations. */
export interface TaxRule {
  readonly id: Id;
  readonly type: 'percent' | 'fixed';
  /** In per cent, or in major units of the order's currency per piece. */
  readonly amount: Decimal;
  readonly price_include: boolean;
  readonly include_base_amount: boolean;
  readonly sequence: number | null;
}

/** One tax on an amount, before rounding, in major units. */
interface ExactTax {
  readonly id: Id;
  readonly included: boolean;
  readonly base: ExactDecimal;
  readonly amount: ExactDecimal;
}
export interface ExactTaxes {
  /** Amount without any tax. */
  readonly net: ExactDecimal;
  readonly taxes: readonly ExactTax[];
}

/** A linear function of the net: `factor · net + fixed`. */
interface Line {
  readonly factor: ExactDecimal;
  readonly fixed: ExactDecimal;
}

const ZERO = decimal('0');
const ONE = decimal('1');
const PERCENT = decimal('0.01');

/**
 * Splits a line's price into net and taxes, exactly.
 *
 * Each tax is a linear function of the net: a percentage of its base (the net plus
 * earlier taxes that count towards it), or a fixed amount per piece. The price is the net plus the included taxes, so a single division
 * gives the net, for any mix of taxes:
 *
 * ```
 * price = net + Σ included = A · net + B   ─▶   net = (price − B) / A
 * ```
 *
 * @param price of the whole line in major units: unit price × quantity less discount
 * @param quantity number of pieces, for fixed taxes
 */
export function exactTaxes(price: ExactDecimal, quantity: DecimalInput, rules: readonly TaxRule[]): ExactTaxes {
  if (rules.length === 0) return { net: price, taxes: [] };
  const lines = taxLines(quantity, rules);
  const included = lines.filter(({ rule }) => rule.price_include);
  const factor = included.reduce((sum, { amount }) => sum.plus(amount.factor), ONE);
  const fixed = included.reduce((sum, { amount }) => sum.plus(amount.fixed), ZERO);
  const net = included.length > 0 ? price.minus(fixed).div(factor) : price;
  return {
    net,
    taxes: lines.map(({ rule, base, amount }) => ({
      id: rule.id,
      included: rule.price_include,
      base: at(base, net),
      amount: at(amount, net),
    })),
  };
}

function taxLines(quantity: DecimalInput, rules: readonly TaxRule[]): { rule: TaxRule; base: Line; amount: Line }[] {
  let base: Line = { factor: ONE, fixed: ZERO };
  return [...rules].sort(inOrder).map((rule) => {
    const amount = amountOf(rule, base, quantity);
    const line = { rule, base, amount };
    if (rule.include_base_amount)
      base = { factor: base.factor.plus(amount.factor), fixed: base.fixed.plus(amount.fixed) };
    return line;
  });
}

function amountOf({ type, amount }: TaxRule, base: Line, quantity: DecimalInput): Line {
  if (type === 'fixed') return { factor: ZERO, fixed: decimal(amount).times(quantity) };
  const rate = decimal(amount).times(PERCENT);
  return { factor: base.factor.times(rate), fixed: base.fixed.times(rate) };
}

function at({ factor, fixed }: Line, net: ExactDecimal): ExactDecimal {
  return factor.times(net).plus(fixed);
}

function inOrder(a: TaxRule, b: TaxRule): number {
  return (a.sequence ?? 0) - (b.sequence ?? 0) || a.id - b.id;
}

/** Amounts of a line or order in minor units, which add up exactly. */
export interface RoundedTaxes {
  readonly untaxed: Minor;
  readonly tax: Minor;
  readonly total: Minor;
  readonly taxes: readonly {
    readonly id: Id;
    readonly included: boolean;
    readonly base: Minor;
    readonly amount: Minor;
  }[];
}

/**
 * Rounds the net and each tax half away from zero to the currency's step. If taxes are included, the price is preserved: the price is
 * rounded, and the net is the price less its taxes, so that 0.03 with 20 % never becomes 0.04.
 */
export function roundTaxes({ net, taxes }: ExactTaxes, currency: CurrencyUnits): RoundedTaxes {
  const rounded = taxes.map(({ id, included, base, amount }) => ({
    id,
    included,
    base: toMinor(base, currency),
    amount: toMinor(amount, currency),
  }));
  const tax = sum(rounded.map(({ amount }) => amount));
  const included = taxes.filter((exactTax) => exactTax.included);
  const untaxed =
    included.length === 0
      ? toMinor(net, currency)
      : toMinor(included.reduce((price, { amount }) => price.plus(amount), net).round(12), currency) -
        sum(rounded.filter((roundedTax) => roundedTax.included).map(({ amount }) => amount));
  return { untaxed, tax, total: untaxed + tax, taxes: rounded };
}

/** Adds up exact amounts of several lines, for rounding over a whole order: the nets, and each tax. */
export function addTaxes(all: readonly ExactTaxes[]): ExactTaxes {
  const net = all.reduce((total, amounts) => total.plus(amounts.net), decimal('0'));
  const byTax = new Map<string, ExactTaxes['taxes'][number]>();
  for (const tax of all.flatMap(({ taxes }) => taxes)) {
    const key = `${tax.id}:${tax.included}`;
    const before = byTax.get(key);
    byTax.set(key, before ? { ...tax, base: before.base.plus(tax.base), amount: before.amount.plus(tax.amount) } : tax);
  }
  return { net, taxes: [...byTax.values()] };
}

function sum(amounts: readonly Minor[]): Minor {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/**
 * Returns the unit price after replacing the product's taxes: removes the taxes the price included, and adds the ones it must include now.
 * Exact until the end, so that 10.00 stays 10.00 if one 20 % tax replaces another; then rounded to payable steps, like every calculated
 * price.
 */
export function mappedPrice(
  price: Decimal,
  from: readonly TaxRule[],
  to: readonly TaxRule[],
  currency: CurrencyUnits,
): Decimal {
  const before = from.filter(({ price_include }) => price_include);
  const after = to.filter(({ price_include }) => price_include);
  const isUnchanged = before.length === after.length && before.every(({ id }) => after.some((tax) => tax.id === id));
  if (isUnchanged) return price;
  const { net } = exactTaxes(decimal(price), 1, from);
  return payable(gross(net, to).round(12).toString(), currency);
}

/** Adds the taxes that prices include to a net price. */
function gross(net: ExactDecimal, rules: readonly TaxRule[]): ExactDecimal {
  // Treats the taxes as not included, so that the rules give the amount each adds to the net.
  const { taxes } = exactTaxes(
    net,
    1,
    rules.map((rule) => ({ ...rule, price_include: false })),
  );
  const included = new Set(rules.filter(({ price_include }) => price_include).map(({ id }) => id));
  return taxes.filter(({ id }) => included.has(id)).reduce((sum, { amount }) => sum.plus(amount), net);
}

/** Returns an amount with all taxes, or without any. */
export function taxedAmount(
  price: Decimal,
  quantity: DecimalInput,
  rules: readonly TaxRule[],
  currency: CurrencyUnits,
  taxed: boolean,
): Minor {
  const { net, taxes } = exactTaxes(decimal(price).times(quantity), quantity, rules);
  const amount = taxed ? taxes.reduce((total, tax) => total.plus(tax.amount), net) : net;
  // Drops remainders of the division far behind the decimal point.
  return toMinor(amount.round(12), currency);
}
