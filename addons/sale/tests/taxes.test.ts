import fc from 'fast-check';
import { type CurrencyUnits, decimal } from 'pergola';
import { addTaxes, exactTaxes, mappedPrice, roundTaxes, type TaxRule } from '../services/tax/taxes.ts';

const euro: CurrencyUnits = { digits: 2 };
const yen: CurrencyUnits = { digits: 0 };
const dinar: CurrencyUnits = { digits: 3 };
const franc: CurrencyUnits = { digits: 2, rounding: '0.05' };

function tax(id: number, amount: string, more: Partial<TaxRule> = {}): TaxRule {
  return { id, type: 'percent', amount, price_include: false, include_base_amount: false, sequence: id, ...more };
}
const over20 = tax(1, '20');
const in20 = tax(2, '20', { price_include: true });
const in55 = tax(3, '5.5', { price_include: true });
const eco = tax(4, '0.15', { type: 'fixed', price_include: true });
const ecoOver = tax(5, '0.15', { type: 'fixed' });
const ecoBase = tax(0, '1', { type: 'fixed', include_base_amount: true });
const luxury = tax(6, '10', { include_base_amount: true, sequence: 0 });

function amounts(price: string, quantity: string, rules: readonly TaxRule[], currency = euro): number[] {
  const { untaxed, taxes, total } = roundTaxes(exactTaxes(decimal(price).times(quantity), quantity, rules), currency);
  return [untaxed, ...taxes.map(({ amount }) => amount), total];
}

describe('taxes of a line', () => {
  it.each<[string, string, string, TaxRule[], CurrencyUnits, number[]]>([
    ['none', '10', '1', [], euro, [1000, 1000]],
    ['none, 3 × 0.333', '0.333', '3', [], euro, [100, 100]],
    ['none, 3 × 0.335', '0.335', '3', [], euro, [101, 101]],
    ['20 % on top', '10', '3', [over20], euro, [3000, 600, 3600]],
    ['20 % on top of 3 × 0.333', '0.333', '3', [over20], euro, [100, 20, 120]],
    ['20 % included', '12', '1', [in20], euro, [1000, 200, 1200]],
    ['20 % included in 10.00', '10', '1', [in20], euro, [833, 167, 1000]],
    ['20 % included in 3 × 0.333', '0.333', '3', [in20], euro, [83, 17, 100]],
    ['20 % included in 0.03: both parts end in a half', '0.03', '1', [in20], euro, [2, 1, 3]],
    ['20 % included in 0.01', '0.01', '1', [in20], euro, [1, 0, 1]],
    ['5.5 % included in 19.99 × 7', '19.99', '7', [in55], euro, [13264, 729, 13993]],
    ['a fixed one included', '10.15', '2', [eco], euro, [2000, 30, 2030]],
    ['a fixed one on top', '10', '2', [ecoOver], euro, [2000, 30, 2030]],
    ['a percentage and a fixed one included', '12.15', '2', [in20, eco], euro, [2000, 400, 30, 2430]],
    ['one on top of another', '100', '1', [luxury, over20], euro, [10000, 1000, 2200, 13200]],
    ['a percentage on top of a fixed one', '9', '2', [ecoBase, over20], euro, [1800, 200, 400, 2400]],
    ['included and on top together', '12', '1', [in20, tax(7, '10')], euro, [1000, 200, 100, 1300]],
    ['yen have no minor unit', '105', '3', [tax(8, '10')], yen, [315, 32, 347]],
    ['yen, included', '100', '1', [tax(9, '8', { price_include: true })], yen, [93, 7, 100]],
    ['dinars have three digits', '0.333', '3', [tax(10, '19')], dinar, [999, 190, 1189]],
    ['francs go in steps of five', '9.99', '1', [tax(11, '7.7')], franc, [1000, 75, 1075]],
    ['francs, included', '9.99', '1', [tax(12, '7.7', { price_include: true })], franc, [930, 70, 1000]],
    ['given back', '-12', '1', [in20], euro, [-1000, -200, -1200]],
    ['given back, a half', '-0.03', '1', [in20], euro, [-2, -1, -3]],
    ['a discount of 33.33 %', '7.3337', '3', [over20], euro, [2200, 440, 2640]],
    ['nothing', '10', '0', [in20], euro, [0, 0, 0]],
    ['a negative rate is kept back', '100', '1', [tax(13, '-10')], euro, [10000, -1000, 9000]],
  ])('%s', (_what, price, quantity, rules, currency, expected) => {
    expect(amounts(price, quantity, rules, currency)).toEqual(expected);
  });

  it('names the base of each', () => {
    const { taxes } = roundTaxes(exactTaxes(decimal('100'), 1, [luxury, over20]), euro);
    expect(taxes.map(({ id, base }) => [id, base])).toEqual([
      [6, 10000],
      [1, 11000],
    ]);
  });
});

describe('taxes over a whole order', () => {
  it('rounds once: three times 0.333 are 1.00, and 0.20 of tax', () => {
    const lines = [1, 2, 3].map(() => exactTaxes(decimal('0.333'), 1, [over20]));
    expect(lines.map((line) => roundTaxes(line, euro).tax)).toEqual([7, 7, 7]);
    expect(roundTaxes(addTaxes(lines), euro)).toMatchObject({ untaxed: 100, tax: 20, total: 120 });
  });

  it('keeps apart what is included and what is not', () => {
    const lines = [
      exactTaxes(decimal('12'), 1, [in20]),
      exactTaxes(decimal('10'), 1, [{ ...in20, price_include: false }]),
    ];
    const sum = roundTaxes(addTaxes(lines), euro);
    expect(sum).toMatchObject({ untaxed: 2000, tax: 400, total: 2400 });
    expect(sum.taxes).toHaveLength(2);
  });
});

describe('prices under other taxes', () => {
  it.each<[string, string, TaxRule[], TaxRule[], string]>([
    ['the same', '10', [in20], [in20], '10'],
    ['one of the same rate for another', '10', [in20], [tax(20, '20', { price_include: true })], '10'],
    ['10.01 stays as well', '10.01', [in20], [tax(20, '20', { price_include: true })], '10.01'],
    ['one for none', '12', [in20], [], '10'],
    ['one for none, to what can be paid', '10', [in20], [], '8.33'],
    ['the same, to its last digit', '0.012345', [in20], [in20], '0.012345'],
    ['a lower one', '12', [in20], [tax(21, '10', { price_include: true })], '11'],
    ['on top for on top', '10', [over20], [tax(22, '10')], '10'],
    ['included for on top', '12', [in20], [tax(22, '10')], '10'],
    ['on top for included', '10', [over20], [tax(23, '10', { price_include: true })], '11'],
    ['with a fixed one', '12.15', [in20, eco], [tax(24, '10', { price_include: true })], '11'],
  ])('%s', (_what, price, from, to, expected) => {
    expect(mappedPrice(price, from, to, euro)).toBe(expected);
  });
});

const rate = fc.integer({ min: -3000, max: 10000 }).map((n) => String(n / 100));
const anyTax = fc.record({
  type: fc.constantFrom('percent' as const, 'percent' as const, 'fixed' as const),
  amount: rate,
  price_include: fc.boolean(),
  include_base_amount: fc.boolean(),
});
const rules = fc.array(anyTax, { maxLength: 4 }).map((all) =>
  all.map(
    (one, index): TaxRule => ({
      ...one,
      // A fixed tax of more than the price makes the net negative, which says nothing.
      amount: one.type === 'fixed' ? String(Math.abs(Number(one.amount)) / 1000) : one.amount,
      id: index + 1,
      sequence: index,
    }),
  ),
);
const price = fc.integer({ min: 0, max: 10_000_000_000 }).map((n) => decimal(n).div(1_000_000).toString());
const pieces = fc.integer({ min: 1, max: 1000 });
const currency = fc.constantFrom(euro, yen, dinar, franc);

describe('whatever the prices and taxes', () => {
  it('the parts add up, and each is within one step of what is exact', () => {
    fc.assert(
      fc.property(price, pieces, rules, currency, (unit, quantity, taxes, units) => {
        const exact = exactTaxes(decimal(unit).times(quantity), quantity, taxes);
        const rounded = roundTaxes(exact, units);
        expect(rounded.untaxed + rounded.tax).toBe(rounded.total);
        expect(rounded.taxes.reduce((sum, { amount }) => sum + amount, 0)).toBe(rounded.tax);
        const step = Number(units.rounding ?? 10 ** -units.digits);
        rounded.taxes.forEach(({ amount }, place) => {
          const off = decimal(amount)
            .div(10 ** units.digits)
            .minus(exact.taxes[place]?.amount ?? '0');
          expect(Math.abs(off.toNumber())).toBeLessThanOrEqual(step / 2 + 1e-9);
        });
        const off = decimal(rounded.untaxed)
          .div(10 ** units.digits)
          .minus(exact.net);
        expect(Math.abs(off.toNumber())).toBeLessThanOrEqual((step * (taxes.length + 1)) / 2 + 1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it('what includes all its taxes is paid as it is marked', () => {
    fc.assert(
      fc.property(price, pieces, rules, currency, (unit, quantity, taxes, units) => {
        const included = taxes.map((one) => ({ ...one, price_include: true }));
        const { total } = roundTaxes(exactTaxes(decimal(unit).times(quantity), quantity, included), units);
        const marked = roundTaxes({ net: decimal(unit).times(quantity), taxes: [] }, units);
        expect(total).toBe(marked.total);
      }),
      { numRuns: 300 },
    );
  });

  it('giving back is buying the other way round', () => {
    fc.assert(
      fc.property(price, pieces, rules, currency, (unit, quantity, taxes, units) => {
        const bought = roundTaxes(exactTaxes(decimal(unit).times(quantity), quantity, taxes), units);
        const back = roundTaxes(exactTaxes(decimal(unit).times(-quantity), -quantity, taxes), units);
        expect([back.untaxed, back.tax, back.total].map((n) => n + 0)).toEqual(
          [-bought.untaxed, -bought.tax, -bought.total].map((n) => n + 0),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('an order rounded once is the sum of its lines, give or take their roundings', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(price, pieces), { minLength: 1, maxLength: 30 }), rules, (lines, taxes) => {
        const exact = lines.map(([unit, quantity]) => exactTaxes(decimal(unit).times(quantity), quantity, taxes));
        const once = roundTaxes(addTaxes(exact), euro);
        const each = exact.map((line) => roundTaxes(line, euro));
        const sum = each.reduce((total, line) => total + line.total, 0);
        expect(once.untaxed + once.tax).toBe(once.total);
        expect(Math.abs(once.total - sum)).toBeLessThanOrEqual(((lines.length + 1) * (taxes.length + 1)) / 2);
      }),
      { numRuns: 200 },
    );
  });
});
