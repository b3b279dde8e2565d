import { Conflict, type Ctx, contextTools } from '@pergola/core';
import { databaseSession } from '@pergola/db';
import type { Id } from '@pergola/orm';
import { SESSION_TABLE, SessionRows } from './session-rows.ts';
import { defaultLimits } from './sessions.ts';

/** A session as shown to its owner. */
export interface SessionSummary {
  readonly number: number;
  /** Whether it is the current session. */
  readonly current: boolean;
  readonly createdAt: Date;
  /** Accurate to five minutes. */
  readonly seenAt: Date;
  readonly ip: string;
  /** "Firefox, Linux" */
  readonly agent: string;
}

/** A user's open sessions, most recently used first. The caller checks permissions. */
export async function listSessions(ctx: Ctx, userId: Id): Promise<readonly SessionSummary[]> {
  const { database, connection } = ctx.get(databaseSession);
  const { tracker } = ctx.get(contextTools);
  // Last-seen times are written without notifying anyone, so the page can't be shared.
  tracker?.personal('it lists sessions');
  const now = ctx.now();
  const idleSince = new Date(now.getTime() - defaultLimits.idleMs);
  const rows = await new SessionRows(database).listOf(connection, userId, now, idleSince);
  return rows.map(({ number, createdAt, seenAt, ip, agent }) => ({
    number,
    current: number === ctx.session.number,
    createdAt,
    seenAt,
    ip,
    agent,
  }));
}

/**
 * Ends sessions of a user, in the context's transaction: on this node at commit, on the others within 250 ms. Ends all of them, only the
 * one numbered `only`, or all but the current one (`exceptCurrent`: after a password change, together with `ctx.session.renew()`). Returns
 * how many. Checking permissions is up to the caller. Throws Conflict in a read-only context.
 */
export async function endSessions(
  ctx: Ctx,
  userId: Id,
  selection: { only?: number; exceptCurrent?: boolean } = {},
): Promise<number> {
  const { database, transaction } = ctx.get(databaseSession);
  if (!transaction) {
    throw new Conflict('Sessions can only be ended in a transaction.', { code: 'core.context_does_not_write' });
  }
  const except = selection.exceptCurrent ? (ctx.session.number ?? undefined) : undefined;
  const ended = await new SessionRows(database).deleteOf(transaction, userId, { only: selection.only, except });
  if (ended > 0) transaction.touch(SESSION_TABLE);
  return ended;
}
