import { namedCache } from '@pergola/core';
import type { LRUCache } from 'lru-cache';
import pg from 'pg';
import { StatementWatch } from '../bounds.ts';
import { Semaphore } from '../semaphore.ts';
import { longestReadMs, within } from '../settings.ts';
import { checkBinding, inspect } from '../statement.ts';
import type { ReadBounds, Result, Row, Statement } from '../types.ts';
import { ConnectionLost, postgresError } from './errors.ts';
import { typeParsers } from './types.ts';

export interface PostgresOptions {
  url: string;
  readOnly: boolean;
  /** Statements kept prepared per connection. */
  statements: number;
  /** How long connecting may take, in milliseconds. */
  connectMs: number;
  names: StatementNames;
  /** Stops what another session of the server is doing; that one is named by the number of its process. */
  stop?(process: number): Promise<unknown>;
  /** The server or the network ended it. */
  onLost(connection: PostgresConnection): void;
}

/** Bounds of a single statement, in milliseconds; a transaction may set its own. */
export const statementMs = longestReadMs;
export const lockMs = 5_000;
/** A server that is frozen answers nothing at all; then this process gives up by itself. */
const answerMs = statementMs + 5_000;
/** Longer texts are built for one use, such as a list of rows to insert. */
const longestKept = 20_000;

/**
 * The names under which statements stay prepared, the same on all connections. A text is only named when it comes a second time,
 * so that one-off statements leave nothing behind; what is no plain reading or writing of rows never is.
 */
export class StatementNames {
  readonly #known: LRUCache<string, { readonly name: string | undefined }>;
  #last = 0;

  constructor(limit: number) {
    this.#known = namedCache('statement_names', { max: limit, entryBytes: 2000 });
  }

  /** The name for this text; undefined when it is not to be kept. */
  of(sql: string): string | undefined {
    const known = this.#known.get(sql);
    if (!known) {
      this.#known.set(sql, { name: this.#nameFor(sql) });
      return undefined;
    }
    return known.name;
  }

  /** After a table changed under statements that were prepared for it: all get new names. */
  renew(): void {
    this.#known.clear();
  }

  #nameFor(sql: string): string | undefined {
    const { verb } = inspect(sql);
    if (verb === 'control' || verb === 'other' || sql.length > longestKept) return undefined;
    this.#last += 1;
    return `p${this.#last}`;
  }
}

/** Reads that go out together go on together; more of them wait for their own turn. */
const mostTogether = 20;

/** Reads started side by side. */
interface Together {
  readonly statements: Statement[];
  readonly results: Promise<Result[]>;
}

/** A statement as the driver takes it. */
interface Query {
  readonly config: pg.QueryConfig & { readonly text: string };
  /** As in `Statement`; told by its text when left out. */
  readonly changesNothing?: boolean | undefined;
  /** Told why it failed, before what went out with it fails. */
  readonly failed?: (error: unknown) => void;
}

/** One session of a PostgreSQL server: runs statements one after another, keeping them prepared under a name. */
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
  /** What goes out with the next statement. */
  #ahead: Query[] = [];
  /** Reads that others can still join. */
  #together: Together | null = null;
  #isAtWork = false;

  private constructor(client: pg.Client, options: PostgresOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Connects. Throws `ConnectionLost` when that fails. */
  static async open(options: PostgresOptions): Promise<PostgresConnection> {
    const client = new pg.Client(clientConfig(options));
    const connection = new PostgresConnection(client, options);
    // Without a listener, a server that goes away would end this process.
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

  /** False when it is gone, or holds so many prepared statements that a new one is the better choice. */
  get usable(): boolean {
    return !this.#lost && this.#prepared.size <= this.#options.statements;
  }

  /**
   * Runs a statement. With bounds it is stopped at them, and it alone: the connection goes on with what comes next. Reads that are started side by side without
   * any go out in one packet, and when one of them fails, all do.
   */
  async query(statement: Statement, bounds: ReadBounds | null = null): Promise<Result> {
    if (bounds) return this.#alone(() => this.#within(statement, bounds));
    if (!isHarmless(statement)) return this.#alone(() => this.#execute(statement));
    this.#together ??= this.#startTogether();
    const { statements, results } = this.#together;
    const place = statements.push(statement) - 1;
    if (statements.length === mostTogether) this.#together = null;
    return (await results)[place] as Result;
  }

  #startTogether(): Together {
    const statements: Statement[] = [];
    const results = this.#turns.run(async () => {
      // Until all have come that are started along with the first.
      await new Promise(process.nextTick);
      if (this.#together?.statements === statements) this.#together = null;
      return this.#send(statements.map((statement) => this.#query(statement)));
    });
    return { statements, results };
  }

  /** When it is its turn; reads started later do not join those before. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#together = null;
    return this.#turns.run(work);
  }

  /** Runs SQL without bindings, also several statements at once. `patienceMs`: after how long it counts as lost (0: never). */
  run(sql: string, { patienceMs = answerMs } = {}): Promise<Result> {
    return this.#alone(() => this.#sendOne({ config: { text: sql }, changesNothing: true }, patienceMs));
  }

  /**
   * A statement whose answer nobody needs, such as `begin`: goes out with what comes next, which fails when it does. Saves a way there and back.
   * `failed` hears why first.
   */
  ahead(statement: Statement, failed?: (error: unknown) => void): Promise<void> {
    return this.#alone(async () => {
      this.#ahead.push({ ...this.#query(statement), ...(failed && { failed }) });
    });
  }

  /** Ends the open transaction; what waits to go out never does. */
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

  /** Ends the session at once, whatever it is doing; the server rolls back. Nobody is told that it was lost. */
  async close(): Promise<void> {
    this.#lost = true;
    // The driver would wait for it.
    if (this.#isAtWork) this.#client.connection.stream.destroy();
    await this.#client.end().catch(() => {});
  }

  async #within(statement: Statement, bounds: ReadBounds): Promise<Result> {
    this.#stopping = null;
    this.#watch.begin(bounds);
    try {
      const result = await this.#execute(statement);
      // What should have stopped this statement might still arrive, and stop the next one.
      if (this.#stopping) await this.close();
      return result;
    } catch (error) {
      throw this.#watch.end() ?? error;
    } finally {
      this.#watch.end();
      await this.#stopping;
    }
  }

  /** Where the server cannot be told, its own limit for statements holds. */
  async #stopNow(): Promise<void> {
    // The driver tells it, though its types do not.
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

  /** Answers what the queries do; fails as the first that does, of them and of what goes out with them. */
  async #inOnePacket(ahead: readonly Query[], queries: readonly Query[]): Promise<pg.QueryResult<Row>[]> {
    const [first, ...others] = ahead;
    // Without its `begin`, what changes values would be kept at once.
    const isWaitedFor =
      first &&
      isBegin(first) &&
      ![...others, ...queries].every(({ config, changesNothing }) => isHarmless({ sql: config.text, changesNothing }));
    if (isWaitedFor) await this.#answer(first);
    const before = isWaitedFor ? others : ahead;
    const { stream } = this.#client.connection;
    stream.cork();
    const answers = [...before, ...queries].map((one) => this.#answer(one));
    stream.uncork();
    return (await Promise.all(answers)).slice(before.length);
  }

  /** By a callback: for promises and time limits of its own, the driver makes functions that keep each result until V8 collects its old space. */
  #answer({ config, failed }: Query): Promise<pg.QueryResult<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<Row>>();
    this.#client.query<Row>(config, (error, result) => {
      if (!error) return resolve(result);
      const known = postgresError(error, config.text);
      failed?.(known);
      reject(known);
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

/** Several statements at once answer several results; then nobody asks for rows. */
function resultOf(answer: pg.QueryResult<Row>): Result {
  if (Array.isArray(answer)) return { rows: [], changes: 0 };
  return { rows: answer.rows, changes: answer.command === 'SELECT' ? 0 : (answer.rowCount ?? 0) };
}

function clientConfig({ url, readOnly, connectMs }: PostgresOptions): pg.ClientConfig {
  const address = new URL(url);
  const asked = address.searchParams.get('options') ?? '';
  address.searchParams.delete('options');
  const session = ['timezone=UTC', 'datestyle=ISO', 'client_min_messages=warning', 'jit=off'];
  // Many small statements side by side: each by one process, with memory enough for the places of a word that many texts have, and from disks
  // that read one place as quickly as the next.
  session.push('max_parallel_workers_per_gather=0', 'work_mem=16MB', 'random_page_cost=1.1');
  if (readOnly) session.push('default_transaction_read_only=on');
  return {
    connectionString: address.href,
    options: [asked, ...session.map((setting) => `-c ${setting}`)].join(' ').trim(),
    application_name: 'pergola',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: statementMs,
    types: typeParsers,
    // What is sent together is; otherwise statements take turns here, too.
    pipeline: true,
  };
}
