import { app, type Ctx, type Id } from 'pergola';
import { plural, t } from '../../texts.ts';
import type { Need } from '../stock/limited-resources.ts';
import type { Shortage } from '../stock/stock.ts';

/** Maximum quantity of a product per order. */
export const MOST_PIECES = 100_000;

/** Parses a quantity sent by a visitor; 0 for anything that isn't a number. It may have a fraction, and exceed the maximum. */
export function quantityFrom(value: unknown): number {
  const number = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}

/** The same in whole pieces, rounded down, at most {@link MOST_PIECES}. */
export function wholeQuantity(value: unknown): number {
  return Math.max(-MOST_PIECES, Math.min(MOST_PIECES, Math.trunc(quantityFrom(value))));
}

/** A requested change to an order line. */
export interface LineRequest {
  readonly product: Id;
  /** Requested line; defaults to an existing line of the same product. */
  readonly line?: Id | null;
  /** New quantity; 0 or less removes the line. */
  readonly set?: number;
  /** Quantity to add (or subtract). Without `set` and `add`, the line is removed. */
  readonly add?: number;
  /** Values that extensions added to the line (`event_ticket_id`). */
  readonly extra?: Readonly<Record<string, unknown>>;
}
/** Result of a {@link LineRequest}. */
export interface LineAnswer {
  /** Null if the line doesn't exist or was deleted. */
  readonly line: Id | null;
  /** Resulting quantity on the order. */
  readonly quantity: number;
  /** Why the quantity is less than requested, in the context's language. */
  readonly warning?: string;
  /** Why the quantity was cut: only whole pieces can be ordered, or the maximum is reached. */
  readonly cut?: 'whole' | 'most';
}

/** Tells a customer which items are short. */
export function shortText(ctx: Ctx, short: readonly Shortage[]): string {
  return short
    .map(({ name, left: available }) =>
      available > 0
        ? plural(ctx, 'Only {n} left of “{name}”.', 'Only {n} left of “{name}”.', available, { name })
        : t(ctx, '“{name}” is sold out.', { name }),
    )
    .filter((text, index, all) => all.indexOf(text) === index)
    .join(' ');
}

/** Outcome of a request: the line's quantity, and whether it is less than requested. */
export interface WantedQuantity {
  readonly quantity: number;
  readonly cut: 'whole' | 'most' | null;
}

/**
 * The pieces a line gets for a request: whole ones, at most {@link MOST_PIECES}.
 *
 * @param currentQuantity the line's pieces so far, to which `add` is added
 */
export function wantedQuantity({ set, add }: LineRequest, currentQuantity: number): WantedQuantity {
  const requestedQuantity = quantityFrom(set ?? add);
  const pieces = (set === undefined && add !== undefined ? currentQuantity : 0) + Math.trunc(requestedQuantity);
  if (pieces > MOST_PIECES) return { quantity: MOST_PIECES, cut: 'most' };
  return { quantity: pieces, cut: requestedQuantity > Math.trunc(requestedQuantity) ? 'whole' : null };
}

/** Tells the customer why a quantity was cut. */
export function cutText(ctx: Ctx, cut: 'whole' | 'most'): string {
  if (cut === 'whole') return t(ctx, 'Enter a whole number.');
  const max = ctx.get(app.formats).formatNumber(MOST_PIECES, ctx.lang);
  return t(ctx, 'You can order up to {max} of each product.', { max });
}

/** Whether two needs are equal, regardless of their lines. */
export function isSameNeed(a: Need, b: Need): boolean {
  return a.resource === b.resource && a.id === b.id && a.quantity === b.quantity;
}
