import type { Ctx, Id } from '#core';
import type { Need } from '../stock/limited-resources.ts';
import type { Shortage } from '../stock/stock.ts';

/** More pieces of one thing than anybody buys at once. */
export const MOST_PIECES = 100_000;

/**
 * A quantity as it came from a visitor, as a whole number of pieces: what is no number is 0, fractions are cut off, and it is at most
 * {@link MOST_PIECES}.
 */
export function wholeQuantity(value: unknown): number {
  const number = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return 0;
  return Math.max(-MOST_PIECES, Math.min(MOST_PIECES, Math.trunc(number)));
}

/** What somebody wants changed on an order. */
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
/** What became of a {@link LineRequest}. */
export interface LineAnswer {
  /** Null when there is no line (any more). */
  readonly line: Id | null;
  /** How many are on the order now. */
  readonly quantity: number;
  /** Why there are fewer than asked for, in the context's language. */
  readonly warning?: string;
}

/** What a customer is told about what there is too little of. */
export function shortText(ctx: Ctx, short: readonly Shortage[]): string {
  return short
    .map(({ name, left }) =>
      left > 0
        ? ctx.plural('Only {n} left of “{name}”.', 'Only {n} left of “{name}”.', left, { name })
        : ctx.t('“{name}” is sold out.', { name }),
    )
    .filter((text, place, all) => all.indexOf(text) === place)
    .join(' ');
}

/** How many are wanted of what there are so many of `before`. */
export function wantedQuantity({ set, add }: LineRequest, before: number): number {
  if (set !== undefined) return wholeQuantity(set);
  if (add === undefined) return 0;
  return Math.min(MOST_PIECES, before + wholeQuantity(add));
}

/** Whether two needs are the same, whatever their lines. */
export function isSameNeed(one: Need, other: Need): boolean {
  return one.resource === other.resource && one.id === other.id && one.quantity === other.quantity;
}
