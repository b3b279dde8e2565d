import type { Database } from '@pergola/db';
import type { Knex } from 'knex';

/**
 * The database's own time, `plusMs` milliseconds from now, as an expression for a datetime column. Leases are compared by one clock, whatever
 * the clocks of the nodes say.
 */
export function databaseTime({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>, plusMs = 0): Knex.Raw {
  return dialect === 'sqlite'
    ? knex.raw("CAST(unixepoch('subsec') * 1000 AS INTEGER) + ?", [plusMs])
    : knex.raw("clock_timestamp() + ? * interval '1 millisecond'", [plusMs]);
}
