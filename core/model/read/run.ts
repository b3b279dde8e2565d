import type { Knex } from 'knex';
import type { Row } from '../../db/types.ts';
import { internals } from '../../internals.ts';
import type { BoundModel } from '../compiled.ts';
import type { MomentUse, Slot, SqlScope } from '../domain/scope.ts';
import { Now } from '../now.ts';
import { windowSlot } from './limit.ts';
import { kept } from './plan-cache.ts';

/** SQL ready to run again and again: the statement, where its values come from, and what has to be told before it reads. */
export interface Compiled {
  readonly sql: string;
  readonly slots: readonly Slot[];
  readonly tables: readonly string[];
  readonly volatile: readonly string[];
  readonly moments: readonly MomentUse[];
}

/** A statement as knex compiles it, with what its scope has gathered. */
export function compiledFrom(scope: SqlScope, query: Knex.QueryBuilder): Compiled {
  const { sql, bindings } = query.toSQL().toNative();
  return {
    sql,
    slots: bindings.map((bound) => (typeof bound === 'number' ? windowSlot(scope, bound) : (bound as Slot))),
    tables: [...scope.tables],
    volatile: [...scope.volatile],
    moments: scope.moments,
  };
}

/** Runs a statement with these values. Whoever keeps the page hears of the tables before they are read, so that no change goes unseen. */
export async function run(
  bound: BoundModel,
  compiled: Compiled,
  sources: readonly (readonly unknown[])[],
): Promise<readonly Row[]> {
  const { tracker } = internals(bound.ctx);
  if (tracker) {
    for (const table of compiled.tables) tracker.table(table);
    for (const model of compiled.volatile) tracker.personal(`reads “${model}”, whose counters are never kept`);
    for (const use of compiled.moments) await reportMoment(bound, use, sources);
  }
  const { rows } = await bound.connection.query({ sql: compiled.sql, bindings: bindingsOf(compiled, sources) });
  return rows;
}

function bindingsOf({ slots }: Compiled, sources: readonly (readonly unknown[])[]): unknown[] {
  const bindings = new Array<unknown>(slots.length);
  for (let position = 0; position < slots.length; position++) {
    const slot = slots[position];
    if (slot) bindings[position] = slot.encode(sources[slot.source]?.[slot.index]);
  }
  return bindings;
}

/**
 * A comparison with the time holds until the next row of the table crosses it. Which rows the rest of the domain leaves does not matter: the
 * earliest of all is never too late.
 *
 * ```
 *   column:   ──x────x──|now|──x────x──▶        stale from here: the first x after now
 * ```
 */
async function reportMoment(
  bound: BoundModel,
  use: MomentUse,
  sources: readonly (readonly unknown[])[],
): Promise<void> {
  const moment = sources[use.source]?.[use.index];
  const { tracker } = internals(bound.ctx);
  if (!(moment instanceof Now) || !tracker) return;
  // A row at exactly this moment changes sides when the time has passed it: one millisecond later.
  const changesAfter = use.operator !== '>' && use.operator !== '<=';
  const { table, column } = use;
  const { sql } = kept(bound, `moment|${table}|${column}|${changesAfter}`, () =>
    bound
      .knex(table)
      .min({ next: column })
      .where(column, changesAfter ? '>=' : '>', 0)
      .toSQL()
      .toNative(),
  );
  const { rows } = await bound.connection.query({ sql, bindings: [bound.codec.encode('datetime', moment)] });
  const next = bound.codec.decode('datetime', rows[0]?.next ?? null);
  if (next instanceof Date) tracker.until(new Date(next.getTime() - moment.offset + (changesAfter ? 1 : 0)));
}
