import { definePart, discovery, generations, type PartHost, value } from '@pergola/core';
import { dbPart } from '@pergola/db';
import { keepCode } from './kept-code.ts';

const keeper = value<CodeKeeper>('code keeper');

/** Keeps the code that a rehearsal of an upgrade compares with. */
export const rehearsalPart = definePart({
  name: 'rehearsal',
  needs: [dbPart],
  provide: (host) => host.set(keeper, new CodeKeeper(host)),
  phases: {
    async start({ get }) {
      get(generations).subscribe(() => get(keeper).keep());
    },
    stop: ({ get }) => get(keeper).done,
  },
});

/** Keeps the code of each generation that serves, one after the other. */
class CodeKeeper {
  readonly #host: PartHost;
  #done: Promise<void> = Promise.resolve();

  constructor(host: PartHost) {
    this.#host = host;
  }

  /** Settles once all code is kept. */
  get done(): Promise<void> {
    return this.#done;
  }

  keep(): void {
    const { config, log, get } = this.#host;
    const holder = get(generations);
    // Copies of a site, and sites under development, have no versions to go back to.
    if (!holder.ready || config.filesBelow || config.dev) return;
    const outside = holder.current.addons.filter((addon) => addon.outside);
    if (outside.length === 0) return;
    this.#done = this.#done.then(() => keepCode(config.dataDir, outside, get(discovery).since, log));
  }
}
