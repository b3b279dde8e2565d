/** Set by tools/testing/jest/node.ts. */
const keepOrder: { [key: symbol]: undefined | (() => void) } = globalThis as never;

/**
 * Call this at the start of a `describe` (or {@link eachDatabase}) whose tests are steps of one scenario: `--randomize` keeps their order.
 * Tests that only share an application don't need it: each creates its own records and restores settings.
 */
export function inOrder(): void {
  keepOrder[Symbol.for('pergola.test.in-order')]?.();
}
