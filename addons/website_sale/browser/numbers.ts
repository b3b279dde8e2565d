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

/** Writes a price where one stands, with as many digits as its currency has. */
export function showPrice(element: Element | null | undefined, price: number): void {
  if (!(element instanceof HTMLElement)) return;
  const digits = Number(element.dataset.digits ?? 2);
  element.textContent = new Intl.NumberFormat(pageLanguage(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(price);
}
