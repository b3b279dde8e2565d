import { busy } from './errors.ts';
import { Semaphore } from './semaphore.ts';

interface Share {
  readonly places: Semaphore;
  users: number;
}

/** Limit for waiting work per name: a page may run six queries at once, and a visitor may open many pages. */
const maxWaiting = 400;

/** Limits concurrent work per name, so that a single user can't take all capacity. */
export class Shares {
  readonly #most: number;
  readonly #shares = new Map<string, Share>();

  constructor(maxRunning: number) {
    this.#most = Math.max(1, maxRunning);
  }

  /**
   * Runs the work when fewer than the maximum of the same name are running.
   *
   * @throws Unavailable if too many of them are waiting already.
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(name) ?? { places: new Semaphore(this.#most), users: 0 };
    if (share.places.waiting >= maxWaiting) throw busy('one visitor asks for too much at once');
    this.#shares.set(name, share);
    share.users += 1;
    try {
      return await share.places.run(work);
    } finally {
      share.users -= 1;
      if (share.users === 0) this.#shares.delete(name);
    }
  }
}
