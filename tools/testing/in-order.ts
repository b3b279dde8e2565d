/** Set by tools/testing/jest/node.ts. */
const keepOrder: { [key: symbol]: undefined | (() => void) } = globalThis as never;

/**
 * Called at the beginning of a `describe` (or {@link eachDatabase}) whose tests are the steps of one story: `--randomize` keeps their order. Tests that
 * only share an application don't need it: each makes its own records, and undoes changes of settings.
 */
export function inOrder(): void {
  keepOrder[Symbol.for('pergola.test.in-order')]?.();
}
