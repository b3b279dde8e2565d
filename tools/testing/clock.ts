import { install } from '@sinonjs/fake-timers';
import { until } from './until.ts';

/** The time of day in a test and in the applications it started. */
export interface TestClock {
  /** Moves it forward by so many milliseconds. It keeps running, and timers aren't affected. */
  forward(milliseconds: number): void;
}

/**
 * A clock for the tests of this file (or `describe`), so that none waits until something expires. It is right again after each test.
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
/** As they are now: tests may hold them. */
const { timeOrigin } = performance;
const monotonic = performance.now.bind(performance);

/** The hour that the time of day was moved to, or null: what an application makes of its demo data depends on it. */
export function hourOfClock(): string | null {
  const shift = Date.now() - (timeOrigin + monotonic());
  return Math.abs(shift) < MINUTE_MS ? null : new Date().toISOString().slice(0, 13);
}

/** Polls and heartbeats of everything a test started, which run only when it says so. */
export interface HeldIntervals extends Disposable {
  /** Runs what is due within so many milliseconds. */
  pass(milliseconds: number): void;
  /** Lets time pass until it is so; no look that began meanwhile is still on its way then. */
  until(isSo: () => boolean): Promise<void>;
}

/**
 * Holds intervals that are started from now on, and `performance.now()` with them: on a busy machine as well, what a test finds after `pass(250)` was
 * there within 250 ms, or came by itself.
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
