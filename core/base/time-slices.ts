import { setImmediate } from 'node:timers/promises';

/** Await it between small pieces of work: lets requests run once about `sliceMs` milliseconds have passed since the last pause. */
export type Pause = () => Promise<void>;

/** Creates a {@link Pause}. */
export function createPause(sliceMs = 5): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    since = performance.now();
  };
}

/** Runs work in small steps to its end without pausing. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs work in small steps while requests are served. */
export async function inSlices<T>(steps: Generator<void, T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}
