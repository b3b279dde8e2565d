import type { LockHolder } from '@pergola/core';
import { Conflict, type Log } from '@pergola/core';
import { type Connection, changesOf, type Database, rowsOf, type Transaction } from '@pergola/db';
import { databaseTime } from './clock.ts';
import { isGone, machine } from './machine.ts';

/** Exclusive lock across all processes of the site, held as long as it is renewed. */
export interface HeldLease {
  readonly name: string;
  /** Increases with every new holder, so that writes of a former holder with an older token are rejected. */
  readonly token: number;
  /** Aborted when the lease is lost or released. */
  readonly signal: AbortSignal;
  /**
   * Makes sure, inside a transaction, that the lease is still held when it commits: a takeover has to wait for the commit. Throws Conflict
   * if the lease is lost.
   */
  assert(transaction: Transaction): Promise<void>;
  /** Releases the lease; another process may acquire it at once. */
  release(): Promise<void>;
}

export interface Leases {
  /**
   * Acquires a free lease and renews it until it is released. Null if another process holds it. `ttlMs`: how long it outlives a holder on
   * another machine, in milliseconds (default 10,000); a killed process of this machine loses it at once.
   */
  acquire(name: string, options?: { ttlMs?: number; note?: string }): Promise<HeldLease | null>;
  /** Current holder, or null. */
  holder(name: string): Promise<LockHolder | null>;
}

/** Leases of this process. `holder` identifies it, also in messages for people. */
export function createLeases(database: Database, holder: string, log: Log): Leases {
  return {
    async acquire(name, { ttlMs = 10_000, note } = {}) {
      // A read before the write, so that polling doesn't queue among the writers.
      const last = await lastHeld(database, name);
      if (last && !last.gone) return null;
      const token = await take(database, { name, holder, ttlMs, note: note ?? null, from: last?.token ?? null });
      return token === null ? null : keep(database, log, { name, token, ttlMs });
    },
    holder: (name) => leaseHolder(database, name),
  };
}

/** Lease for switching addons: one switch at a time across all processes. */
export const SWITCH_LEASE = 'switch';

/** Current holder of a lease, or null. */
export async function leaseHolder(database: Database, name: string): Promise<LockHolder | null> {
  const last = await lastHeld(database, name);
  return last && !last.gone ? last.info : null;
}

interface LastHeld {
  readonly info: LockHolder;
  readonly token: number;
  /** Whether its process has ended without releasing it. */
  readonly gone: boolean;
}

/** Latest holder whose lease hasn't expired. */
async function lastHeld(database: Database, name: string): Promise<LastHeld | null> {
  const { knex, codec } = database;
  const query = knex('core_lease').select('holder', 'since', 'note', 'token', 'machine', 'pid').where({ name });
  const [row] = await rowsOf(database.reader, query.where('until', '>', databaseTime(database)));
  if (!row) return null;
  const since = codec.decode('datetime', row.since);
  const info = {
    holder: String(row.holder),
    since: since instanceof Date ? since : new Date(0),
    note: typeof row.note === 'string' ? row.note : null,
  };
  return { info, token: Number(row.token), gone: isGone(row.machine, row.pid) };
}

/** `from`: token of a holder whose process has ended. */
async function take(
  database: Database,
  request: { name: string; holder: string; ttlMs: number; note: string | null; from: number | null },
): Promise<number | null> {
  const { knex } = database;
  const { name, holder, ttlMs, note, from } = request;
  const [since, until] = [databaseTime(database), databaseTime(database, ttlMs)];
  const row = { name, holder, note, token: 1, since, until, machine, pid: process.pid };
  const statement = knex('core_lease')
    .insert(row)
    .onConflict('name')
    .merge({ ...row, token: knex.raw('core_lease.token + 1') })
    .where((free) => free.where('core_lease.until', '<=', databaseTime(database)).orWhere('core_lease.token', from))
    .returning('token');
  const [leaseRow] = await database.write((transaction) => rowsOf(transaction, statement), { label: `lease ${name}` });
  return leaseRow ? Number(leaseRow.token) : null;
}

function keep(database: Database, log: Log, lease: { name: string; token: number; ttlMs: number }): HeldLease {
  const { name, token, ttlMs } = lease;
  const ended = new AbortController();
  const extend = (connection: Connection): Promise<boolean> => set(connection, ttlMs);
  const set = async (connection: Connection, ms: number): Promise<boolean> => {
    const update = database
      .knex('core_lease')
      .where({ name, token })
      .update({ until: databaseTime(database, ms) });
    return (await changesOf(connection, update)) === 1;
  };
  const lostError = (): Conflict =>
    new Conflict('Another process has taken over this task ({name}).', {
      code: 'core.lease_lost',
      params: { name },
    });
  let lastRenewed = performance.now();
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renew();
  }, ttlMs / 3);
  timer.unref();

  async function renew(): Promise<void> {
    const startedAt = performance.now();
    try {
      const isHeld = await database.write(extend, { label: `renew lease ${name}`, deadlineMs: ttlMs / 3 });
      if (isHeld) lastRenewed = startedAt;
      else end(lostError());
    } catch (error) {
      log.warn({ err: error, lease: name }, 'A lease could not be renewed');
      // Another process may hold it from now on: better to stop a little early than to have two holders.
      if (performance.now() - lastRenewed > ttlMs) end(lostError());
    }
  }
  function end(reason: unknown): void {
    clearInterval(timer);
    if (!ended.signal.aborted) ended.abort(reason);
  }

  return {
    name,
    token,
    signal: ended.signal,
    async assert(transaction) {
      if (ended.signal.aborted || !(await extend(transaction))) throw lostError();
    },
    async release() {
      if (ended.signal.aborted) return;
      end(new Conflict('The lease was released ({name}).', { code: 'core.lease_lost', params: { name } }));
      // A pending renewal would otherwise extend the lease after its release.
      await renewing;
      // The column stores whole milliseconds, rounded up: with 0 it would stay held for a moment.
      await database.write((transaction) => set(transaction, -1), { label: `release lease ${name}` });
    },
  };
}
