import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than anything takes, even at ten times the load. */
export const LONGEST_MS = 120_000;

/** The original, because a test may replace it. */
const now = performance.now.bind(performance);

/**
 * Waits until a condition holds and returns the milliseconds that took. Tests wait for states, never for a fixed time.
 *
 * @param isSo condition, checked every 10 ms
 * @throws Error if it doesn't hold after two minutes
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<number> {
  const started = now();
  while (!(await isSo())) {
    if (now() - started > LONGEST_MS) throw new Error(`This condition didn’t hold within ${LONGEST_MS} ms: ${isSo}`);
    await sleep(10);
  }
  return now() - started;
}
