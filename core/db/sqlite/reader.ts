import { DatabaseMisuse } from '../errors.ts';
import type { Pool } from '../pool.ts';
import { type Counters, counted } from '../settings.ts';
import type { Connection, Result, Statement } from '../types.ts';
import type { SqliteConnection } from './connection.ts';
import { isBusy, untilFree } from './errors.ts';

/** The read pool as a connection: every statement runs by itself on whichever connection is free. */
export class SqliteReader implements Connection {
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
export async function readTransaction<T>(
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
