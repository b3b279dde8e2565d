import { setImmediate } from 'node:timers/promises';

/** Awaited between small pieces of work: lets requests in whenever about `sliceMs` milliseconds have gone by since it last did. */
export type Pause = () => Promise<void>;

/** Makes a {@link Pause}. */
export function createPause(sliceMs = 5): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    since = performance.now();
  };
}

/** Runs work that comes in small steps to its end, at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same while requests are served. */
export async function inSlices<T>(steps: Generator<void, T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}
