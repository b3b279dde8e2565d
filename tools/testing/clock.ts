import { install } from '@sinonjs/fake-timers';
import { until } from './until.ts';

/** The time of day in a test and in the applications it starts. */
export interface TestClock {
  /** Moves the clock forward. It keeps running, and timers aren't affected. */
  forward(milliseconds: number): void;
}

/**
 * A clock for the tests of this file (or `describe`), so that they don't wait for things to expire. It is reset after each test.
 *
 * ```ts
 * const clock = withClock();
 * test('a hold ends', async () => {
 *   clock.forward(15 * 60_000);
 *   expect(await seatsLeft()).toBe(3);
 * });
 * ```
 */
export function withClock(): TestClock {
  let stop = (): void => {};
  afterEach(() => stop());
  return {
    forward(milliseconds) {
      const now = Date.now() + milliseconds;
      stop();
      const clock = install({ now, toFake: ['Date'], shouldAdvanceTime: true });
      stop = () => {
        clock.uninstall();
        stop = () => {};
      };
    },
  };
}

const MINUTE_MS = 60_000;
/** The originals, because tests may replace them. */
const { timeOrigin } = performance;
const monotonic = performance.now.bind(performance);

/** The hour that the clock was moved to, or null: demo data depends on it. */
export function hourOfClock(): string | null {
  const shift = Date.now() - (timeOrigin + monotonic());
  return Math.abs(shift) < MINUTE_MS ? null : new Date().toISOString().slice(0, 13);
}

/** Paused polls and heartbeats of everything a test started; the test advances them. */
export interface HeldIntervals extends Disposable {
  /** Runs the intervals due within this time. */
  pass(milliseconds: number): void;
  /** Advances time until the condition holds. */
  until(isSo: () => boolean): Promise<void>;
}

/**
 * Pauses intervals started from now on, and `performance.now()`. Even on a busy machine, what a test finds after `pass(250)` was due within
 * 250 ms, or didn't need an interval.
 */
export function holdIntervals(): HeldIntervals {
  const clock = install({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const pass = (milliseconds: number): void => void clock.tick(milliseconds);
  return {
    pass,
    async until(isSo) {
      await until(() => {
        const isDone = isSo();
        if (!isDone) pass(10);
        return isDone;
      });
    },
    [Symbol.dispose]: () => clock.uninstall(),
  };
}
