import { User } from '@pergola/base';
import type { Ctx, Id, Ids } from 'pergola';
import { defaultLimits, SESSION_TABLE } from 'pergola/http';
import { codecOf } from 'pergola/orm';

/** An open session of a signed-in user. */
export interface OpenSession {
  readonly number: number;
  readonly userId: Id;
  /** Whether it is the current session. */
  readonly current: boolean;
  readonly createdAt: Date;
  /** Accurate to five minutes. */
  readonly seenAt: Date;
  readonly ip: string;
  /** "Firefox, Linux" */
  readonly agent: string;
}

/** Returns the sessions of all users, most recently used first. The caller must check that the user may see them. */
export async function listAllSessions(
  ctx: Ctx,
  { limit = 80, offset = 0 }: { limit?: number; offset?: number } = {},
): Promise<{ readonly sessions: readonly OpenSession[]; readonly total: number }> {
  const codec = codecOf(ctx);
  const now = ctx.now();
  const idleSince = new Date(now.getTime() - defaultLimits.idleMs);
  const open = () =>
    ctx
      .db(SESSION_TABLE)
      .whereNotNull('user_id')
      .where('expires_at', '>', codec.encode('datetime', now) as string | number)
      .where('seen_at', '>', codec.encode('datetime', idleSince) as string | number);
  const rows = await open()
    .select('id', 'user_id', 'created_at', 'seen_at', 'ip', 'agent')
    .orderBy([
      { column: 'seen_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .offset(offset);
  const [totalRow] = await open().count({ n: '*' });
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
    total: Number(totalRow?.n ?? 0),
  };
}

/**
 * Ends sessions in the context's transaction, except the caller's current one.
 *
 * @returns number of ended sessions
 * @throws NotAllowed if a session belongs to a user with rights that the caller doesn't have
 */
export async function endSessionsByNumber(ctx: Ctx, numbers: Ids): Promise<number> {
  const otherNumbers = numbers.filter((number) => number !== ctx.session.number);
  const sessions = () => ctx.db(SESSION_TABLE).whereIn('id', otherNumbers).whereNotNull('user_id');
  const owners = await sessions().distinct('user_id');
  await ctx.model(User).requireMayManage(owners.map(({ user_id }) => Number(user_id)));
  return sessions().delete();
}
