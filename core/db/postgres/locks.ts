import { quoted } from '../schema/names.ts';
import type { Result, Statement } from '../types.ts';
import type { PostgresConnection } from './connection.ts';
import { Overtaken } from './errors.ts';

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

  /** Takes locks within the open transaction; throws `Overtaken` when it has to start again. */
  async take(run: (statement: Statement) => Promise<Result>, table: string, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    const keys = sorted.map((id) => keyOf(table, id));
    for (const key of keys) this.#wanted.set(key.name, key);
    const missing = keys.filter((key) => !this.#held.has(key.name)).map((key) => key.number);
    const bindings = [keys[0]?.space ?? 0, missing, sorted.length === 1 ? sorted[0] : sorted];
    const { rows } = await run({ sql: takeSql(table, sorted.length === 1), bindings, changesNothing: true });
    if (rows[0]?.taken !== true) throw new Overtaken(`Somebody else holds a lock on ${table}`, 'lock');
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
    await connection.run(`set lock_timeout = ${Math.max(1, Math.round(patienceMs))}`);
    try {
      for (const key of this.#sorted().filter(({ name }) => !this.#held.has(name))) {
        await connection.query({
          sql: 'select pg_advisory_lock($1::int4, $2::int4)',
          bindings: [key.space, key.number],
        });
        this.#held.add(key.name);
      }
    } finally {
      await connection.run('reset lock_timeout');
    }
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
