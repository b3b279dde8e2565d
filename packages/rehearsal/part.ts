import { clusterPart, leases } from '@pergola/cluster';
import { definePart, discovery, generations, type PartHost, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { keepCode } from './kept-code.ts';
import { Rehearsals, rehearsals, tables } from './rehearsals.ts';

const keeper = value<CodeKeeper>('code keeper');

/** Starts rehearsals for screens, and keeps the code that a rehearsal of an upgrade compares with. */
export const rehearsalPart = definePart({
  name: 'rehearsal',
  needs: [dbPart, clusterPart],
  tables,
  provide(host) {
    const { config, log, get, set } = host;
    set(keeper, new CodeKeeper(host));
    set(rehearsals, new Rehearsals({ config, log, database: get(database), leases: get(leases) }));
  },
  phases: {
    async start({ get }) {
      get(generations).subscribe(() => get(keeper).keep());
    },
    async stop({ get }) {
      await get(rehearsals).stop();
      await get(keeper).done;
    },
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
