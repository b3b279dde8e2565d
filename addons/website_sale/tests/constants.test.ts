import { combines, isDiscount as isDiscountInBrowser, matching } from '../islands/parts/variants.ts';
import { viewKinds } from '../models/website-sale-view.ts';
import { isUnitDiscount, LIST_PRICE_ABOVE, UNIT_PRICE_BELOW } from '../services/catalogue/discounts.ts';
import { isDiscount } from '../services/catalogue/price-view.ts';
import { buyProduct } from '../tours/buy-product.ts';

const euro = { id: 1, code: 'EUR', symbol: '€', position: 'after', digits: 2 } as const;
const yen = { ...euro, code: 'JPY', digits: 0 } as const;

describe('what the specification says of the shop', () => {
  it.each([
    [1000, 1019, false],
    [1000, 1020, false],
    [1000, 1021, true],
    [1000, 900, false],
  ])('a list price of %p to %p: struck %p', (price, list, struck) => {
    expect(isDiscount(price, list, euro)).toBe(struck);
    expect(isDiscountInBrowser(price / 100, list / 100)).toBe(struck);
  });

  it('thresholds are 0.2 and 1 %', () => {
    expect([LIST_PRICE_ABOVE, UNIT_PRICE_BELOW]).toEqual([0.2, 0.01]);
    expect(isDiscount(100, 101, yen)).toBe(true);
    expect([isUnitDiscount(99, 100), isUnitDiscount(98.9, 100), isUnitDiscount(101, 100)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each([
    [33.67, 34, false],
    [33.66, 34, false],
    [33.65, 34, true],
    [3.7582, 3.8, true],
  ])('a unit price of %p for %p: a discount %p', (price, usual, isShown) => {
    expect(isUnitDiscount(price, usual)).toBe(isShown);
  });

  it('a combination that is no variant is not available, and what does not go together is known', () => {
    const variants = [
      [1, [10, 20], 5, 5],
      [2, [10, 21], 6, 6],
      [3, [11, 20], 5, 5],
    ] as const;
    expect(matching(variants, [10, 21])?.[0]).toBe(2);
    expect(matching(variants, [11, 21])).toBeUndefined();
    expect(combines(variants, 21, [11])).toBe(false);
    expect(combines(variants, 21, [10])).toBe(true);
    expect(matching([[7, [], 1, 1]], [])?.[0]).toBe(7);
  });

  it('statistics have the paths of the specification', () => {
    expect(Object.keys(viewKinds)).toEqual([
      'product_view',
      'product_add_to_cart',
      'customer_checkout',
      'customer_signin',
      'customer_signup',
      'order_checkout',
      'order_payment',
      'order_confirmed',
    ]);
  });

  it('the tour uses selectors every browser knows', () => {
    for (const { element = '', waitFor = '', waitNot = '' } of buyProduct.steps)
      expect(`${element}${waitFor}${waitNot}`).not.toMatch(/:(has-)?text|>>|:visible/);
  });
});
