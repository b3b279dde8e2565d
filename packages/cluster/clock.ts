import type { Database } from '@pergola/db';
import type { Knex } from 'knex';

/**
 * Time of the database, plus `plusMs` milliseconds, as an expression for a datetime column. Leases are compared by this single clock,
 * independent of the nodes' clocks.
 */
export function databaseTime({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>, plusMs = 0): Knex.Raw {
  return dialect === 'sqlite'
    ? knex.raw("CAST(unixepoch('subsec') * 1000 AS INTEGER) + ?", [plusMs])
    : knex.raw("clock_timestamp() + ? * interval '1 millisecond'", [plusMs]);
}
