/** Minimum difference from which a list price is shown struck through, in major units. */
export const LIST_PRICE_ABOVE = 0.2;
/** Minimum relative difference from which a unit price counts as a discount. */
export const UNIT_PRICE_BELOW = 0.01;

/** Whether a unit price counts as a discount on the regular one: only if it is lower by more than 1 %. */
export function isUnitDiscount(price: number, regularPrice: number): boolean {
  // Tolerance of half a thousandth of a cent: 33.66 of 34.00 is exactly 1 %, but not in binary.
  return regularPrice - price > regularPrice * UNIT_PRICE_BELOW + 5e-6;
}
