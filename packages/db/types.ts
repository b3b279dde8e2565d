import type { Knex } from 'knex';
import type { Effect, IdentityMap } from './identity-map.ts';
import type { Plans } from './plans.ts';

/**
 * Interface of the database package: connections for statements, transactions, and change notifications to other nodes. Doesn't know about
 * models. knex builds the SQL; our own connections run it.
 */

export type Dialect = 'sqlite' | 'postgres';

/**
 * Value that a statement can carry. Dates become integer milliseconds on SQLite, booleans 0 and 1; lists exist only on PostgreSQL (see
 * `anyOf`). JSON is bound as text: `codec.encode('json', value)`. All other values are rejected before they reach the driver.
 */
export type Binding = string | number | bigint | boolean | Date | null | readonly (string | number)[];

/**
 * SQL with the dialect's placeholders (`?` or `$1`), as returned by `knex….toSQL().toNative()`. Identical texts are prepared once per
 * connection.
 */
export interface Statement {
  readonly sql: string;
  /** `Binding`s, loosely typed because knex returns them that way, and checked when the statement runs. */
  readonly bindings: readonly unknown[];
  /** Changes made by a writing statement; without it, the transaction forgets everything it has read. */
  readonly effect?: Effect;
  /**
   * Rows it changes or references, as ids by table. If PostgreSQL reports that others changed one of them meanwhile, the transaction takes
   * its lock (see `lock`) before retrying, instead of hoping to be faster next time.
   */
  readonly meets?: () => ReadonlyMap<string, readonly number[]>;
  /** Changes no value although it writes: a lock. */
  readonly changesNothing?: boolean;
  /**
   * Its result isn't needed and the database can't reject it, so within a transaction it may be sent with the next statement. A conflict on
   * its rows is noticed then, and the work is retried as usual.
   */
  readonly isAhead?: boolean;
}

export type Row = Record<string, unknown>;

export interface Result {
  /** Rows of a SELECT or RETURNING, with the dialect's raw values; `codec` decodes them. */
  readonly rows: readonly Row[];
  /** Rows inserted, changed or deleted; 0 for a SELECT. */
  readonly changes: number;
}

/** Limits for the reads of a caller. */
export interface ReadBounds {
  /** Time limit for a single statement, in milliseconds; a longer one is stopped and throws `Unavailable`. */
  readonly statementMs?: number;
  /** Aborted when the caller has left: the running statement is stopped, and no further ones start. */
  readonly signal?: AbortSignal;
  /** Identifies the caller, who gets at most half of the read connections at a time. */
  readonly whose?: string;
}

/** Runs statements: the read pool, a snapshot, or the open write transaction. */
export interface Connection {
  readonly dialect: Dialect;
  /** False on the read pool and in snapshots: a writing statement is rejected with `DatabaseMisuse`. */
  readonly writable: boolean;
  /** Rows already read, in a write transaction. */
  readonly known?: IdentityMap;
  /** Statements compiled by knex for this database, by shape. */
  readonly plans: Plans;
  /**
   * Runs one statement. Throws `UniqueViolation`, `ForeignKeyViolation`, `NotNullViolation` (all `DatabaseConflict`), `Unavailable` if the
   * database is unreachable or too busy, `DatabaseMisuse` if the statement isn't allowed here, and `DatabaseError` for all other
   * rejections.
   */
  query(statement: Statement): Promise<Result>;
}

export interface Transaction extends Connection {
  readonly writable: true;
  /** For logs and error messages. */
  readonly label: string;
  /**
   * Marks a table as changed by this transaction. After the commit its version increases here at once and on every other node within 250
   * ms.
   */
  touch(table: string): void;
  /** Tables changed so far. */
  readonly touched: ReadonlySet<string>;
  /**
   * Runs after the commit, in order, and before `write` resolves; never if the transaction fails or its savepoint is rolled back. An error
   * is logged and doesn't undo or fail the write. Keep it short: network calls and email belong in a job.
   */
  afterCommit(effect: () => void | Promise<void>): void;
  /** Runs last inside the transaction, once its work is done; not if the work fails. Survives the rollback of a savepoint. */
  beforeCommit(work: () => Promise<void>): void;
  /** Whether a savepoint was rolled back so far. */
  readonly hasRolledBack: boolean;
  /**
   * Marks work as pending until it ends: a transaction (or savepoint) that ends earlier handles it as described in `OpenOptions.strict`.
   *
   * @param description for messages: `write of booking.reservation`
   */
  operation<T>(description: string, work: () => Promise<T>): Promise<T>;
  /**
   * Rolls back only the writes of `work` if it throws (and rethrows). Savepoints can be nested; concurrent ones run one after the other,
   * and a query outside an open one is rejected.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * From here until the commit no other transaction holds a lock on these rows (`id`s of `table`), and later reads include the commits of
   * earlier holders. On PostgreSQL the work may be retried from the start to guarantee that. Missing ids are ignored. SQLite: nothing to
   * do, since writes are exclusive.
   */
  lock(table: string, ids: readonly number[]): Promise<void>;
  /**
   * To be called before reading: if other writes of this process hold locks on these rows, the work restarts once they are done, so that
   * competing writes do their work once instead of twice. Takes no locks itself.
   */
  lineUp(table: string, ids: readonly number[]): void;
  /**
   * For a row that conflicts with one this transaction can't see, because it was stored after the transaction started: retries the work
   * from the start, which then sees it. If that doesn't help, the write fails with `error`. SQLite: nothing to do.
   */
  clashedUnseen(error: Error): void;
}

export interface WriteOptions {
  /** How long to wait for the turn to write, over all attempts, in milliseconds (default 20,000), before `Unavailable`. */
  deadlineMs?: number;
  /** Retries after a serialisation failure, deadlock or lock timeout on PostgreSQL (default 5). */
  retries?: number;
  /** Time limit for one attempt before it is rolled back, in milliseconds (default 30,000; 0: no limit). */
  timeoutMs?: number;
  /** How long a statement waits for a lock on PostgreSQL, in milliseconds (default 5,000). */
  lockTimeoutMs?: number;
  /** For logs and error messages: the route or job that writes. */
  label?: string;
}

/** Table changes known to this process. */
export interface Changes {
  /**
   * Number that increases whenever the table changes; exact for writes of this process, within 250 ms for writes of other processes. Read
   * it before the data.
   */
  version(table: string): number;
  /**
   * Called after every commit that touched tables, and with `'all'` if notifications may have been missed. Returns a function that
   * unsubscribes. Errors of a listener are logged.
   */
  subscribe(listener: ChangeListener): () => void;
  /** False while changes of other processes may be missed: don't fill or use caches. */
  readonly healthy: boolean;
}

export type ChangeOrigin = 'local' | 'remote';
export type ChangeListener = (tables: ReadonlySet<string> | 'all', origin: ChangeOrigin) => void;

export type ColumnKind =
  | 'id'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'text'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'json'
  | 'words';

/**
 * Converts values between JavaScript and the database, for both dialects:
 * id, integer, bigint, float: number · text: string · boolean: boolean · date: 'YYYY-MM-DD' · datetime: Date (UTC, milliseconds) · json:
 * any JSON value · words: the words of a text in order, separated by single spaces, for full-text search (PostgreSQL stores their
 * positions, so repetitions may be missing when long texts are read back).
 * null stays null everywhere.
 */
export interface Codec {
  readonly dialect: Dialect;
  /**
   * Encodes a value for binding. Throws `InvalidInput` for a value that the column can't hold on both databases (not a number, out of
   * range, NUL in a text).
   */
  encode(kind: ColumnKind, value: unknown): Binding;
  /** Decodes a raw value for the application. */
  decode(kind: ColumnKind, raw: unknown): unknown;
  /** Decoding function for one kind, for callers that map many rows; `null` if raw values need no decoding. */
  decoder(kind: ColumnKind): ((raw: unknown) => unknown) | null;
}

export interface ColumnReference {
  /** The table whose `id` it holds. */
  table: string;
  onDelete: 'restrict' | 'cascade' | 'set null';
}

export interface ColumnSpec {
  name: string;
  /** `id` is the primary key, assigned by the database and never reused; rows are inserted without it. */
  kind: ColumnKind;
  notNull?: boolean;
  /** A constant in codec format; a date or datetime as ISO text, a json as JSON text. */
  default?: string | number | boolean | null;
  references?: ColumnReference;
}

export interface IndexSpec {
  /** Unique in the whole database; also the name of the search table of a `fulltext` index on SQLite. */
  name: string;
  columns: string[];
  unique?: boolean;
  /** SQL that is valid in both dialects; the index contains only rows that match it. */
  where?: string;
  /**
   * `trgm` speeds up `like '%…%'` (PostgreSQL with pg_trgm; otherwise a plain index or none), `fulltext` makes columns of kind `words`
   * searchable. Default `btree`.
   */
  using?: 'btree' | 'trgm' | 'fulltext';
  /** One of the columns holds translated text, which is indexed as shown to a reader of the first of these languages. */
  text?: { readonly column: string; readonly languages: readonly string[] };
}

export interface TableSpec {
  name: string;
  columns: ColumnSpec[];
  indexes: IndexSpec[];
  /** For tables without an `id` column, such as many2many tables. */
  primaryKey?: string[];
}

/** A schema change as plain data, which can be shown, sent and applied later. */
export type SchemaStep =
  | { readonly type: 'createTable'; readonly table: TableSpec }
  | { readonly type: 'addColumn'; readonly table: string; readonly column: ColumnSpec }
  /** Changes only what happens to rows of this column when the referenced row is deleted. */
  | { readonly type: 'changeReference'; readonly table: string; readonly column: ColumnSpec }
  /** `shared`: the table existed before this plan, so the step may have to wait for other users. */
  | { readonly type: 'createIndex'; readonly table: string; readonly index: IndexSpec; readonly shared: boolean }
  | { readonly type: 'dropTable'; readonly table: string }
  | { readonly type: 'dropColumn'; readonly table: string; readonly column: string }
  | { readonly type: 'dropIndex'; readonly table: string; readonly index: string };

/**
 * A difference that a plan can't resolve by adding. `error`: the code wouldn't work on this schema; `note`: planned differently than
 * requested.
 */
export interface SchemaProblem {
  readonly level: 'error' | 'note';
  readonly table: string;
  readonly column?: string;
  readonly index?: string;
  readonly message: string;
}

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[];
  readonly problems: readonly SchemaProblem[];
}

export interface SchemaTools {
  /** Existing tables, without the core's change bookkeeping. `connection`: reads from inside that transaction. */
  introspect(connection?: Connection): Promise<TableSpec[]>;
  /** Column names of each table; faster than {@link introspect}. */
  columns(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** The schema as sorted lines of text, identical on every machine, for comparing schemas. */
  describe(connection?: Connection): Promise<string[]>;
  /**
   * Additions required for the target schema. Never drops tables or columns; rebuilds a different index, and changes a foreign key with a
   * different deletion rule.
   */
  plan(target: readonly TableSpec[], current: readonly TableSpec[]): SchemaPlan;
  /** Runs the steps inside the transaction: all or nothing. New tables may reference each other in any order. */
  apply(transaction: Transaction, steps: readonly SchemaStep[]): Promise<void>;
  /**
   * Runs `createIndex` and `dropIndex` steps without blocking writers of those tables (CONCURRENTLY on PostgreSQL). Can be repeated after a
   * failure.
   */
  applyOutside(steps: readonly SchemaStep[]): Promise<void>;
}

/** Counters since the database was opened, and current values. */
export interface DatabaseMetrics {
  readonly reads: number;
  /** Rows returned by reads. */
  readonly rowsRead: number;
  readonly writes: number;
  readonly writesFailed: number;
  /** Retries after a serialisation failure, deadlock, lock wait or lost connection. */
  readonly retries: number;
  /** Calls that ended in `Unavailable`. */
  readonly unavailable: number;
  /** Writes currently waiting for their turn. */
  readonly writesWaiting: number;
  readonly readsWaiting: number;
  readonly connections: number;
}

export interface Database {
  readonly dialect: Dialect;
  /** Builds SQL; never use it to run queries. */
  readonly knex: Knex;
  readonly codec: Codec;
  /**
   * The read pool: each statement runs separately, on any connection. Always sees commits of this process, and never uncommitted changes of
   * an open write: inside a write, query the transaction. A statement may take 30 s on either database.
   */
  readonly reader: Connection;
  /** The read pool for one request: statements that take too long, or whose caller has left, are stopped. */
  reading(bounds: ReadBounds): Connection;
  /** A consistent read transaction: all queries of `work` see the same snapshot. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a write transaction and returns its result after the commit. `work` may be retried from the start (PostgreSQL), so side
   * effects outside the database belong in `afterCommit`. A write inside a write is rejected. Throws `Unavailable` if its turn doesn't come
   * in time.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  readonly changes: Changes;
  readonly schema: SchemaTools;
  /** Whether the database responds, as of the last check (at most about a second ago), and read connections are available; never waits. */
  health(): Promise<boolean>;
  metrics(): DatabaseMetrics;
  /** Lets running reads and writes finish, then closes all connections; reads are stopped after two seconds. */
  close(): Promise<void>;
}

/** Receives messages for operators; compatible with a pino logger. */
export interface DatabaseLog {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface OpenOptions {
  /** `sqlite:<path of the file>` or `postgres://…`. */
  url: string;
  log: DatabaseLog;
  /**
   * If the work of a transaction ends before an operation it started, the transaction fails and names the call that isn't awaited;
   * otherwise that is logged with the transaction's label. Either way the operation is awaited. For development and tests; default false.
   */
  strict?: boolean;
  /** Read connections (default 4 on SQLite, 8 on PostgreSQL). */
  readers?: number;
  /** Write connections on PostgreSQL (default 8); SQLite has exactly one. */
  writers?: number;
  /** Prepared statements per connection (default 500). */
  statements?: number;
  /** Default of `WriteOptions.deadlineMs` (20,000 if omitted), and how long a read waits for a free connection (5,000 if omitted). */
  deadlineMs?: number;
  /** Multiplier for the default time limits of reads, writes and lock waits (default 1). */
  patience?: number;
}

/** A copy of a database, readable only by those who can read the original; `remove` deletes it, before the original is deleted. */
export interface DatabaseCopy {
  readonly url: string;
  remove(): Promise<void>;
}
