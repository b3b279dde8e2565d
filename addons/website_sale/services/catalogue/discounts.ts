/** List prices this much above the price, in major units, are shown struck through. */
export const LIST_PRICE_ABOVE = 0.2;
/** Unit prices this much below the usual one, as a part of it, are shown as a discount. */
export const UNIT_PRICE_BELOW = 0.01;

/** Whether a unit price counts as a discount on the regular one: only if it is lower by more than 1 %. */
export function isUnitDiscount(price: number, regularPrice: number): boolean {
  // Half a thousandth of a cent: 33.66 of 34.00 is 1 % exactly, but not in binary.
  return regularPrice - price > regularPrice * UNIT_PRICE_BELOW + 5e-6;
}
