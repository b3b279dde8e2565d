import { LIST_PRICE_ABOVE } from '../../services/catalogue/discounts.ts';

/** A variant as sent to pages: id, values (of attributes with several), price and list price. */
export type Variant = readonly [id: number, values: readonly number[], price: number, list: number];

/** Returns the variant whose values are all chosen, or undefined if none matches. */
export function matching(variants: readonly Variant[], selectedValues: readonly number[]): Variant | undefined {
  return variants.find(([, values]) => values.every((value) => selectedValues.includes(value)));
}

/** Whether a variant combines a value with the other chosen values. */
export function combines(variants: readonly Variant[], value: number, selectedValues: readonly number[]): boolean {
  return variants.some(
    ([, values]) => values.includes(value) && selectedValues.every((selectedValue) => values.includes(selectedValue)),
  );
}

/** Whether to show the list price next to the price. */
export function isDiscount(price: number, list: number): boolean {
  return list - price > LIST_PRICE_ABOVE + 1e-9;
}
