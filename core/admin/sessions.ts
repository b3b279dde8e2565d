import { type Ctx, internals, neverKept, transactionOf } from '../context/index.ts';
import { changesOf, rowsOf } from '../db/index.ts';
import { defaultLimits, SESSION_TABLE } from '../http/index.ts';
import type { Id, Ids } from '../model/index.ts';

/** An open session of somebody who signed in. */
export interface OpenSession {
  readonly number: number;
  readonly userId: Id;
  /** Whether it is the one that asks. */
  readonly current: boolean;
  readonly createdAt: Date;
  /** To five minutes. */
  readonly seenAt: Date;
  readonly ip: string;
  /** "Firefox, Linux" */
  readonly agent: string;
}

/** Sessions of all users, the latest used first. Who may see them is the caller's matter. */
export async function listAllSessions(
  ctx: Ctx,
  { limit = 80, offset = 0 }: { limit?: number; offset?: number } = {},
): Promise<{ readonly sessions: readonly OpenSession[]; readonly total: number }> {
  neverKept(ctx, 'it lists sessions');
  const { database, connection } = internals(ctx);
  const { knex, codec } = database;
  const now = ctx.now();
  const idleSince = new Date(now.getTime() - defaultLimits.idleMs);
  const open = () =>
    knex(SESSION_TABLE)
      .whereNotNull('user_id')
      .where('expires_at', '>', codec.encode('datetime', now) as string | number)
      .where('seen_at', '>', codec.encode('datetime', idleSince) as string | number);
  const rows = await rowsOf(
    connection,
    open()
      .select('id', 'user_id', 'created_at', 'seen_at', 'ip', 'agent')
      .orderBy([
        { column: 'seen_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit)
      .offset(offset),
  );
  const [counted] = await rowsOf(connection, open().count('* as n'));
  return {
    sessions: rows.map((row) => ({
      number: Number(row.id),
      userId: Number(row.user_id),
      current: Number(row.id) === ctx.session.number,
      createdAt: codec.decode('datetime', row.created_at) as Date,
      seenAt: codec.decode('datetime', row.seen_at) as Date,
      ip: String(row.ip),
      agent: String(row.agent),
    })),
    total: Number(counted?.n ?? 0),
  };
}

/**
 * Ends these sessions, in the context's transaction, but never the one that asks. Answers how many. Whether the caller may do so is the caller's
 * matter. Throws Conflict where nothing may be written.
 */
export async function endSessionsByNumber(ctx: Ctx, numbers: Ids): Promise<number> {
  const transaction = transactionOf(ctx);
  const { knex } = internals(ctx).database;
  const those = numbers.filter((number) => number !== ctx.session.number);
  const ended = await changesOf(transaction, knex(SESSION_TABLE).whereIn('id', those).whereNotNull('user_id').delete());
  if (ended > 0) transaction.touch(SESSION_TABLE);
  return ended;
}
