import type { ContextOptions, Ctx, Identity, OwnedContext, RequestAttributes } from '../context/index.ts';
import type { Connection, Transaction } from '../db/index.ts';
import { noSession } from '../http/index.ts';
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

/** Runs work in contexts: on the read pool, or in one write transaction. */
export class Runner {
  readonly #environment: ContextEnvironment;

  constructor(environment: ContextEnvironment) {
    this.#environment = environment;
  }

  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    const { database } = this.#environment;
    const connection = options.bounds ? database.reading(options.bounds) : database.reader;
    return this.#within(options, connection, null, work);
  }

  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    const { database } = this.#environment;
    return database.write((transaction) => this.#within(options, transaction, transaction, work), {
      label: options.label,
    });
  }

  /** The system's context on a connection: rights lifted, the default language. */
  systemContext(generation: Generation, connection: Connection): OwnedContext {
    const transaction = connection.writable ? (connection as Transaction) : null;
    return this.#context(this.systemOptions(generation), connection, transaction);
  }

  systemOptions(generation: Generation, label = 'system'): ContextOptions {
    return {
      generation,
      identity: system,
      lang: generation.get(app.languages)[0] ?? 'en_US',
      timezone: 'UTC',
      attributes: {} as RequestAttributes,
      session: noSession,
      log: this.#environment.log,
      su: true,
      label,
    };
  }

  async #within<T>(
    options: ContextOptions,
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

  #context(options: ContextOptions, connection: Connection, transaction: Transaction | null): OwnedContext {
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
