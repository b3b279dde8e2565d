import { LIST_PRICE_ABOVE } from '../../services/catalogue/discounts.ts';

/** A variant as pages tell it: its id, the values it is made of (of attributes with several), its price and the list price. */
export type Variant = readonly [id: number, values: readonly number[], price: number, list: number];

/** The variant all values of which are chosen; undefined where there is none. */
export function matching(variants: readonly Variant[], chosen: readonly number[]): Variant | undefined {
  return variants.find(([, values]) => values.every((value) => chosen.includes(value)));
}

/** Whether a value goes together with what is chosen of the other attributes. */
export function combines(variants: readonly Variant[], value: number, others: readonly number[]): boolean {
  return variants.some(([, values]) => values.includes(value) && others.every((other) => values.includes(other)));
}

/** Whether a list price is shown beside a price. */
export function isDiscount(price: number, list: number): boolean {
  return list - price > LIST_PRICE_ABOVE + 1e-9;
}
