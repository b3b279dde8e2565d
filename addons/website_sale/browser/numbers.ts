import { pageLanguage } from '#core/browser';

/** A quantity as somebody typed it: what is no number counts as 0. */
export function typedQuantity(text: string): number {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? 0 : number;
}

/** A number kept between the input's `min` (0 when it has none) and `max` (no limit when it has none). */
export function clamped(value: number, input: HTMLInputElement): number {
  const min = input.min === '' ? 0 : Number(input.min);
  const max = input.max === '' ? Number.POSITIVE_INFINITY : Number(input.max);
  return Math.max(min, Math.min(max, value));
}

/** Unit prices have so many digits at the most. */
const MOST_DIGITS = 6;

/** Writes a price where one stands, with as many digits as its currency has, or all of its own where it has more. */
export function showPrice(element: Element | null | undefined, price: number): void {
  if (!(element instanceof HTMLElement)) return;
  const digits = Number(element.dataset.digits ?? 2);
  element.textContent = new Intl.NumberFormat(pageLanguage(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, MOST_DIGITS),
  }).format(price);
}
