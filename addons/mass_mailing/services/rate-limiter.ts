import { setTimeout as sleep } from 'node:timers/promises';

/** Gives out turns, so many a second; 0 for no limit. */
export class RateLimiter {
  readonly #between: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#between = perSecond > 0 ? 1_000 / perSecond : 0;
  }

  /** Waits for the next turn; false when `mayGoOn` says no before it comes. */
  async turn(mayGoOn: () => boolean): Promise<boolean> {
    if (this.#between === 0) return mayGoOn();
    const now = performance.now();
    const turn = Math.max(now, this.#next);
    this.#next = turn + this.#between;
    for (let left = turn - now; left > 0; left = turn - performance.now()) {
      await sleep(Math.min(left, 500));
      if (!mayGoOn()) return false;
    }
    return mayGoOn();
  }
}
