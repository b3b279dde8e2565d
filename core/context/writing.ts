import { Conflict } from '../base/index.ts';
import type { Codec, Transaction } from '../db/index.ts';
import type { Ctx } from './context.ts';
import { internals } from './internals.ts';

/** The context's transaction. Throws Conflict where nothing may be written. */
export function transactionOf(ctx: Ctx): Transaction {
  const { transaction } = internals(ctx);
  if (transaction) return transaction;
  throw new Conflict('This is changed in a transaction.', { code: 'core.context_does_not_write' });
}

/** Turns values into what the columns of this database hold and back, for `ctx.db`: `codecOf(ctx).decode('datetime', row.create_date)`. */
export function codecOf(ctx: Ctx): Codec {
  return internals(ctx).database.codec;
}

/** What looks at tables whose rows change without anybody being told: never part of a kept page. */
export function neverKept(ctx: Ctx, reason: string): void {
  internals(ctx).tracker?.personal(reason);
}
