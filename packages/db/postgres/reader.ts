import type { Unavailable } from '@pergola/core';
import { away, busy, DatabaseMisuse } from '../errors.ts';
import type { Plans } from '../plans.ts';
import type { Pool } from '../pool.ts';
import { traced } from '../query-trace.ts';
import { type Counters, counted, counting, pause } from '../settings.ts';
import type { Shares } from '../shares.ts';
import type { Connection, ReadBounds, Result, Statement } from '../types.ts';
import type { PostgresConnection, StatementNames } from './connection.ts';
import { ConnectionLost, isStale, Overtaken } from './errors.ts';

/** After a server restart all idle connections may be dead, which is only noticed when they are used. */
const readTries = 3;

export interface PostgresReaderParts {
  readonly pool: Pool<PostgresConnection>;
  readonly counters: Counters;
  readonly names: StatementNames;
  readonly shares: Shares;
  readonly plans: Plans;
}

/** The read pool as a connection: each statement runs separately on any free connection. */
export class PostgresReader implements Connection {
  readonly dialect = 'postgres';
  readonly writable = false;
  readonly plans: Plans;
  readonly #parts: PostgresReaderParts;
  readonly #bounds: ReadBounds;

  constructor(parts: PostgresReaderParts, bounds: ReadBounds) {
    this.plans = parts.plans;
    this.#parts = parts;
    this.#bounds = bounds;
  }

  query(statement: Statement): Promise<Result> {
    const { counters, shares } = this.#parts;
    counters.reads += 1;
    const { whose: caller } = this.#bounds;
    const read = () => this.#untilRead(statement);
    return counted(
      counters,
      traced(statement, () => (caller === undefined ? read() : shares.run(caller, read))),
    );
  }

  async #untilRead(statement: Statement): Promise<Result> {
    const { pool, names, counters } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        return counting(counters, await pool.use((connection) => connection.query(statement, this.#bounds)));
      } catch (error) {
        if (!(error instanceof Overtaken || error instanceof ConnectionLost)) throw error;
        if (isStale(error)) names.renew();
        if (tries === readTries) throw unavailable(error);
        counters.retries += 1;
        await pause(5 * tries);
      }
    }
  }
}

function unavailable(error: Overtaken | ConnectionLost): Unavailable {
  return error instanceof ConnectionLost ? away(error.message, error) : busy(error.message, error);
}

/** Runs all queries of `work` in one snapshot. `work` may have side effects, so it is never retried. */
export async function readTransaction<T>(
  { pool, names, plans }: Pick<PostgresReaderParts, 'pool' | 'names' | 'plans'>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await pool.use(async (connection) => {
      let ended = false;
      const snapshot: Connection = {
        dialect: 'postgres',
        writable: false,
        plans,
        query: (statement) =>
          ended
            ? Promise.reject(new DatabaseMisuse('The snapshot has ended.'))
            : traced(statement, () => connection.query(statement)),
      };
      // The first query determines the snapshot.
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
