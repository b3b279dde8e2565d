import type { Knex } from 'knex';
import type { Effect, IdentityMap } from './identity-map.ts';
import type { Plans } from './plans.ts';

/**
 * The face of the database part: what statements run on, how writes commit, how other nodes hear of them.
 * Nothing here knows models. knex builds the SQL; what runs it is a connection of ours.
 */

export type Dialect = 'sqlite' | 'postgres';

/**
 * A value a statement may carry. Dates become integer milliseconds on SQLite, booleans 0 and 1; lists exist on PostgreSQL only
 * (see `anyOf`). JSON is bound as text: `codec.encode('json', value)`. Anything else is refused before it reaches the driver.
 */
export type Binding = string | number | bigint | boolean | Date | null | readonly (string | number)[];

/** SQL with the dialect's own placeholders (`?` or `$1`), as `knex….toSQL().toNative()` gives it. Equal texts are prepared once per connection. */
export interface Statement {
  readonly sql: string;
  /** `Binding`s; typed loosely because that is how knex hands them out, checked when the statement runs. */
  readonly bindings: readonly unknown[];
  /** What a statement that writes changes; without it a transaction asks anew for everything it has read. */
  readonly effect?: Effect;
  /**
   * The rows it changes or refers to, ids by table. Where PostgreSQL says that others changed one of them meanwhile, the transaction takes its lock (see
   * `lock`) before it starts again, instead of hoping to be faster next time.
   */
  readonly meets?: () => ReadonlyMap<string, readonly number[]>;
  /** It changes no value although it writes: a lock. */
  readonly changesNothing?: boolean;
  /**
   * Nobody needs its answer, and nothing in it can be refused: within a transaction it may go out with the next statement. That others changed its rows
   * meanwhile is heard then, and the work starts again as ever.
   */
  readonly isAhead?: boolean;
}

export type Row = Record<string, unknown>;

export interface Result {
  /** What a SELECT or a RETURNING gave. Raw values of the dialect; `codec` turns them into those of the column kind. */
  readonly rows: readonly Row[];
  /** Rows inserted, changed or deleted; 0 for a SELECT. */
  readonly changes: number;
}

/** How long whoever reads waits for an answer. */
export interface ReadBounds {
  /** How long one statement may run, in milliseconds; one that takes longer is stopped and ends in `Unavailable`. */
  readonly statementMs?: number;
  /** Aborted when nobody waits any more: the statement that runs is stopped, and no other is begun. */
  readonly signal?: AbortSignal;
  /** Who asks: nobody gets more than half of the read connections at a time. */
  readonly whose?: string;
}

/** Something statements run on: the read pool, a snapshot, or the one open write transaction. */
export interface Connection {
  readonly dialect: Dialect;
  /** False on the read pool and in snapshots: a statement that writes is refused with `DatabaseMisuse`. */
  readonly writable: boolean;
  /** In a transaction that writes: what it has read already. */
  readonly known?: IdentityMap;
  /** Statements that knex has compiled for this database, by their shape. */
  readonly plans: Plans;
  /**
   * Runs one statement. Throws `UniqueViolation`, `ForeignKeyViolation`, `NotNullViolation` (all `DatabaseConflict`),
   * `Unavailable` when the database is away or too busy, `DatabaseMisuse` when the statement may not run here, and
   * `DatabaseError` for anything else the database refuses.
   */
  query(statement: Statement): Promise<Result>;
}

export interface Transaction extends Connection {
  readonly writable: true;
  /** For logs and error texts. */
  readonly label: string;
  /** Names a table this transaction changed. After the commit its version rises here at once and on every other node within 250 ms. */
  touch(table: string): void;
  /** What it has changed so far. */
  readonly touched: ReadonlySet<string>;
  /**
   * Runs after the commit, in order, and before `write` resolves; not at all when the transaction fails or its savepoint is rolled back.
   * An error is logged and does not undo or fail the write. Keep it short: network and mail belong in a job.
   */
  afterCommit(effect: () => void | Promise<void>): void;
  /**
   * Counts work as pending until it ends: a transaction (or savepoint) whose own work ends before is told of it, see `OpenOptions.strict`.
   *
   * @param what for people: `write of booking.reservation`
   */
  operation<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Undoes only what `work` wrote when it throws (the error goes on). Savepoints nest; those started side by side run one after the other, and a query beside an open one is refused. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * From here until the commit nobody else holds a lock on these rows (`id`s of `table`), and everything read afterwards
   * includes what earlier holders committed. On PostgreSQL the work may be started again from its beginning to make that true.
   * Ids that do not exist are passed over. SQLite: nothing to do, since writing is exclusive.
   */
  lock(table: string, ids: readonly number[]): Promise<void>;
  /**
   * Before anything is read: where others of this process hold locks on these rows, the work starts again from its beginning once they are done, so that a
   * crowd that wants the same does its work once and not twice. Where nobody does, nothing is locked.
   */
  lineUp(table: string, ids: readonly number[]): void;
  /**
   * For a row that clashes with one which this transaction can't see, because it was stored after the transaction began: the work starts again from its
   * beginning and then sees it. If that doesn't help, the write fails with `error`. SQLite: nothing to do.
   */
  clashedUnseen(error: Error): void;
}

export interface WriteOptions {
  /** How long to wait for the turn to write, over all tries, in milliseconds (default 20,000); then `Unavailable`. */
  deadlineMs?: number;
  /** How often to start again after a serialisation failure, deadlock or lock time-out on PostgreSQL (default 5). */
  retries?: number;
  /** How long one try may take before it is rolled back, in milliseconds (default 30,000; 0: no limit). */
  timeoutMs?: number;
  /** How long a statement waits for a lock on PostgreSQL, in milliseconds (default 5,000). */
  lockTimeoutMs?: number;
  /** For logs and error texts; the route or job that writes. */
  label?: string;
}

/** Which tables changed, heard by this process. */
export interface Changes {
  /** A number that rises whenever the table changes; exact for writes of this process, within 250 ms for those of others. Read it before the data. */
  version(table: string): number;
  /** Called after every commit that touched tables, and with `'all'` when signals may have been missed. Answers how to stop. A listener that throws is logged. */
  subscribe(listener: ChangeListener): () => void;
  /** False while changes of other processes may go unheard: keep nothing and serve nothing kept. */
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
 * Values of column kinds in JavaScript and in the database, one place for both dialects:
 * id, integer, bigint, float: number · text: string · boolean: boolean · date: 'YYYY-MM-DD' · datetime: Date (UTC, milliseconds) · json: any JSON value · words: the words of a text in their order, with single spaces between, for full-text search
 * (PostgreSQL keeps their places, so what comes back may lack repetitions in long texts).
 * null stays null everywhere.
 */
export interface Codec {
  readonly dialect: Dialect;
  /** What to bind. Throws `InvalidInput` for a value the column cannot hold on both databases alike (not a number, out of range, NUL in a text). */
  encode(kind: ColumnKind, value: unknown): Binding;
  /** What the application sees of a raw value. */
  decode(kind: ColumnKind, raw: unknown): unknown;
  /** The function for one kind, to be kept by whoever maps many rows; `null` when raw values are already right. */
  decoder(kind: ColumnKind): ((raw: unknown) => unknown) | null;
}

export interface ColumnReference {
  /** The table whose `id` it holds. */
  table: string;
  onDelete: 'restrict' | 'cascade' | 'set null';
}

export interface ColumnSpec {
  name: string;
  /** `id` is the primary key, numbered by the database and never given twice; rows are inserted without it. */
  kind: ColumnKind;
  notNull?: boolean;
  /** A constant as the codec takes it; a date or datetime as ISO text, a json as JSON text. */
  default?: string | number | boolean | null;
  references?: ColumnReference;
}

export interface IndexSpec {
  /** Unique in the whole database; also the name of the search table of a `fulltext` index on SQLite. */
  name: string;
  columns: string[];
  unique?: boolean;
  /** SQL that reads the same on both dialects; only rows for which it holds are in the index. */
  where?: string;
  /**
   * `trgm` speeds up `like '%…%'` (PostgreSQL with pg_trgm; elsewhere a plain index or none), `fulltext` makes columns of kind `words` searchable.
   * Default `btree`.
   */
  using?: 'btree' | 'trgm' | 'fulltext';
  /** One of the columns holds a text in several languages, and is indexed by the one that a reader of the first of these reads. */
  text?: { readonly column: string; readonly languages: readonly string[] };
}

export interface TableSpec {
  name: string;
  columns: ColumnSpec[];
  indexes: IndexSpec[];
  /** For tables without an `id` column, such as those of many2many. */
  primaryKey?: string[];
}

/** One change of the schema, plain data: can be shown, sent and applied later. */
export type SchemaStep =
  | { readonly type: 'createTable'; readonly table: TableSpec }
  | { readonly type: 'addColumn'; readonly table: string; readonly column: ColumnSpec }
  /** The column refers to the same table as before, and deleting a row there does something else from now on. */
  | { readonly type: 'changeReference'; readonly table: string; readonly column: ColumnSpec }
  /** `shared`: the table was there before this plan, so the step may have to wait for others who use it. */
  | { readonly type: 'createIndex'; readonly table: string; readonly index: IndexSpec; readonly shared: boolean }
  | { readonly type: 'dropTable'; readonly table: string }
  | { readonly type: 'dropColumn'; readonly table: string; readonly column: string }
  | { readonly type: 'dropIndex'; readonly table: string; readonly index: string };

/** What a plan cannot do by adding. `error`: the code would not work on this schema; `note`: it was planned differently than asked. */
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
  /** The tables as they are, without the core's own bookkeeping of changes. `connection`: look from inside that transaction. */
  introspect(connection?: Connection): Promise<TableSpec[]>;
  /** Names of the columns of each table; a quicker look than {@link introspect}. */
  columns(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** The schema as sorted lines of text, the same on every machine: compare two to see what differs. */
  describe(connection?: Connection): Promise<string[]>;
  /** What has to be added so that everything wanted is there. Never drops tables or columns; an index that differs is made anew, as is what a deletion does to rows that refer to the deleted one. */
  plan(wanted: readonly TableSpec[], current: readonly TableSpec[]): SchemaPlan;
  /** Runs the steps inside the transaction: all or nothing. New tables may point at each other in any order. */
  apply(transaction: Transaction, steps: readonly SchemaStep[]): Promise<void>;
  /** Runs `createIndex` and `dropIndex` steps without stopping writers of those tables (CONCURRENTLY on PostgreSQL). May be repeated after a failure. */
  applyOutside(steps: readonly SchemaStep[]): Promise<void>;
}

/** Counts since the database was opened, and how things stand now. */
export interface DatabaseMetrics {
  readonly reads: number;
  /** Rows that reads answered. */
  readonly rowsRead: number;
  readonly writes: number;
  readonly writesFailed: number;
  /** Tries started again after a serialisation failure, deadlock, lock wait or lost connection. */
  readonly retries: number;
  /** Calls that ended in `Unavailable`. */
  readonly unavailable: number;
  /** Writes now waiting for their turn. */
  readonly writesWaiting: number;
  readonly readsWaiting: number;
  readonly connections: number;
}

export interface Database {
  readonly dialect: Dialect;
  /** Builds SQL; never run anything with it. */
  readonly knex: Knex;
  readonly codec: Codec;
  /**
   * The read pool: each statement by itself, on any connection. Always sees what this process has committed, and never what an open
   * write has not committed yet: inside a write, ask the transaction. A statement may take 30 s on either database.
   */
  readonly reader: Connection;
  /** The read pool for one request: statements that take too long, or that nobody waits for any more, are stopped. */
  reading(bounds: ReadBounds): Connection;
  /** One consistent read transaction: all queries of `work` see the same moment. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a write transaction and answers its result after the commit. `work` may be started again from its beginning
   * (PostgreSQL), so what it does besides the database belongs in `afterCommit`. A write inside a write is refused.
   * Throws `Unavailable` when its turn does not come in time.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  readonly changes: Changes;
  readonly schema: SchemaTools;
  /** Whether the database answers, as last seen (at most about a second ago), and there are connections to read with; never waits. */
  health(): Promise<boolean>;
  metrics(): DatabaseMetrics;
  /** Lets running reads and writes end, then closes every connection; reads that take longer than two seconds for it are stopped. */
  close(): Promise<void>;
}

/** Where the database part writes what an operator should know; a pino logger fits. */
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
   * A transaction whose work ends before an operation it began fails, and names the call that nothing awaits; else that is logged with the
   * transaction's label. Either way the operation is waited for. For development and tests; default false.
   */
  strict?: boolean;
  /** Read connections (default 4 on SQLite, 8 on PostgreSQL). */
  readers?: number;
  /** Write connections on PostgreSQL (default 8); SQLite has exactly one. */
  writers?: number;
  /** Statements kept prepared per connection (default 500). */
  statements?: number;
  /** Default of `WriteOptions.deadlineMs` (20,000 unless told), and how long a read waits for a free connection (5,000 unless told). */
  deadlineMs?: number;
  /** Factor of the default times after which reads, writes and waits for locks are refused (default 1). */
  patience?: number;
}
