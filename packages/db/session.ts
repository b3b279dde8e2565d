import type { Ctx } from '@pergola/core';
import { Conflict, requestValue, value } from '@pergola/core';
import type { Codec, Connection, Database, Transaction } from './types.ts';

/** The database of the application. */
export const database = value<Database>('database');

/** What a context reads from and writes to. */
export interface DatabaseSession {
  readonly database: Database;
  /** What statements run on: the open transaction where the context writes, else the read pool. */
  readonly connection: Connection;
  /** Null if the context only reads. */
  readonly transaction: Transaction | null;
}

export const databaseSession = requestValue<DatabaseSession>('database session');

/** The request values of a context whose statements run on this connection. It writes if that is a transaction. */
export function sessionOn(database: Database, connection: Connection): Readonly<Record<string, unknown>> {
  const transaction = connection.writable ? (connection as Transaction) : null;
  return { [databaseSession.name]: { database, connection, transaction } satisfies DatabaseSession };
}

/**
 * The context's transaction.
 *
 * @throws Conflict if the context only reads.
 */
export function transactionOf(ctx: Ctx): Transaction {
  const { transaction } = ctx.get(databaseSession);
  if (transaction) return transaction;
  throw new Conflict(
    'This needs a transaction, and the route, method or job that runs does not write. Declare it with `writes: true`.',
    { code: 'core.context_does_not_write' },
  );
}

/** Turns values into what the columns of this database hold and back, for `ctx.db`: `codecOf(ctx).decode('datetime', row.create_date)`. */
export function codecOf(ctx: Ctx): Codec {
  return ctx.get(databaseSession).database.codec;
}
