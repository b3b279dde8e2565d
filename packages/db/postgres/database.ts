import { randomBytes } from 'node:crypto';
import createKnex from 'knex';
import { assembleDatabase } from '../assemble.ts';
import { ChangeBoard } from '../change-board.ts';
import { DatabaseError, DatabaseMisuse, unusable } from '../errors.ts';
import { Plans } from '../plans.ts';
import { Pool } from '../pool.ts';
import { quoted } from '../schema/names.ts';
import { createIndexSql, postgresSchema } from '../schema/postgres.ts';
import { createCounters, type Settings, settingsFrom } from '../settings.ts';
import { Shares } from '../shares.ts';
import { createWriteScope } from '../transaction.ts';
import type { Database, OpenOptions, ReadBounds, SchemaStep } from '../types.ts';
import { PostgresConnection, StatementNames } from './connection.ts';
import { ConnectionLost } from './errors.ts';
import { PostgresListener } from './listener.ts';
import { PostgresReader, readTransaction } from './reader.ts';
import { PostgresWriter } from './writer.ts';

/** Opens a PostgreSQL database (13 or newer): pools for reads, snapshots and writes, and a session for notifications. */
export async function openPostgres(options: OpenOptions): Promise<Database> {
  const settings = settingsFrom(options, 8);
  const counters = createCounters();
  const knex = createKnex({ client: 'pg' });
  const plans = new Plans(knex);
  const changes = new ChangeBoard(settings.log);
  const node = randomBytes(8).toString('hex');
  const sessions = openSessions(options.url, settings, node, changes);
  const { names, readers, snapshots, writers, stoppers, listener, close } = sessions;
  const writer = new PostgresWriter({
    settings,
    counters,
    changes,
    scope: createWriteScope(),
    plans,
    pool: writers,
    names,
    node,
  });
  const trgm = await firstContact(sessions);
  const shares = new Shares(settings.readers / 2);
  const reading = (bounds: ReadBounds) => new PostgresReader({ pool: readers, counters, names, shares, plans }, bounds);
  return assembleDatabase({
    dialect: 'postgres',
    knex,
    counters,
    changes,
    reader: reading({}),
    reading,
    snapshot: (work) => readTransaction({ pool: snapshots, names, plans }, work),
    write: (work, options) => writer.write(work, options),
    schema: {
      dialect: postgresSchema,
      trgm,
      applyOutside: (steps) => reaching(() => writers.use((connection) => applyConcurrently(connection, steps))),
    },
    alive: () => listener.alive && !readers.stuck,
    load: () => ({
      writesWaiting: writers.waiting,
      readsWaiting: readers.waiting + snapshots.waiting,
      connections: readers.size + snapshots.size + writers.size + stoppers.size + 1,
    }),
    close,
  });
}

/** How long connecting to look for a table may take, in milliseconds. */
const CONNECT_MS = 10_000;

/** PostgreSQL's code for a table that doesn't exist. */
const UNDEFINED_TABLE = '42P01';

/** Whether this table exists and has a row. */
export async function postgresHasRows(url: string, table: string): Promise<boolean> {
  const names = new StatementNames(1);
  const options = { url, readOnly: true, statements: 1, connectMs: CONNECT_MS, names, onLost: () => {} };
  const connection = await reaching(() => PostgresConnection.open(options));
  try {
    const { rows } = await connection.query({ sql: `select 1 from ${quoted(table)} limit 1`, bindings: [] });
    return rows.length > 0;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return false;
    throw error;
  } finally {
    await connection.close();
  }
}

type Sessions = ReturnType<typeof openSessions>;

/** Everything that holds connections. Opens none yet. */
function openSessions(url: string, settings: Settings, node: string, changes: ChangeBoard) {
  const { statements, deadlineMs, log } = settings;
  const names = new StatementNames(statements);
  const connect = (readOnly: boolean, onLost: (connection: PostgresConnection) => void) =>
    PostgresConnection.open({ url, readOnly, statements, connectMs: deadlineMs, names, stop, onLost });
  const pool = (resource: string, size: number, readOnly: boolean) => {
    const created: Pool<PostgresConnection> = new Pool({
      resource,
      size,
      deadlineMs,
      open: () => connect(readOnly, (connection) => created.discard(connection)),
      close: (connection) => connection.close(),
      usable: (connection) => connection.usable,
      interrupt: (connection) => void (readOnly && connection.close()),
    });
    return created;
  };
  const readers = pool('read connection', settings.readers, true);
  const snapshots = pool('snapshot connection', 4, true);
  const writers = pool('write connection', settings.writers, false);
  const stoppers = pool('connection that stops statements', 1, true);
  const stop = (process: number) =>
    stoppers.use((connection) => connection.query({ sql: 'select pg_cancel_backend($1)', bindings: [process] }));
  const listener = new PostgresListener({ node, changes, log, connect: (onLost) => connect(true, onLost) });
  const close = async () => {
    await Promise.all([readers.close(), snapshots.close(), writers.close()]);
    await stoppers.close();
    await listener.close();
  };
  return { names, readers, snapshots, writers, stoppers, listener, close };
}

/** Starts listening and returns whether trigrams are available. */
async function firstContact({ listener, writers, close }: Sessions): Promise<boolean> {
  try {
    return await reaching(async () => {
      await listener.start();
      return writers.use(enableTrigrams);
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reports the reason, because the administrator started this operation. */
async function reaching<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ConnectionLost ? unusable(`it cannot be reached (${error.message})`, error) : error;
  }
}

/** pg_trgm makes `like '%…%'` fast; without it, everything still works. */
async function enableTrigrams(connection: PostgresConnection): Promise<boolean> {
  await connection.run('create extension if not exists pg_trgm').catch(() => {});
  const { rows } = await connection.query({
    sql: "select 1 from pg_extension where extname = 'pg_trgm'",
    bindings: [],
  });
  return rows.length > 0;
}

/**
 * A failed CONCURRENTLY leaves an index that is maintained but never used, and a killed process one without its comment: both are rebuilt.
 */
async function applyConcurrently(connection: PostgresConnection, steps: readonly SchemaStep[]): Promise<void> {
  const run = (sql: string) => connection.run(sql, { patienceMs: 0 });
  await run('set statement_timeout = 0; set lock_timeout = 0');
  try {
    for (const step of steps) {
      if (step.type === 'dropIndex') await run(`drop index concurrently if exists ${quoted(step.index)}`);
      else if (step.type !== 'createIndex') throw new DatabaseMisuse(`“${step.type}” needs a transaction.`);
      else if (!(await isThere(connection, step.index.name))) {
        await run(`drop index concurrently if exists ${quoted(step.index.name)}`);
        for (const sql of createIndexSql(step.table, step.index, 'concurrently ')) await run(sql);
      }
    }
  } finally {
    await run('reset statement_timeout; reset lock_timeout');
  }
}

async function isThere(connection: PostgresConnection, index: string): Promise<boolean> {
  const { rows } = await connection.query({
    sql: "select 1 from pg_index x join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace where n.nspname = current_schema() and i.relname = $1 and x.indisvalid and obj_description(i.oid, 'pg_class') is not null",
    bindings: [index],
  });
  return rows.length > 0;
}
