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
