import { setTimeout as sleep } from 'node:timers/promises';

/** Limits actions to a number per second; 0 means unlimited. */
export class RateLimiter {
  readonly #between: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#between = perSecond > 0 ? 1_000 / perSecond : 0;
  }

  /** Waits for the next turn; returns false if `mayGoOn` fails before that. */
  async turn(mayGoOn: () => boolean): Promise<boolean> {
    if (this.#between === 0) return mayGoOn();
    const now = performance.now();
    const turn = Math.max(now, this.#next);
    this.#next = turn + this.#between;
    for (let remaining = turn - now; remaining > 0; remaining = turn - performance.now()) {
      await sleep(Math.min(remaining, 500));
      if (!mayGoOn()) return false;
    }
    return mayGoOn();
  }
}
