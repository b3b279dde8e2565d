import { mkdir, open as openFile } from 'node:fs/promises';
import path from 'node:path';
import { ownFile, ownFolder } from '@pergola/core';
import createKnex from 'knex';
import sqlite3 from 'sqlite3';
import { assembleDatabase } from '../assemble.ts';
import { ChangeBoard } from '../change-board.ts';
import { unusable } from '../errors.ts';
import { Plans } from '../plans.ts';
import { Pool } from '../pool.ts';
import { sqliteSchema } from '../schema/sqlite.ts';
import { createCounters, maxReadMs, settingsFrom } from '../settings.ts';
import { Shares } from '../shares.ts';
import { createWriteScope } from '../transaction.ts';
import type { Database, OpenOptions, ReadBounds, SchemaStep, Transaction } from '../types.ts';
import { SqliteConnection } from './connection.ts';
import { untilFree } from './errors.ts';
import { readTransaction, SqliteReader } from './reader.ts';
import { createChangeTable, SqliteWatcher } from './watcher.ts';
import { SqliteWriter } from './writer.ts';

/** First version without the bug that could corrupt a file when its write-ahead log is reset. */
const minSqliteVersion = 3_051_003;

/** Opens a SQLite file, creating it and its folder if missing; only its owner may read it. */
export async function openSqlite(file: string, options: OpenOptions): Promise<Database> {
  await makeFile(file);
  const settings = settingsFrom(options, 4);
  const { deadlineMs, statements } = settings;
  const counters = createCounters();
  const knex = createKnex({ client: 'sqlite3', useNullAsDefault: true });
  const plans = new Plans(knex);
  const changes = new ChangeBoard(settings.log);
  const open = (writable: boolean) => () => SqliteConnection.open({ file, writable, statements });
  const watcher = await SqliteWatcher.start(await openWatching(open(true), deadlineMs), changes, settings.log);
  const writer = new SqliteWriter({
    settings,
    counters,
    changes,
    scope: createWriteScope(),
    plans,
    watcher,
    open: open(true),
  });
  const readers = readPool('read connection', settings.readers, deadlineMs, open(false));
  const snapshots = readPool('snapshot connection', settings.readers, deadlineMs, open(false));
  const shares = new Shares(settings.readers / 2);
  const reading = (bounds: ReadBounds) =>
    new SqliteReader({ pool: readers, counters, deadlineMs, shares, plans }, { statementMs: maxReadMs, ...bounds });
  return assembleDatabase({
    dialect: 'sqlite',
    knex,
    counters,
    changes,
    reader: reading({}),
    reading,
    snapshot: (work) =>
      snapshots.use((connection) =>
        readTransaction(connection, { plans, deadlineMs }, { statementMs: maxReadMs }, work),
      ),
    write: (work, options) => writer.write(work, options),
    schema: {
      dialect: sqliteSchema,
      trgm: true,
      applyOutside: (steps) =>
        writer.write((transaction) => applyMissing(transaction, steps), { label: 'indexes', timeoutMs: 0 }),
    },
    alive: () => watcher.alive && !readers.stuck,
    load: () => ({
      writesWaiting: writer.waiting,
      readsWaiting: readers.waiting + snapshots.waiting,
      connections: readers.size + snapshots.size + 2,
    }),
    async close() {
      await writer.close();
      await Promise.all([readers.close(), snapshots.close()]);
      await watcher.close();
    },
  });
}

async function makeFile(file: string): Promise<void> {
  if (sqlite3.VERSION_NUMBER < minSqliteVersion) {
    throw unusable(`SQLite ${sqlite3.VERSION} can corrupt files; 3.51.3 or newer is needed`);
  }
  if (file === '' || file.includes(':memory:')) {
    throw unusable(
      'SQLite needs a file, because several connections share it; give DATABASE_URL as sqlite:<path of the file>',
    );
  }
  await mkdir(path.dirname(file), { recursive: true, mode: ownFolder });
  const handle = await openFile(file, 'a', ownFile);
  // A copied file may have other permissions; the log files inherit them.
  await handle.chmod(ownFile).catch(() => {});
  await handle.close();
}

/** Opens the connection that polls for changes by other processes, and creates its table if missing. */
async function openWatching(open: () => Promise<SqliteConnection>, deadlineMs: number): Promise<SqliteConnection> {
  const connection = await open();
  try {
    await untilFree(deadlineMs, () => createChangeTable(connection));
    await connection.query({ sql: 'pragma query_only = 1', bindings: [] });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function readPool(
  resource: string,
  size: number,
  deadlineMs: number,
  open: () => Promise<SqliteConnection>,
): Pool<SqliteConnection> {
  return new Pool({
    resource,
    size,
    deadlineMs,
    open,
    close: (connection) => connection.close(),
    usable: (connection) => connection.usable,
    interrupt: (connection) => connection.interrupt(),
  });
}

/** SQLite blocks writers while it creates an index; steps already done by an earlier attempt are skipped. */
async function applyMissing(transaction: Transaction, steps: readonly SchemaStep[]): Promise<void> {
  const tables = await sqliteSchema.introspect(transaction);
  const present = new Set(tables.flatMap((table) => table.indexes.map((index) => index.name)));
  const missing = steps.filter((step) => step.type !== 'createIndex' || !present.has(step.index.name));
  await sqliteSchema.apply(transaction, missing);
}
