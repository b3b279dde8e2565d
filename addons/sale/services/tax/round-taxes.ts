import { type CurrencyUnits, decimal, type Id, type Minor, toMinor } from '#core';
import type { ExactTaxes } from './exact-taxes.ts';

/** Amounts of a line or order in minor units; they add up. */
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
 * Rounds the net and each tax half away from zero to the currency's step. Where taxes are included, what was asked for stays what it was: the price
 * is rounded, and the net is the price less its taxes, so that 0.03 with 20 % is never 0.04.
 */
export function roundTaxes({ net, taxes }: ExactTaxes, currency: CurrencyUnits): RoundedTaxes {
  const rounded = taxes.map(({ id, included, base, amount }) => ({
    id,
    included,
    base: toMinor(base, currency),
    amount: toMinor(amount, currency),
  }));
  const tax = sum(rounded.map(({ amount }) => amount));
  const included = taxes.filter((one) => one.included);
  const untaxed =
    included.length === 0
      ? toMinor(net, currency)
      : toMinor(included.reduce((price, { amount }) => price.plus(amount), net).round(12), currency) -
        sum(rounded.filter((one) => one.included).map(({ amount }) => amount));
  return { untaxed, tax, total: untaxed + tax, taxes: rounded };
}

/** Exact amounts of several lines as one, for rounding over a whole order: the sums of the nets, and of each tax. */
export function addTaxes(all: readonly ExactTaxes[]): ExactTaxes {
  const net = all.reduce((total, one) => total.plus(one.net), decimal('0'));
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
