import { randomBytes } from 'node:crypto';
import createKnex from 'knex';
import type { Unavailable } from '../../errors.ts';
import { ChangeBoard } from '../change-board.ts';
import { codecFor } from '../codec.ts';
import { away, busy, DatabaseMisuse, unusable } from '../errors.ts';
import { Pool } from '../pool.ts';
import { quoted } from '../schema/names.ts';
import { createIndexSql, postgresSchema } from '../schema/postgres.ts';
import { createSchemaTools } from '../schema/tools.ts';
import { type Counters, counted, createCounters, pause, settingsFrom } from '../settings.ts';
import { createWriteScope } from '../transaction.ts';
import type { Connection, Database, OpenOptions, Result, SchemaStep, Statement } from '../types.ts';
import { PostgresConnection, StatementNames } from './connection.ts';
import { ConnectionLost, isStale, Overtaken } from './errors.ts';
import { PostgresListener } from './listener.ts';
import { PostgresWriter } from './writer.ts';

/** Opens a PostgreSQL database (13 or newer): pools for reading, for snapshots and for writing, and one session that listens. */
export async function openPostgres(options: OpenOptions): Promise<Database> {
  const settings = settingsFrom(options, 8);
  const { log } = settings;
  const counters = createCounters();
  const changes = new ChangeBoard(log);
  const names = new StatementNames(settings.statements);
  const node = randomBytes(8).toString('hex');
  const connect = (readOnly: boolean, onLost: (lost: PostgresConnection) => void) =>
    PostgresConnection.open({
      url: options.url,
      readOnly,
      statements: settings.statements,
      connectMs: settings.deadlineMs,
      names,
      onLost,
    });
  const pool = (what: string, size: number, readOnly: boolean) => {
    const made: Pool<PostgresConnection> = new Pool({
      what,
      size,
      deadlineMs: settings.deadlineMs,
      open: () => connect(readOnly, (lost) => made.discard(lost)),
      close: (connection) => connection.close(),
      usable: (connection) => connection.usable,
    });
    return made;
  };
  const listener = new PostgresListener({ node, changes, log, connect: (onLost) => connect(true, onLost) });
  await opening(() => listener.start());
  const readers = pool('read connection', settings.readers, true);
  const snapshots = pool('snapshot connection', 4, true);
  const writers = pool('write connection', settings.writers, false);
  const writer = new PostgresWriter({
    settings,
    counters,
    changes,
    scope: createWriteScope(),
    pool: writers,
    names,
    node,
  });
  const close = async () => {
    await Promise.all([readers.close(), snapshots.close(), writers.close()]);
    await listener.close();
  };
  const database: Omit<Database, 'schema'> = {
    dialect: 'postgres',
    knex: createKnex({ client: 'pg' }),
    codec: codecFor('postgres'),
    reader: new PostgresReader(readers, counters, names),
    changes,
    snapshot: (work) => counted(counters, readTransaction(snapshots, names, work)),
    write: (work, how) => counted(counters, writer.write(work, how)),
    health: async () => listener.alive,
    metrics: () => ({
      ...counters,
      writesWaiting: writers.waiting,
      readsWaiting: readers.waiting + snapshots.waiting,
      connections: readers.size + snapshots.size + writers.size + 1,
    }),
    close,
  };
  try {
    const trgm = await opening(() => writers.use(enableTrigrams));
    const applyOutside = (steps: readonly SchemaStep[]) =>
      opening(() => writers.use((connection) => applyConcurrently(connection, steps)));
    return { ...database, schema: createSchemaTools({ database, dialect: postgresSchema, trgm, applyOutside }) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** For the first contact: what goes wrong there is told to whoever starts the site. */
async function opening<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ConnectionLost ? unusable(`it cannot be reached (${error.message})`, error) : error;
  }
}

/** pg_trgm makes `like '%…%'` fast; where it may not be had, everything works without. */
async function enableTrigrams(connection: PostgresConnection): Promise<boolean> {
  await connection.run('create extension if not exists pg_trgm').catch(() => {});
  const { rows } = await connection.query({
    sql: "select 1 from pg_extension where extname = 'pg_trgm'",
    bindings: [],
  });
  return rows.length > 0;
}

/** After a server's restart every idle connection may be dead, each being found out only when it is used. */
const readTries = 3;

/** The read pool as a connection: every statement runs by itself on whichever connection is free. */
class PostgresReader implements Connection {
  readonly dialect = 'postgres';
  readonly writable = false;
  readonly #pool: Pool<PostgresConnection>;
  readonly #counters: Counters;
  readonly #names: StatementNames;

  constructor(pool: Pool<PostgresConnection>, counters: Counters, names: StatementNames) {
    this.#pool = pool;
    this.#counters = counters;
    this.#names = names;
  }

  query(statement: Statement): Promise<Result> {
    this.#counters.reads += 1;
    return counted(this.#counters, this.#untilRead(statement));
  }

  async #untilRead(statement: Statement): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#pool.use((connection) => connection.query(statement));
      } catch (error) {
        if (!(error instanceof Overtaken || error instanceof ConnectionLost)) throw error;
        if (isStale(error)) this.#names.renew();
        if (tries === readTries) throw unavailable(error);
        this.#counters.retries += 1;
        await pause(5 * tries);
      }
    }
  }
}

function unavailable(error: Overtaken | ConnectionLost): Unavailable {
  return error instanceof ConnectionLost ? away(error.message, error) : busy(error.message, error);
}

/** All queries of `work` see one moment. It may have had effects, so it is never run again. */
async function readTransaction<T>(
  pool: Pool<PostgresConnection>,
  names: StatementNames,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await pool.use(async (connection) => {
      let ended = false;
      const snapshot: Connection = {
        dialect: 'postgres',
        writable: false,
        query: (statement) =>
          ended ? Promise.reject(new DatabaseMisuse('The snapshot has ended.')) : connection.query(statement),
      };
      // The first query fixes the moment.
      await connection.run('begin isolation level repeatable read read only; select 1');
      try {
        return await work(snapshot);
      } finally {
        ended = true;
        await connection.run('rollback').catch(() => connection.close());
      }
    });
  } catch (error) {
    if (isStale(error)) names.renew();
    throw error instanceof Overtaken || error instanceof ConnectionLost ? unavailable(error) : error;
  }
}

/** A CONCURRENTLY that failed leaves an index that is kept up but never used; it is made again. */
async function applyConcurrently(connection: PostgresConnection, steps: readonly SchemaStep[]): Promise<void> {
  const run = (sql: string) => connection.run(sql, { patienceMs: 0 });
  await run('set statement_timeout = 0; set lock_timeout = 0');
  try {
    for (const step of steps) {
      if (step.type === 'dropIndex') await run(`drop index concurrently if exists ${quoted(step.index)}`);
      else if (step.type !== 'createIndex') throw new DatabaseMisuse(`“${step.sentence}” needs a transaction.`);
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
    sql: 'select 1 from pg_index x join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace where n.nspname = current_schema() and i.relname = $1 and x.indisvalid',
    bindings: [index],
  });
  return rows.length > 0;
}
