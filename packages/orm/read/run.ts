import { contextTools, Now, type Tracker } from '@pergola/core';
import { filled, Placeholder, type Plan, planOf, type Row, type Sources } from '@pergola/db';
import type { Knex } from 'knex';
import type { BoundModel } from '../compiled.ts';
import type { MomentUse, SqlScope } from '../domain/scope.ts';
import { windowPlaceholder } from './limit.ts';

/** Compiled SQL for repeated use, with the dependencies to report before it reads. */
export interface Compiled extends Plan {
  readonly tables: readonly string[];
  readonly volatile: readonly string[];
  readonly moments: readonly MomentUse[];
}

/** Compiles a query, with the dependencies collected by its scope. */
export function compiledFrom(scope: SqlScope, query: Knex.QueryBuilder): Compiled {
  return {
    ...planOf(query, (index) => windowPlaceholder(scope, index)),
    tables: [...scope.tables],
    volatile: [...scope.volatile],
    moments: scope.moments,
  };
}

/** Runs a statement with these values. Reports its tables to the page cache before they are read, so that no change is missed. */
export async function run(bound: BoundModel, compiled: Compiled, sources: Sources): Promise<readonly Row[]> {
  const { tracker } = bound.ctx.get(contextTools);
  if (tracker) {
    for (const table of compiled.tables) tracker.table(table);
    for (const model of compiled.volatile) tracker.personal(`reads “${model}”, whose counters are never kept`);
    for (const use of compiled.moments) await reportMoment(bound, use, sources, tracker);
  }
  const { rows } = await bound.connection.query(filled(compiled, sources));
  return rows;
}

/**
 * A comparison with the current time is valid until the next row of the table crosses it. Other conditions of the domain don't matter: the
 * earliest of all crossings is never too late.
 *
 * ```
 *   column:   ──x────x──|now|──x────x──▶        stale from here: the first x after now
 * ```
 */
async function reportMoment(bound: BoundModel, use: MomentUse, sources: Sources, tracker: Tracker): Promise<void> {
  const moment = sources[use.source]?.[use.index];
  if (!(moment instanceof Now) || !isNew(tracker, use, moment)) return;
  // A row at exactly this moment changes sides one millisecond later.
  const changesAfter = use.operator !== '>' && use.operator !== '<=';
  const { table, column } = use;
  const operator = changesAfter ? '>=' : '>';
  const statement = bound.connection.plans.statement(
    `next ${table} ${column} ${operator}`,
    [[bound.codec.encode('datetime', moment)]],
    (knex) => knex(table).min({ next: column }).where(column, operator, new Placeholder(0)),
  );
  const { rows } = await bound.connection.query(statement);
  const next = bound.codec.decode('datetime', rows[0]?.next ?? null);
  if (next instanceof Date) tracker.until(new Date(next.getTime() - moment.offset + (changesAfter ? 1 : 0)));
}

/** Moments already checked by each render: queries of a page mostly compare the same columns with the same moment. */
const checkedMoments = new WeakMap<Tracker, Set<string>>();

function isNew(tracker: Tracker, { table, column, operator }: MomentUse, moment: Now): boolean {
  const checked = checkedMoments.get(tracker) ?? new Set();
  checkedMoments.set(tracker, checked);
  const key = `${table} ${column} ${operator} ${moment.getTime()}`;
  if (checked.has(key)) return false;
  checked.add(key);
  return true;
}
