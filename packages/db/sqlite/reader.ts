import { DatabaseMisuse } from '../errors.ts';
import type { Plans } from '../plans.ts';
import type { Pool } from '../pool.ts';
import { traced } from '../query-trace.ts';
import { type Counters, counted, counting } from '../settings.ts';
import type { Shares } from '../shares.ts';
import type { Connection, ReadBounds, Result, Statement } from '../types.ts';
import type { SqliteConnection } from './connection.ts';
import { isBusy, untilFree } from './errors.ts';

export interface SqliteReaderParts {
  readonly pool: Pool<SqliteConnection>;
  readonly counters: Counters;
  readonly deadlineMs: number;
  readonly shares: Shares;
  readonly plans: Plans;
}

/** The read pool as a connection: each statement runs separately on any free connection. */
export class SqliteReader implements Connection {
  readonly dialect = 'sqlite';
  readonly writable = false;
  readonly plans: Plans;
  readonly #parts: SqliteReaderParts;
  readonly #bounds: ReadBounds;

  constructor(parts: SqliteReaderParts, bounds: ReadBounds) {
    this.plans = parts.plans;
    this.#parts = parts;
    this.#bounds = bounds;
  }

  query(statement: Statement): Promise<Result> {
    const { counters, shares } = this.#parts;
    counters.reads += 1;
    const { whose: caller } = this.#bounds;
    const read = () => this.#read(statement);
    return traced(statement, () => (caller === undefined ? read() : shares.run(caller, read)));
  }

  async #read(statement: Statement): Promise<Result> {
    const { pool, counters, deadlineMs } = this.#parts;
    const connection = pool.takeIdle() ?? (await counted(counters, pool.acquire()));
    try {
      return counting(counters, await connection.query(statement, this.#bounds));
    } catch (error) {
      if (!isBusy(error)) throw error;
      return counting(counters, await untilFree(deadlineMs, () => connection.query(statement, this.#bounds)));
    } finally {
      pool.release(connection);
    }
  }
}

/** Runs all queries of `work` on the state of the file at the first query. */
export async function readTransaction<T>(
  connection: SqliteConnection,
  { plans, deadlineMs }: Pick<SqliteReaderParts, 'plans' | 'deadlineMs'>,
  bounds: ReadBounds,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let ended = false;
  const snapshot: Connection = {
    dialect: 'sqlite',
    writable: false,
    plans,
    query: (statement) =>
      ended
        ? Promise.reject(new DatabaseMisuse('The snapshot has ended.'))
        : traced(statement, () => connection.query(statement, bounds)),
  };
  await connection.query({ sql: 'begin', bindings: [] });
  try {
    // A deferred transaction starts with its first read, which is made here so that the snapshot is taken at the call.
    await untilFree(deadlineMs, () => connection.query({ sql: 'select 1 from sqlite_master limit 1', bindings: [] }));
    return await work(snapshot);
  } finally {
    ended = true;
    await connection.query({ sql: 'commit', bindings: [] }).catch(() => connection.close());
  }
}
