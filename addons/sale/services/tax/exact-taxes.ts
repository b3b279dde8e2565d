import { type Decimal, decimal, type Id } from '#core';
import type { DecimalInput, ExactDecimal } from '#core/orm';

/** What of a tax its working-out needs. */
export interface TaxRule {
  readonly id: Id;
  readonly type: 'percent' | 'fixed';
  /** In per cent, or in major units of the order's currency for each piece. */
  readonly amount: Decimal;
  readonly price_include: boolean;
  readonly include_base_amount: boolean;
  readonly sequence: number | null;
}

/** One tax on an amount, before rounding, in major units. */
export interface ExactTax {
  readonly id: Id;
  readonly included: boolean;
  readonly base: ExactDecimal;
  readonly amount: ExactDecimal;
}
export interface ExactTaxes {
  /** Without any tax. */
  readonly net: ExactDecimal;
  readonly taxes: readonly ExactTax[];
}

/** An amount that grows with the net: `factor · net + fixed`. */
interface Line {
  readonly factor: ExactDecimal;
  readonly fixed: ExactDecimal;
}

const zero = decimal('0');
const one = decimal('1');

/**
 * Takes the taxes of a line apart, exactly.
 *
 * Each tax is a straight line over the net: a percentage of its base (the net and the taxes before it that say so), or a fixed amount for each
 * piece. What the price includes is then the net and the included taxes, so the net follows from one division, whatever the mixture:
 *
 * ```
 * price = net + Σ included = A · net + B   ─▶   net = (price − B) / A
 * ```
 *
 * @param price of the whole line in major units: unit price × quantity less discount
 * @param quantity how many pieces, for fixed taxes
 */
export function exactTaxes(price: ExactDecimal, quantity: DecimalInput, rules: readonly TaxRule[]): ExactTaxes {
  if (rules.length === 0) return { net: price, taxes: [] };
  const lines = taxLines(quantity, rules);
  const included = lines.filter(({ rule }) => rule.price_include);
  const factor = included.reduce((sum, { amount }) => sum.plus(amount.factor), one);
  const fixed = included.reduce((sum, { amount }) => sum.plus(amount.fixed), zero);
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
  let base: Line = { factor: one, fixed: zero };
  return [...rules].sort(inOrder).map((rule) => {
    const amount = amountOf(rule, base, quantity);
    const line = { rule, base, amount };
    if (rule.include_base_amount)
      base = { factor: base.factor.plus(amount.factor), fixed: base.fixed.plus(amount.fixed) };
    return line;
  });
}

function amountOf({ type, amount }: TaxRule, base: Line, quantity: DecimalInput): Line {
  if (type === 'fixed') return { factor: zero, fixed: decimal(amount).times(quantity) };
  const rate = decimal(amount).div(100);
  return { factor: base.factor.times(rate), fixed: base.fixed.times(rate) };
}

function at({ factor, fixed }: Line, net: ExactDecimal): ExactDecimal {
  return factor.times(net).plus(fixed);
}

function inOrder(a: TaxRule, b: TaxRule): number {
  return (a.sequence ?? 0) - (b.sequence ?? 0) || a.id - b.id;
}
