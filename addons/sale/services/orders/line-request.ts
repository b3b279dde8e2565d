import { app, type Ctx, type Id } from 'pergola';
import type { Need } from '../stock/limited-resources.ts';
import type { Shortage } from '../stock/stock.ts';

/** Most pieces of one product in one order. */
export const MOST_PIECES = 100_000;

/** A quantity as a visitor sent it; 0 for anything that isn't a number. It may have a fraction, and be larger than an order allows. */
export function quantityFrom(value: unknown): number {
  const number = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}

/** The same as whole pieces, fractions cut off, at most {@link MOST_PIECES}. */
export function wholeQuantity(value: unknown): number {
  return Math.max(-MOST_PIECES, Math.min(MOST_PIECES, Math.trunc(quantityFrom(value))));
}

/** A requested change to an order line. */
export interface LineRequest {
  readonly product: Id;
  /** The line that is meant; else the one of the same product is looked for. */
  readonly line?: Id | null;
  /** So many from now on; 0 or less takes the line away. */
  readonly set?: number;
  /** So many more (or less). Without `set` and `add` the line is taken away. */
  readonly add?: number;
  /** Values of the line that extensions added to it (`event_ticket_id`). */
  readonly extra?: Readonly<Record<string, unknown>>;
}
/** Result of a {@link LineRequest}. */
export interface LineAnswer {
  /** Null if the line doesn't exist or was deleted. */
  readonly line: Id | null;
  /** How many are on the order now. */
  readonly quantity: number;
  /** Why there are fewer than asked for, in the context's language. */
  readonly warning?: string;
  /** Whether the quantity was cut because only whole pieces, or no more of them, can be ordered. */
  readonly cut?: 'whole' | 'most';
}

/** Tells a customer which items are short. */
export function shortText(ctx: Ctx, short: readonly Shortage[]): string {
  return short
    .map(({ name, left: available }) =>
      available > 0
        ? ctx.plural('Only {n} left of “{name}”.', 'Only {n} left of “{name}”.', available, { name })
        : ctx.t('“{name}” is sold out.', { name }),
    )
    .filter((text, place, all) => all.indexOf(text) === place)
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

/** Tells the customer why a line has fewer pieces than asked for. */
export function cutText(ctx: Ctx, cut: 'whole' | 'most'): string {
  if (cut === 'whole') return ctx.t('Only whole pieces can be ordered.');
  const max = ctx.get(app.formats).formatNumber(MOST_PIECES, ctx.lang);
  return ctx.t('You can order up to {max} pieces of one product.', { max });
}

/** Whether two needs are the same, whatever their lines. */
export function isSameNeed(a: Need, b: Need): boolean {
  return a.resource === b.resource && a.id === b.id && a.quantity === b.quantity;
}
