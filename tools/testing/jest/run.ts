const key = Symbol.for('pergola.test.end');

// globalSetup and globalTeardown of jest share only the process.
const shared: typeof globalThis & { [key]?: () => Promise<void> } = globalThis;

/** Registers a function to run when this test run ends. */
export function atEnd(end: () => Promise<void>): void {
  shared[key] = end;
}

/** Runs the registered function. */
export async function finish(): Promise<void> {
  await shared[key]?.();
}
