import { LiveValue } from '../cache/index.ts';
import type { ContextOptions, Ctx, Identity, OwnedContext, RequestAttributes } from '../context/index.ts';
import type { Connection, Transaction, WriteOptions } from '../db/index.ts';
import { noSession } from '../http/index.ts';
import { DEFAULT_ZONE, siteZoneOf } from '../i18n/index.ts';
import type { Generation } from '../kernel/index.ts';
import { type ContextEnvironment, createContext } from './request-context.ts';
import { app } from './values.ts';

/** The application itself, where nobody asked: jobs, commands, switches. */
const system: Identity = Object.freeze({
  id: null,
  partnerId: null,
  name: 'System',
  login: null,
  groups: new Set<string>(),
  lang: null,
  timezone: null,
});

type ZonedOptions = ContextOptions & { readonly timezone: string; readonly siteTimezone: string };

/** Runs work in contexts: on the read pool, or in one write transaction. */
export class Runner {
  readonly #environment: ContextEnvironment;
  readonly #siteZones = new WeakMap<Generation, LiveValue<string>>();

  constructor(environment: ContextEnvironment) {
    this.#environment = environment;
  }

  async read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    const { database } = this.#environment;
    const zoned = await this.#inZone(options);
    const connection = options.bounds ? database.reading(options.bounds) : database.reader;
    return this.#within(zoned, connection, null, work);
  }

  async write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>, how: WriteOptions = {}): Promise<T> {
    const { database } = this.#environment;
    const zoned = await this.#inZone(options);
    return database.write((transaction) => this.#within(zoned, transaction, transaction, work), {
      label: options.label,
      ...how,
    });
  }

  /** The system's context on a connection: rights lifted, the default language, UTC. */
  systemContext(generation: Generation, connection: Connection): OwnedContext {
    const transaction = connection.writable ? (connection as Transaction) : null;
    const options = { ...this.systemOptions(generation), timezone: DEFAULT_ZONE, siteTimezone: DEFAULT_ZONE };
    return this.#context(options, connection, transaction);
  }

  systemOptions(generation: Generation, label = 'system'): ContextOptions {
    return {
      generation,
      identity: system,
      lang: generation.get(app.languages)[0] ?? 'en_US',
      attributes: {} as RequestAttributes,
      session: noSession,
      log: this.#environment.log,
      su: true,
      label,
    };
  }

  /** The options with the site's zone, for work that no request asked for. */
  async #inZone(options: ContextOptions): Promise<ZonedOptions> {
    const siteTimezone = options.siteTimezone ?? (await this.#siteZone(options.generation).get(options.tracker));
    return { ...options, siteTimezone, timezone: options.timezone ?? siteTimezone };
  }

  #siteZone(generation: Generation): LiveValue<string> {
    const known = this.#siteZones.get(generation);
    if (known) return known;
    const zone = new LiveValue(this.#environment.database.changes, (tracker) => {
      const options = {
        ...this.systemOptions(generation),
        timezone: DEFAULT_ZONE,
        siteTimezone: DEFAULT_ZONE,
        tracker,
      };
      return this.read(options, siteZoneOf);
    });
    this.#siteZones.set(generation, zone);
    return zone;
  }

  async #within<T>(
    options: ZonedOptions,
    connection: Connection,
    transaction: Transaction | null,
    work: (ctx: Ctx) => Promise<T>,
  ): Promise<T> {
    const owned = this.#context(options, connection, transaction);
    try {
      return await work(owned.ctx);
    } finally {
      await owned.dispose();
    }
  }

  #context(options: ZonedOptions, connection: Connection, transaction: Transaction | null): OwnedContext {
    const { tracker = null, label = '', bounds: _bounds, cachedRows = false, ...rest } = options;
    return createContext({
      ...rest,
      addon: addonOf(label),
      tracker,
      rowCache: cachedRows && transaction === null ? this.#environment.rowCache : null,
      environment: this.#environment,
      connection,
      transaction,
    });
  }
}

/** Routes and jobs are named after their addon; other labels name none. */
function addonOf(label: string): string | null {
  return /^(\w+)\.\w/.exec(label)?.[1] ?? null;
}
