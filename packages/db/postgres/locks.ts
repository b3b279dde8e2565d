import { quoted } from '../schema/names.ts';
import type { Result, Statement } from '../types.ts';
import type { PostgresConnection } from './connection.ts';
import { Overtaken } from './errors.ts';
import type { KeyedMutex } from './keyed-mutex.ts';

/**
 * Row locks that are reliable under REPEATABLE READ.
 *
 * SELECT … FOR UPDATE alone isn't: a transaction sees the database as it was before it started to wait, so the second of two buyers would
 * get the lock and still count the seats from before the first purchase. Therefore
 *
 *   1. a lock is an advisory lock on (table, id), taken without waiting, and a new version of the row: a transaction that started before the
 *      last holder committed fails with a serialisation error;
 *   2. if either fails, the whole transaction is retried, and waits for its advisory locks (session-level, in a global order to
 *      avoid deadlocks) before it starts: its snapshot then includes the work of all earlier holders.
 */
export class RowLocks {
  /** All locks requested by any attempt of this write. */
  readonly #wanted = new Map<string, LockKey>();
  /** Locks held by the session since before the current attempt. */
  readonly #held = new Set<string>();
  readonly #others: KeyedMutex;

  /** @param mutex where writes of this process wait for each other */
  constructor(mutex: KeyedMutex) {
    this.#others = mutex;
  }

  /** Takes locks within the open transaction; throws `Overtaken` if it has to be retried. */
  async take(run: (statement: Statement) => Promise<Result>, table: string, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    const keys = sorted.map((id) => keyOf(table, id));
    for (const key of keys) this.#wanted.set(key.name, key);
    const missing = keys.filter((key) => !this.#held.has(key.name)).map((key) => key.number);
    const bindings = [keys[0]?.space ?? 0, missing, sorted.length === 1 ? sorted[0] : sorted];
    // If the session already holds all of them, the statement can't fail and needn't be awaited.
    const isAhead = missing.length === 0;
    const { rows } = await run({ sql: takeSql(table, sorted.length === 1), bindings, changesNothing: true, isAhead });
    if (!isAhead && rows[0]?.taken !== true) throw new Overtaken(`Somebody else holds a lock on ${table}`, 'lock');
  }

  /** Whether other writes of this process hold any of these locks; if so, the next attempt waits for them. */
  areTaken(table: string, ids: readonly number[]): boolean {
    const isTaken = ({ name }: LockKey): boolean => !this.#held.has(name) && this.#others.isTaken(name);
    return ids.some((id) => isTaken(keyOf(table, id))) && this.want(table, ids);
  }

  /** Requests locks for the next attempt and returns whether there is anything to wait for. */
  want(table: string, ids: readonly number[]): boolean {
    if (ids.length > maxConflictRows) return false;
    for (const key of ids.map((id) => keyOf(table, id))) this.#wanted.set(key.name, key);
    return ids.length > 0;
  }

  /** Names of the locks requested by earlier attempts, in the global locking order. */
  get names(): string[] {
    return this.#sorted().map(({ name }) => name);
  }

  #sorted(): LockKey[] {
    return [...this.#wanted.values()].sort((a, b) => a.space - b.space || a.number - b.number);
  }

  /** Waits, outside any transaction, for all locks requested by earlier attempts. */
  async hold(connection: PostgresConnection, patienceMs: number): Promise<void> {
    if (this.#wanted.size === 0) return;
    const missing = this.#sorted().filter(({ name }) => !this.#held.has(name));
    // If this fails, the session keeps the locks it got until all are released together.
    for (const { name } of missing) this.#held.add(name);
    const locks = missing.map(({ space, number }) => `select pg_advisory_lock(${space}, ${number}); `).join('');
    const patience = Math.max(1, Math.round(patienceMs));
    await connection.run(`set lock_timeout = ${patience}; ${locks}reset lock_timeout`);
  }

  /** SQL that releases the locks taken by `hold`, appended to the end of a transaction. */
  get releaseSql(): string {
    return this.#held.size === 0 ? '' : '; select pg_advisory_unlock_all()';
  }

  /** Records that the locks are released. */
  released(): void {
    this.#held.clear();
  }

  /** Releases the locks taken by `hold`. */
  async release(connection: PostgresConnection): Promise<void> {
    if (this.#held.size === 0) return;
    this.#held.clear();
    await connection.run('select pg_advisory_unlock_all()');
  }
}

/** A statement that conflicts on more rows doesn't wait for all of them. */
const maxConflictRows = 200;

interface LockKey {
  readonly name: string;
  readonly space: number;
  readonly number: number;
}

/** Two rows with the same key only wait for each other unnecessarily. */
function keyOf(table: string, id: number): LockKey {
  let space = 0;
  for (const letter of table) space = (Math.imul(space, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return { name: `${table} ${id}`, space, number: id % 2_147_483_647 };
}

/**
 * Takes both locks in one statement; row locks are only awaited once the advisory locks are held. Rows referencing the locked ones can
 * still be inserted without waiting (`no key`). PostgreSQL caches the plan for a single row.
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
