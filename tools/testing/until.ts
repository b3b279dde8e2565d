import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than anything takes, on a machine with ten times its load. */
export const LONGEST_MS = 120_000;

/** As it is now: a test may hold it. */
const now = performance.now.bind(performance);

/**
 * Waits until something is so, and answers how many milliseconds that took: tests wait for states, never for time.
 *
 * @param isSo is asked every 10 ms
 * @throws Error if it isn't so after two minutes
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<number> {
  const started = now();
  while (!(await isSo())) {
    if (now() - started > LONGEST_MS) throw new Error(`This didn’t come true within ${LONGEST_MS} ms: ${isSo}`);
    await sleep(10);
  }
  return now() - started;
}
