import { AsyncLocalStorage } from 'node:async_hooks';
import { definePart, discovery, type Log, loadedVersions, type PartHost, partConfig, value } from '@pergola/core';
import { type Database, database, dbPart } from '@pergola/db';
import { z } from 'zod';
import { Breakers } from './breakers.ts';
import { breakers } from './key.ts';
import { BREAKER_TABLE, deleteBreakers, readBreakers, type StoredBreaker, writeBreaker } from './store.ts';
import { breakerTables } from './tables.ts';

const following = value<BreakerFollower>('breaker follower');

/** Switches off parts of addons that keep failing. */
export const breakersPart = definePart({
  name: 'breakers',
  needs: [dbPart],
  config: partConfig(
    {
      BREAKER_SECONDS: z.coerce
        .number()
        .min(0)
        .max(900)
        .default(30)
        .describe(
          'Seconds a part of an app that keeps failing is off before it is tried again. 0: nothing is switched off.',
        ),
    },
    ({ BREAKER_SECONDS }) => ({ breakerMs: BREAKER_SECONDS * 1_000 }),
  ),
  tables: breakerTables,
  provide(host) {
    const follower = new BreakerFollower(host);
    host.set(following, follower);
    host.set(breakers, follower.breakers);
  },
  health: async ({ get }) => ({ breakers: { open: (await readBreakers(get(database), get(database).reader)).length } }),
  phases: {
    start: ({ get }) => get(following).start(),
    ready: ({ get }) => get(following).forgetOthers(),
    stop: ({ get }) => get(following).stop(),
  },
});

/** Synchronises the breakers of this process with the database. */
class BreakerFollower {
  readonly breakers: Breakers;
  readonly #database: Database;
  readonly #log: Log;
  readonly #versions: Readonly<Record<string, string>>;
  /** Runs a function outside the request or transaction in which a part fails. */
  readonly #outside = AsyncLocalStorage.snapshot();
  /** Reads and writes one after the other. */
  #last: Promise<void> = Promise.resolve();
  #stopListening: () => void = () => {};

  constructor({ config, log, get }: PartHost) {
    this.#log = log;
    this.#database = get(database);
    const { addons } = get(discovery);
    this.#versions = loadedVersions(get(discovery));
    this.breakers = new Breakers({
      addons: addons.map(({ name, folder }) => ({ name, folder, version: this.#versions[name] ?? '' })),
      // Developers want to see each error.
      pauseMs: config.dev ? 0 : config.breakerMs,
      secret: config.sessionSecret,
      log,
      save: (row) => this.#next(() => this.#save(row)),
    });
  }

  async start(): Promise<void> {
    await this.#follow();
    this.#stopListening = this.#database.changes.subscribe((tables) => {
      if (tables === 'all' || tables.has(BREAKER_TABLE)) this.#followAgain();
    });
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#last;
  }

  #followAgain(): void {
    const warn = (error: unknown) => this.#log.warn({ err: error }, 'The parts that are off could not be read');
    this.#next(() => this.#follow()).catch(warn);
  }

  /** Forgets parts of other versions than this process serves: an upgrade may have fixed them. */
  async forgetOthers(): Promise<void> {
    await this.#next(async () => {
      const rows = await readBreakers(this.#database, this.#database.reader);
      for (const { addon, version } of rows.filter((row) => this.#versions[row.addon] !== row.version))
        await this.#database.write((transaction) => deleteBreakers(this.#database, transaction, { addon, version }));
    });
  }

  async #follow(): Promise<void> {
    const previous = this.breakers.stored;
    this.breakers.follow(await readBreakers(this.#database, this.#database.reader), previous);
  }

  async #save(row: StoredBreaker): Promise<void> {
    const { addon, kind, name } = row;
    await this.#database.write(
      async (transaction) => {
        if (row.state === 'closed') await deleteBreakers(this.#database, transaction, { addon, kind, name });
        else await writeBreaker(this.#database, transaction, row);
      },
      { label: 'store breaker' },
    );
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#outside(() => this.#last.then(work));
    this.#last = done.catch(() => {});
    return done;
  }
}

declare module '@pergola/core/part' {
  interface Health {
    /** Parts of addons that are off. */
    readonly breakers?: { readonly open: number };
  }
}

declare module '@pergola/core/config' {
  interface Config {
    /** Pause before a part of an addon that is off is tried again, in ms; 0: none is switched off. */
    readonly breakerMs: number;
  }
}
