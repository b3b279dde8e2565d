import { CLOCK_TOLERANCE_MS } from '@pergola/core';
import { type Database, rowsOf, type Transaction } from '@pergola/db';
import type { Knex } from 'knex';

/**
 * Finds rows of a table written by a clock that was ahead, whose `stamp` is in the future. The columns of each such row move back by the
 * same amount, so an event scheduled an hour after the row was written still happens an hour after.
 *
 * @param columns datetime columns to move, including `stamp`; null values stay null
 */
export function moveBack(
  { knex, dialect, codec }: Pick<Database, 'knex' | 'dialect' | 'codec'>,
  { table, stamp, columns, now }: { table: string; stamp: string; columns: readonly string[]; now: Date },
): Knex.QueryBuilder {
  const current = codec.encode('datetime', now) as number;
  const latest = codec.encode('datetime', new Date(now.getTime() + CLOCK_TOLERANCE_MS)) as number;
  const shifted = dialect === 'sqlite' ? '?? - (?? - ?)' : '?? - (?? - ?::timestamptz)';
  return knex(table)
    .where(stamp, '>', latest)
    .update(Object.fromEntries(columns.map((column) => [column, knex.raw(shifted, [column, stamp, current])])));
}

/**
 * Reschedules jobs that were queued, tried or claimed by a clock that was ahead.
 *
 * @param bounds longest pause between two attempts and longest lease of a job, in milliseconds
 */
export async function moveJobsBack(
  transaction: Transaction,
  database: Database,
  { now, pauseMs, leaseMs }: { now: Date; pauseMs: number; leaseMs: number },
): Promise<void> {
  const { knex, codec } = database;
  const timeIn = (ms: number): number => codec.encode('datetime', new Date(now.getTime() + ms)) as number;
  const columns = ['run_at', 'create_date'];
  await rowsOf(transaction, moveBack(database, { table: 'core_job', stamp: 'create_date', columns, now }));
  const waiting = knex('core_job').where({ state: 'waiting' }).andWhere('attempt', '>', 0);
  await rowsOf(transaction, waiting.andWhere('run_at', '>', timeIn(pauseMs)).update({ run_at: timeIn(0) }));
  const running = knex('core_job').where({ state: 'running' }).andWhere('lease_until', '>', timeIn(leaseMs));
  await rowsOf(transaction, running.update({ lease_until: timeIn(leaseMs) }));
  transaction.touch('core_job');
}
