import { namedCache } from '@pergola/caches';
import type { LRUCache } from 'lru-cache';
import pg from 'pg';
import { StatementWatch } from '../bounds.ts';
import { Semaphore } from '../semaphore.ts';
import { maxReadMs, within } from '../settings.ts';
import { checkBinding, inspect } from '../statement.ts';
import type { ReadBounds, Result, Row, Statement } from '../types.ts';
import { ConnectionLost, postgresError } from './errors.ts';
import { typeParsers } from './types.ts';

export interface PostgresOptions {
  url: string;
  readOnly: boolean;
  /** Prepared statements per connection. */
  statements: number;
  /** Connection timeout, in milliseconds. */
  connectMs: number;
  names: StatementNames;
  /** Cancels the running statement of another session, identified by its process number. */
  stop?(process: number): Promise<unknown>;
  /** Called when the server or the network has closed the connection. */
  onLost(connection: PostgresConnection): void;
}

/** Limits for a single statement, in milliseconds; a transaction may set different ones. */
export const statementMs = maxReadMs;
export const lockMs = 5_000;
/** A frozen server doesn't reply at all; after this time the process gives up. */
const answerMs = statementMs + 5_000;
/** Longer statements are usually one-off, such as inserts of many rows. */
const maxKeptLength = 20_000;

/**
 * Names of prepared statements, the same on all connections. A statement is named only when it occurs a second time, so one-off statements
 * leave nothing behind; statements that don't read or write rows are never named.
 */
export class StatementNames {
  readonly #known: LRUCache<string, { readonly name: string | undefined }>;
  #last = 0;

  constructor(limit: number) {
    this.#known = namedCache('statement_names', { max: limit, entryBytes: 2000 });
  }

  /** Name for this SQL, or undefined if it isn't prepared. */
  of(sql: string): string | undefined {
    const entry = this.#known.get(sql);
    if (!entry) {
      this.#known.set(sql, { name: this.#nameFor(sql) });
      return undefined;
    }
    return entry.name;
  }

  /** Gives all statements new names after a table used by prepared statements has changed. */
  renew(): void {
    this.#known.clear();
  }

  #nameFor(sql: string): string | undefined {
    const { verb } = inspect(sql);
    if (verb === 'control' || verb === 'other' || sql.length > maxKeptLength) return undefined;
    this.#last += 1;
    return `p${this.#last}`;
  }
}

/** Limit for reads sent in one packet; further ones wait for their turn. */
const maxBatch = 20;

/** Reads started concurrently. */
interface Together {
  readonly statements: Statement[];
  readonly results: Promise<Result[]>;
}

/** A statement in the driver's format. */
interface Query {
  readonly config: pg.QueryConfig & { readonly text: string };
  /** As in `Statement`; derived from the SQL if omitted. */
  readonly changesNothing?: boolean | undefined;
  /** Called with the error before the statements sent in the same packet fail. */
  readonly failed?: (error: unknown) => void;
}

/** A session of a PostgreSQL server that runs statements one after another, as named prepared statements. */
export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #options: PostgresOptions;
  readonly #turns = new Semaphore(1);
  readonly #prepared = new Set<string>();
  readonly #watch = new StatementWatch(() => {
    this.#stopping ??= this.#stopNow();
  });
  #stopping: Promise<unknown> | null = null;
  #connected = false;
  #lost = false;
  /** Statements to be sent with the next one. */
  #ahead: Query[] = [];
  /** Reads that later ones can still join. */
  #together: Together | null = null;
  #isAtWork = false;

  private constructor(client: pg.Client, options: PostgresOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Connects. Throws `ConnectionLost` on failure. */
  static async open(options: PostgresOptions): Promise<PostgresConnection> {
    const client = new pg.Client(clientConfig(options));
    const connection = new PostgresConnection(client, options);
    // Without a listener, a lost connection would end this process.
    client.on('error', () => connection.#lose());
    client.on('end', () => connection.#lose());
    try {
      await client.connect();
      connection.#connected = true;
      return connection;
    } catch (error) {
      connection.#lost = true;
      const reason = Error.isError(error) && error.message ? error.message : 'no connection';
      throw new ConnectionLost(reason, { cause: error });
    }
  }

  /** False if the connection is lost, or holds so many prepared statements that a new one is better. */
  get usable(): boolean {
    return !this.#lost && this.#prepared.size <= this.#options.statements;
  }

  /**
   * Runs a statement. With bounds, only this statement is stopped at its limits, and the connection continues with the next one. Reads
   * started concurrently without bounds are sent in one packet; if one of them fails, all do.
   */
  async query(statement: Statement, bounds: ReadBounds | null = null): Promise<Result> {
    if (bounds) return this.#alone(() => this.#within(statement, bounds));
    if (!isHarmless(statement)) return this.#alone(() => this.#execute(statement));
    this.#together ??= this.#startTogether();
    const { statements, results } = this.#together;
    const place = statements.push(statement) - 1;
    if (statements.length === maxBatch) this.#together = null;
    return (await results)[place] as Result;
  }

  #startTogether(): Together {
    const statements: Statement[] = [];
    const results = this.#turns.run(async () => {
      // Waits for reads started in the same tick.
      await new Promise(process.nextTick);
      if (this.#together?.statements === statements) this.#together = null;
      return this.#send(statements.map((statement) => this.#query(statement)));
    });
    return { statements, results };
  }

  /** Waits for its turn; later reads don't join those started before. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#together = null;
    return this.#turns.run(work);
  }

  /** Runs SQL without bindings, also several statements at once. After `patienceMs` the connection counts as lost (0: never). */
  run(sql: string, { patienceMs = answerMs } = {}): Promise<Result> {
    return this.#alone(() => this.#sendOne({ config: { text: sql }, changesNothing: true }, patienceMs));
  }

  /**
   * Queues a statement whose result isn't needed, such as `begin`, to be sent with the next one, which fails if it fails. Saves a round
   * trip. `failed` is called first with the error.
   */
  ahead(statement: Statement, failed?: (error: unknown) => void): Promise<void> {
    return this.#alone(async () => {
      this.#ahead.push({ ...this.#query(statement), ...(failed && { failed }) });
    });
  }

  /** Ends the open transaction; statements still queued are dropped. */
  rollback(): Promise<unknown> {
    return this.#alone(async () => {
      const [first] = this.#takeAhead();
      if (!first || !isBegin(first)) await this.#sendOne({ config: { text: 'rollback' }, changesNothing: true });
    });
  }

  #takeAhead(): Query[] {
    const ahead = this.#ahead;
    this.#ahead = [];
    return ahead;
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on('notification', ({ payload }) => listener(payload ?? ''));
  }

  /** Closes the session at once, whatever it is running; the server rolls back. Doesn't report it as lost. */
  async close(): Promise<void> {
    this.#lost = true;
    // The driver would wait for the running query.
    if (this.#isAtWork) this.#client.connection.stream.destroy();
    await this.#client.end().catch(() => {});
  }

  async #within(statement: Statement, bounds: ReadBounds): Promise<Result> {
    this.#stopping = null;
    this.#watch.begin(bounds);
    try {
      const result = await this.#execute(statement);
      // The cancel request might still arrive and stop the next statement.
      if (this.#stopping) await this.close();
      return result;
    } catch (error) {
      throw this.#watch.end() ?? error;
    } finally {
      this.#watch.end();
      await this.#stopping;
    }
  }

  /** If the server can't be reached, its own statement timeout applies. */
  async #stopNow(): Promise<void> {
    // Set by the driver, though missing in its types.
    const process: unknown = Reflect.get(this.#client, 'processID');
    if (typeof process === 'number') await this.#options.stop?.(process).catch(() => {});
  }

  #execute(statement: Statement): Promise<Result> {
    return this.#sendOne(this.#query(statement));
  }

  #query({ sql, bindings, changesNothing }: Statement): Query {
    const name = this.#options.names.of(sql);
    if (name) this.#prepared.add(name);
    const values = bindings.map((value, position) => {
      const checked = checkBinding(value, position);
      return checked instanceof Date ? checked.toISOString() : checked;
    });
    return { config: { text: sql, values, ...(name && { name }) }, changesNothing };
  }

  async #sendOne(query: Query, patienceMs = answerMs): Promise<Result> {
    const [result] = await this.#send([query], patienceMs);
    return result as Result;
  }

  async #send(queries: readonly Query[], patienceMs = answerMs): Promise<Result[]> {
    if (this.#lost) throw new ConnectionLost('the connection was closed');
    this.#isAtWork = true;
    try {
      const answers = await within(
        patienceMs,
        this.#inOnePacket(this.#takeAhead(), queries),
        () => new ConnectionLost('Query read timeout'),
      );
      return answers.map(resultOf);
    } catch (error) {
      if (error instanceof ConnectionLost) {
        this.#lose();
        await this.close();
      }
      throw error;
    } finally {
      this.#isAtWork = false;
    }
  }

  /** Returns the results of the queries; fails with the first error, whether of a query or of a queued statement. */
  async #inOnePacket(ahead: readonly Query[], queries: readonly Query[]): Promise<pg.QueryResult<Row>[]> {
    const [first, ...others] = ahead;
    // A write without its `begin` would be committed at once, so `begin` is awaited before any writes are sent.
    const isWaitedFor =
      first &&
      isBegin(first) &&
      ![...others, ...queries].every(({ config, changesNothing }) => isHarmless({ sql: config.text, changesNothing }));
    if (isWaitedFor) await this.#answer(first);
    const queued = isWaitedFor ? others : ahead;
    const { stream } = this.#client.connection;
    stream.cork();
    const answers = [...queued, ...queries].map((query) => this.#answer(query));
    stream.uncork();
    return (await Promise.all(answers)).slice(queued.length);
  }

  /**
   * Uses a callback: for promises and query timeouts, the driver creates functions that keep each result until V8 collects its old space.
   */
  #answer({ config, failed }: Query): Promise<pg.QueryResult<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<Row>>();
    this.#client.query<Row>(config, (error, result) => {
      if (!error) return resolve(result);
      const converted = postgresError(error, config.text);
      failed?.(converted);
      reject(converted);
    });
    return promise;
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    if (this.#connected) this.#options.onLost(this);
  }
}

function isBegin({ config }: Query): boolean {
  return config.text.startsWith('begin');
}

function isHarmless({ sql, changesNothing }: Pick<Statement, 'sql' | 'changesNothing'>): boolean {
  if (changesNothing !== undefined) return changesNothing;
  const { verb, writes } = inspect(sql);
  return verb === 'select' && !writes;
}

/** Several statements in one call return several results, and no caller needs their rows. */
function resultOf(answer: pg.QueryResult<Row>): Result {
  if (Array.isArray(answer)) return { rows: [], changes: 0 };
  return { rows: answer.rows, changes: answer.command === 'SELECT' ? 0 : (answer.rowCount ?? 0) };
}

function clientConfig({ url, readOnly, connectMs }: PostgresOptions): pg.ClientConfig {
  const address = new URL(url);
  const urlOptions = address.searchParams.get('options') ?? '';
  address.searchParams.delete('options');
  const session = ['timezone=UTC', 'datestyle=ISO', 'client_min_messages=warning', 'jit=off'];
  // Tuned for many small concurrent statements: one process each, memory for the positions of a word that occurs in many texts, and disks
  // with fast random access.
  session.push('max_parallel_workers_per_gather=0', 'work_mem=16MB', 'random_page_cost=1.1');
  if (readOnly) session.push('default_transaction_read_only=on');
  return {
    connectionString: address.href,
    options: [urlOptions, ...session.map((setting) => `-c ${setting}`)].join(' ').trim(),
    application_name: 'pergola',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: statementMs,
    types: typeParsers,
    // Sends batched statements together; all others take turns anyway.
    pipeline: true,
  };
}
