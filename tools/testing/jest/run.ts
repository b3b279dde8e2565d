const key = Symbol.for('pergola.test.end');

// jest hands nothing from globalSetup to globalTeardown but the process they share.
const shared: typeof globalThis & { [key]?: () => Promise<void> } = globalThis;

/** Says what is to be done when this run of the tests ends. */
export function atEnd(end: () => Promise<void>): void {
  shared[key] = end;
}

/** Does it. */
export async function finish(): Promise<void> {
  await shared[key]?.();
}
