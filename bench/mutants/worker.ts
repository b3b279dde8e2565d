import { registerHooks } from 'node:module';
import { addEventHandler } from 'jest-circus';

/** Request of the runner: run the file with one fault, or without any (0). */
export interface Order {
  readonly path: string;
  readonly settings: object;
  readonly fault: number;
}

/** Result of a run, and the faults whose code it executed. */
export interface Outcome {
  readonly failed: boolean;
  /** Executed while modules were loaded: only a fresh process shows the effect of the fault. */
  readonly loaded: readonly number[];
  readonly passed: readonly number[];
}

interface LightRunner {
  setWorkerData(settings: object): void;
  default(path: string): Promise<{ readonly numFailingTests: number; readonly failureMessage: string }>;
}

let run = 0;
let fault = Number(process.env.FAULT ?? 0);
let hasFailed = false;
let isLoading = true;
const loaded = new Set<number>();
const passed = new Set<number>();

Object.assign(globalThis, {
  __fault(id: number): boolean {
    (isLoading ? loaded : passed).add(id);
    return id === fault;
  },
});

// Runs before the hook of tools/testing/jest/node.ts, which removes the query that would load the tests a second time.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return /^file:.*\.test\.ts$/.test(specifier) ? { ...resolved, url: `${resolved.url}?${run}` } : resolved;
  },
});

// Skips the remaining tests after the first failure.
addEventHandler((event, { currentDescribeBlock }) => {
  isLoading = false;
  if (event.name !== 'add_test') return;
  const test = currentDescribeBlock.children.at(-1);
  if (test?.type !== 'test') return;
  const { fn } = test;
  test.fn = async () => {
    if (hasFailed) return;
    try {
      await (fn as () => unknown)();
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
});

const runner: LightRunner = await import(new URL('./worker-runner.js', import.meta.resolve('jest-light-runner')).href);

process.on('message', async (order: Order) => {
  run += 1;
  fault = order.fault;
  process.env.FAULT = String(fault);
  hasFailed = false;
  passed.clear();
  runner.setWorkerData(order.settings);
  const result = await runner.default(order.path).catch((error: unknown) => {
    if (fault === 0) console.error(error);
    return { numFailingTests: 1, failureMessage: String(error) };
  });
  if (fault === 0 && result.numFailingTests > 0) console.error(result.failureMessage);
  const outcome: Outcome = { failed: result.numFailingTests > 0, loaded: [...loaded], passed: [...passed] };
  process.send?.(outcome);
});
