import { mkdir, open as openFile } from 'node:fs/promises';
import path from 'node:path';
import createKnex from 'knex';
import sqlite3 from 'sqlite3';
import { ChangeBoard } from '../change-board.ts';
import { codecFor } from '../codec.ts';
import { DatabaseMisuse, unusable } from '../errors.ts';
import { Pool } from '../pool.ts';
import { sqliteSchema } from '../schema/sqlite.ts';
import { createSchemaTools } from '../schema/tools.ts';
import { type Counters, counted, createCounters, type Settings, settingsFrom } from '../settings.ts';
import { createWriteScope } from '../transaction.ts';
import type {
  Connection,
  Database,
  DatabaseMetrics,
  OpenOptions,
  Result,
  SchemaStep,
  SchemaTools,
  Statement,
} from '../types.ts';
import { SqliteConnection } from './connection.ts';
import { isBusy, untilFree } from './errors.ts';
import { createChangeTable, SqliteWatcher } from './watcher.ts';
import { SqliteWriter } from './writer.ts';

/** The first version without the fault that could corrupt a file when its write-ahead log is reset. */
const oldestSqlite = 3_051_003;

/** Opens a SQLite file, making it and its folder when they are missing; only its owner may read it. */
export async function openSqlite(file: string, options: OpenOptions): Promise<Database> {
  if (sqlite3.VERSION_NUMBER < oldestSqlite)
    throw unusable(`SQLite ${sqlite3.VERSION} can corrupt files; 3.51.3 or newer is needed`);
  await makeFile(file);
  const settings = settingsFrom(options, 4);
  const counters = createCounters();
  const changes = new ChangeBoard(settings.log);
  const open = (writable: boolean) => () => SqliteConnection.open({ file, writable, statements: settings.statements });
  const watching = await open(true)();
  await untilFree(settings.deadlineMs, () => createChangeTable(watching));
  await watching.query({ sql: 'pragma query_only = 1', bindings: [] });
  const watcher = await SqliteWatcher.start(watching, changes, settings.log);
  const writer = new SqliteWriter({
    settings,
    counters,
    changes,
    scope: createWriteScope(),
    watcher,
    open: open(true),
  });
  const readers = readPool('read connection', settings.readers, settings, open(false));
  const snapshots = readPool('snapshot connection', settings.readers, settings, open(false));
  const reader = new SqliteReader(readers, counters, settings.deadlineMs);
  const knex = createKnex({ client: 'sqlite3', useNullAsDefault: true });
  const database: Omit<Database, 'schema'> = {
    dialect: 'sqlite',
    knex,
    codec: codecFor('sqlite'),
    reader,
    changes,
    snapshot: (work) => snapshots.use((connection) => readTransaction(connection, settings.deadlineMs, work)),
    write: (work, how) => counted(counters, writer.write(work, how)),
    health: async () => watcher.alive,
    metrics: (): DatabaseMetrics => ({
      ...counters,
      writesWaiting: writer.waiting,
      readsWaiting: readers.waiting + snapshots.waiting,
      connections: readers.size + snapshots.size + 2,
    }),
    async close() {
      await writer.close();
      await Promise.all([readers.close(), snapshots.close()]);
      await watcher.close();
    },
  };
  const schema: SchemaTools = createSchemaTools({
    database,
    dialect: sqliteSchema,
    trgm: true,
    applyOutside: (steps) => applyMissing(database, schema, steps),
  });
  return { ...database, schema };
}

/** SQLite makes an index while others wait; what a first try has done already is passed over. */
async function applyMissing(
  database: Pick<Database, 'write'>,
  schema: SchemaTools,
  steps: readonly SchemaStep[],
): Promise<void> {
  await database.write(
    async (transaction) => {
      const tables = await schema.introspect(transaction);
      const present = new Set(tables.flatMap((table) => table.indexes.map((index) => index.name)));
      const missing = steps.filter((step) => step.type !== 'createIndex' || !present.has(step.index.name));
      await schema.apply(transaction, missing);
    },
    { label: 'indexes', timeoutMs: 0 },
  );
}

async function makeFile(file: string): Promise<void> {
  if (file === '' || file.includes(':memory:')) {
    throw unusable(
      'SQLite needs a file, because several connections share it; give DATABASE_URL as sqlite:<path of the file>',
    );
  }
  await mkdir(path.dirname(file), { recursive: true });
  await (await openFile(file, 'a', 0o600)).close();
}

function readPool(
  what: string,
  size: number,
  settings: Settings,
  open: () => Promise<SqliteConnection>,
): Pool<SqliteConnection> {
  return new Pool({
    what,
    size,
    deadlineMs: settings.deadlineMs,
    open,
    close: (connection) => connection.close(),
    usable: (connection) => connection.usable,
  });
}

/** The read pool as a connection: every statement runs by itself on whichever connection is free. */
class SqliteReader implements Connection {
  readonly dialect = 'sqlite';
  readonly writable = false;
  readonly #pool: Pool<SqliteConnection>;
  readonly #counters: Counters;
  readonly #deadlineMs: number;

  constructor(pool: Pool<SqliteConnection>, counters: Counters, deadlineMs: number) {
    this.#pool = pool;
    this.#counters = counters;
    this.#deadlineMs = deadlineMs;
  }

  async query(statement: Statement): Promise<Result> {
    this.#counters.reads += 1;
    const connection = this.#pool.takeIdle() ?? (await counted(this.#counters, this.#pool.acquire()));
    try {
      return await connection.query(statement);
    } catch (error) {
      if (isBusy(error)) return await untilFree(this.#deadlineMs, () => connection.query(statement));
      throw error;
    } finally {
      this.#pool.release(connection);
    }
  }
}

/** All queries of `work` see the file as it was at the first of them. */
async function readTransaction<T>(
  connection: SqliteConnection,
  deadlineMs: number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let ended = false;
  const snapshot: Connection = {
    dialect: 'sqlite',
    writable: false,
    query: (statement) =>
      ended ? Promise.reject(new DatabaseMisuse('The snapshot has ended.')) : connection.query(statement),
  };
  await connection.query({ sql: 'begin', bindings: [] });
  try {
    // A deferred transaction begins with its first read; taken here, so that the moment is that of the call.
    await untilFree(deadlineMs, () => connection.query({ sql: 'select 1 from sqlite_master limit 1', bindings: [] }));
    return await work(snapshot);
  } finally {
    ended = true;
    await connection.query({ sql: 'commit', bindings: [] }).catch(() => connection.close());
  }
}
