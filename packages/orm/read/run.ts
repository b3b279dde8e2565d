import { contextTools, Now, type Tracker } from '@pergola/core';
import { filled, Placeholder, type Plan, planOf, type Row, type Sources } from '@pergola/db';
import type { Knex } from 'knex';
import type { BoundModel } from '../compiled.ts';
import type { MomentUse, SqlScope } from '../domain/scope.ts';
import { windowPlaceholder } from './limit.ts';

/** SQL ready to run again and again, and what has to be told before it reads. */
export interface Compiled extends Plan {
  readonly tables: readonly string[];
  readonly volatile: readonly string[];
  readonly moments: readonly MomentUse[];
}

/** A statement as knex compiles it, with what its scope has gathered. */
export function compiledFrom(scope: SqlScope, query: Knex.QueryBuilder): Compiled {
  return {
    ...planOf(query, (index) => windowPlaceholder(scope, index)),
    tables: [...scope.tables],
    volatile: [...scope.volatile],
    moments: scope.moments,
  };
}

/** Runs a statement with these values. Whoever keeps the page hears of the tables before they are read, so that no change goes unseen. */
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
 * A comparison with the time holds until the next row of the table crosses it. Which rows the rest of the domain leaves does not matter: the
 * earliest of all is never too late.
 *
 * ```
 *   column:   ──x────x──|now|──x────x──▶        stale from here: the first x after now
 * ```
 */
async function reportMoment(bound: BoundModel, use: MomentUse, sources: Sources, tracker: Tracker): Promise<void> {
  const moment = sources[use.source]?.[use.index];
  if (!(moment instanceof Now) || !isNew(tracker, use, moment)) return;
  // A row at exactly this moment changes sides when the time has passed it: one millisecond later.
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

/** What each render has asked for already: the queries of a page mostly compare the same columns with the same moment. */
const asked = new WeakMap<Tracker, Set<string>>();

function isNew(tracker: Tracker, { table, column, operator }: MomentUse, moment: Now): boolean {
  const known = asked.get(tracker) ?? new Set();
  asked.set(tracker, known);
  const key = `${table} ${column} ${operator} ${moment.getTime()}`;
  if (known.has(key)) return false;
  known.add(key);
  return true;
}
