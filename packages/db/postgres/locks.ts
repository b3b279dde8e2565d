import { quoted } from '../schema/names.ts';
import type { Result, Statement } from '../types.ts';
import type { PostgresConnection } from './connection.ts';
import { Overtaken } from './errors.ts';
import type { KeyedMutex } from './keyed-mutex.ts';

/**
 * Row locks that keep their promise under REPEATABLE READ.
 *
 * SELECT … FOR UPDATE alone does not: a transaction sees the database as it was before it began to wait, so the second of two buyers would
 * get the lock and still count the seats as they were before the first one bought. Therefore
 *
 *   1. a lock is an advisory lock on (table, id), taken without waiting, and a new version of the row: whoever began before the
 *      last holder committed fails with a serialisation error;
 *   2. when either fails, the whole transaction starts again, and waits for its advisory locks (of the session, in one order for
 *      all, so nobody waits in a circle) before it begins: what it then sees includes every earlier holder's work.
 */
export class RowLocks {
  /** Every lock that a try of this write asked for. */
  readonly #wanted = new Map<string, LockKey>();
  /** Those held by the session since before the present try began. */
  readonly #held = new Set<string>();
  readonly #others: KeyedMutex;

  /** @param others where writes of this process wait for each other */
  constructor(others: KeyedMutex) {
    this.#others = others;
  }

  /** Takes locks within the open transaction; throws `Overtaken` when it has to start again. */
  async take(run: (statement: Statement) => Promise<Result>, table: string, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    const keys = sorted.map((id) => keyOf(table, id));
    for (const key of keys) this.#wanted.set(key.name, key);
    const missing = keys.filter((key) => !this.#held.has(key.name)).map((key) => key.number);
    const bindings = [keys[0]?.space ?? 0, missing, sorted.length === 1 ? sorted[0] : sorted];
    // Whoever holds them all gets them, and need not wait to be told.
    const isAhead = missing.length === 0;
    const { rows } = await run({ sql: takeSql(table, sorted.length === 1), bindings, changesNothing: true, isAhead });
    if (!isAhead && rows[0]?.taken !== true) throw new Overtaken(`Somebody else holds a lock on ${table}`, 'lock');
  }

  /** Whether others of this process hold one of these; then they are wanted from the next try on. */
  areTaken(table: string, ids: readonly number[]): boolean {
    const isTaken = ({ name }: LockKey): boolean => !this.#held.has(name) && this.#others.isTaken(name);
    return ids.some((id) => isTaken(keyOf(table, id))) && this.want(table, ids);
  }

  /** Wants locks from the next try on; answers whether there is anything to wait for. */
  want(table: string, ids: readonly number[]): boolean {
    if (ids.length > mostMet) return false;
    for (const key of ids.map((id) => keyOf(table, id))) this.#wanted.set(key.name, key);
    return ids.length > 0;
  }

  /** Names of the locks that earlier tries asked for, in the order in which everybody takes them. */
  get names(): string[] {
    return this.#sorted().map(({ name }) => name);
  }

  #sorted(): LockKey[] {
    return [...this.#wanted.values()].sort((a, b) => a.space - b.space || a.number - b.number);
  }

  /** Waits, outside any transaction, for all locks that earlier tries asked for. */
  async hold(connection: PostgresConnection, patienceMs: number): Promise<void> {
    if (this.#wanted.size === 0) return;
    const missing = this.#sorted().filter(({ name }) => !this.#held.has(name));
    // Those it has when it fails stay with the session, until they are given back with the others.
    for (const { name } of missing) this.#held.add(name);
    const locks = missing.map(({ space, number }) => `select pg_advisory_lock(${space}, ${number}); `).join('');
    const patience = Math.max(1, Math.round(patienceMs));
    await connection.run(`set lock_timeout = ${patience}; ${locks}reset lock_timeout`);
  }

  /** What gives back what `hold` took, for the end of what ends the transaction. */
  get releaseSql(): string {
    return this.#held.size === 0 ? '' : '; select pg_advisory_unlock_all()';
  }

  /** They are given back. */
  released(): void {
    this.#held.clear();
  }

  /** Gives back what `hold` took. */
  async release(connection: PostgresConnection): Promise<void> {
    if (this.#held.size === 0) return;
    this.#held.clear();
    await connection.run('select pg_advisory_unlock_all()');
  }
}

/** Whoever met others at one of more rows than that does not wait for all of them. */
const mostMet = 200;

interface LockKey {
  readonly name: string;
  readonly space: number;
  readonly number: number;
}

/** Two rows with one key only wait for each other without need. */
function keyOf(table: string, id: number): LockKey {
  let space = 0;
  for (const letter of table) space = (Math.imul(space, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return { name: `${table} ${id}`, space, number: id % 2_147_483_647 };
}

/**
 * Both in one statement; no row is waited for unless the advisory locks were there. Rows that refer to these may be inserted meanwhile, and need not wait
 * (`no key`). The plan for a single row is kept by PostgreSQL.
 */
function takeSql(table: string, isOne: boolean): string {
  const name = quoted(table);
  return `with advisory as materialized (
      select coalesce(bool_and(pg_try_advisory_xact_lock($1::int4, number)), true) as taken from unnest($2::int4[]) as wanted(number)
    ), locked as materialized (
      select "id" from ${name} where "id" = ${isOne ? '$3::int8' : 'any($3::int8[])'} and (select taken from advisory) order by "id" for no key update
    ), renewed as (
      update ${name} set "id" = locked."id" from locked where ${name}."id" = locked."id"
    )
    select taken from advisory`;
}
