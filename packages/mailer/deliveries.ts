import type { Ctx } from '@pergola/core';
import { changesOf, databaseSession, rowsOf, transactionOf } from '@pergola/db';
import { sendMail } from './sender.ts';

/**
 * Queues held and failed emails again; others stay unchanged. Only the transaction that changes a row's state queues it, so it is sent
 * once.
 *
 * @returns how many are queued now
 */
export async function queueAgain(ctx: Ctx, ids: readonly number[]): Promise<number> {
  const { knex } = ctx.get(databaseSession).database;
  const transaction = transactionOf(ctx);
  let queued = 0;
  for (const id of new Set(ids)) {
    const requeue = knex('core_outbox')
      .where({ id })
      .whereIn('state', ['failed', 'kept'])
      .update({ state: 'waiting', error: null });
    if ((await changesOf(transaction, requeue)) === 0) continue;
    transaction.touch('core_outbox');
    await ctx.jobs.enqueue(sendMail, { id });
    queued += 1;
  }
  return queued;
}

/**
 * Records that an email of the outbox bounced. `messageIds` are quoted in the report; they contain 122 random bits, so only readers of the
 * email know them.
 *
 * @returns whether one of them was handed over and had not bounced before
 */
export async function recordBounce(ctx: Ctx, messageIds: readonly string[], text: string): Promise<boolean> {
  // A server may report a delivery, and later that a mailbox behind it rejected the email.
  return recordReport(ctx, messageIds, ['sent', 'delivered'], { state: 'bounced', error: text });
}

/**
 * Records that the recipient's server reported the delivery of a mail of the outbox; see {@link recordBounce}.
 *
 * @returns whether one of them was handed over and had not been reported before
 */
export async function recordDelivered(ctx: Ctx, messageIds: readonly string[]): Promise<boolean> {
  return recordReport(ctx, messageIds, ['sent'], { state: 'delivered', error: null });
}

async function recordReport(
  ctx: Ctx,
  messageIds: readonly string[],
  fromStates: readonly string[],
  values: { readonly state: string; readonly error: string | null },
): Promise<boolean> {
  const { knex } = ctx.get(databaseSession).database;
  const transaction = transactionOf(ctx);
  const update = knex('core_outbox').whereIn('message_id', messageIds).whereIn('state', fromStates).update(values);
  if (messageIds.length === 0 || (await changesOf(transaction, update)) === 0) return false;
  transaction.touch('core_outbox');
  return true;
}

/** Delivery status of an email: only a report of a mail server can say more than `handed_over`. */
export type DeliveryState = 'queued' | 'held' | 'handed_over' | 'delivered' | 'refused' | 'bounced' | 'withdrawn';

const stateOf: Readonly<Record<string, DeliveryState>> = {
  waiting: 'queued',
  kept: 'held',
  sent: 'handed_over',
  delivered: 'delivered',
  failed: 'refused',
  bounced: 'bounced',
  withdrawn: 'withdrawn',
};

/** Delivery status of outbox emails, by id. Emails handed over without a report leave the outbox after a while. */
export async function mailDeliveries(
  ctx: Ctx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly state: DeliveryState; readonly error: string | null }>> {
  const { connection, database } = ctx.get(databaseSession);
  const rows =
    ids.length === 0
      ? []
      : await rowsOf(connection, database.knex('core_outbox').whereIn('id', ids).select(['id', 'state', 'error']));
  const rowsById = new Map(rows.map((row) => [Number(row.id), row]));
  return new Map(
    ids.map((id) => {
      const { state = 'sent', error = null } = rowsById.get(id) ?? {};
      return [id, { state: stateOf[String(state)] ?? 'queued', error: error === null ? null : String(error) }];
    }),
  );
}
