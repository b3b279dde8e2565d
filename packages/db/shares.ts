import { busy } from './errors.ts';
import { Semaphore } from './semaphore.ts';

interface Share {
  readonly places: Semaphore;
  users: number;
}

/** More of one name wait for their turn at most: a page may ask for six things at once, and somebody may open many. */
const mostWaiting = 400;

/** Sees to it that nobody alone takes all there is: so many at a time for each name. */
export class Shares {
  readonly #most: number;
  readonly #shares = new Map<string, Share>();

  constructor(most: number) {
    this.#most = Math.max(1, most);
  }

  /**
   * Runs the work when fewer than that of the same name are at work.
   *
   * @throws Unavailable when too many of them wait already.
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(name) ?? { places: new Semaphore(this.#most), users: 0 };
    if (share.places.waiting >= mostWaiting) throw busy('one visitor asks for too much at once');
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
