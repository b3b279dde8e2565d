import type { Ctx } from '@pergola/core';
import { Conflict, requestValue, value } from '@pergola/core';
import type { Codec, Connection, Database, Transaction } from './types.ts';

/** The application's database. */
export const database = value<Database>('database');

/** Database access of a context. */
export interface DatabaseSession {
  readonly database: Database;
  /** The open transaction if the context writes, otherwise the read pool. */
  readonly connection: Connection;
  /** Null in a read-only context. */
  readonly transaction: Transaction | null;
}

export const databaseSession = requestValue<DatabaseSession>('database session');

/** Request values for a context whose statements run on this connection. The context writes if the connection is a transaction. */
export function sessionOn(database: Database, connection: Connection): Readonly<Record<string, unknown>> {
  const transaction = connection.writable ? (connection as Transaction) : null;
  return { [databaseSession.name]: { database, connection, transaction } satisfies DatabaseSession };
}

/**
 * The context's transaction.
 *
 * @throws Conflict in a read-only context.
 */
export function transactionOf(ctx: Ctx): Transaction {
  const { transaction } = ctx.get(databaseSession);
  if (transaction) return transaction;
  throw new Conflict(
    'This needs a transaction, but the current route, method or job is read-only. Declare it with `writes: true`.',
    { code: 'core.context_does_not_write' },
  );
}

/** Converts values to and from the column format of this database, for `ctx.db`: `codecOf(ctx).decode('datetime', row.create_date)`. */
export function codecOf(ctx: Ctx): Codec {
  return ctx.get(databaseSession).database.codec;
}
