import { type Ctx, internals, transactionOf } from '../context/index.ts';
import { changesOf, rowsOf } from '../db/index.ts';
import { sendMail } from './sender.ts';

/**
 * Queues emails that are held or failed; others stay as they are. A row is queued by the one transaction that changes its state, so it is sent once.
 *
 * @returns how many are queued now
 */
export async function queueAgain(ctx: Ctx, ids: readonly number[]): Promise<number> {
  const { knex } = internals(ctx).database;
  const transaction = transactionOf(ctx);
  let queued = 0;
  for (const id of new Set(ids)) {
    const again = knex('core_outbox')
      .where({ id })
      .whereIn('state', ['failed', 'kept'])
      .update({ state: 'waiting', error: null });
    if ((await changesOf(transaction, again)) === 0) continue;
    transaction.touch('core_outbox');
    await ctx.jobs.enqueue(sendMail, { id });
    queued += 1;
  }
  return queued;
}

/**
 * Records that a mail of the outbox bounced. `messageIds` are those that the report quotes: they hold 122 random bits, so only readers of the mail
 * know them.
 *
 * @returns whether one of them was handed over and had not bounced before
 */
export async function recordBounce(ctx: Ctx, messageIds: readonly string[], text: string): Promise<boolean> {
  const { knex } = internals(ctx).database;
  const transaction = transactionOf(ctx);
  const bounced = knex('core_outbox')
    .whereIn('message_id', messageIds)
    .andWhere({ state: 'sent' })
    .update({ state: 'bounced', error: text });
  if (messageIds.length === 0 || (await changesOf(transaction, bounced)) === 0) return false;
  transaction.touch('core_outbox');
  return true;
}

/** What became of an email: only the mail server's own report can say more than `handed_over`. */
export type DeliveryState = 'queued' | 'held' | 'handed_over' | 'refused' | 'bounced';

const stateOf: Readonly<Record<string, DeliveryState>> = {
  waiting: 'queued',
  kept: 'held',
  sent: 'handed_over',
  failed: 'refused',
  bounced: 'bounced',
};

/** What became of emails of the outbox, by their ids there. Handed over emails leave the outbox after a while; held and refused ones stay. */
export async function mailDeliveries(
  ctx: Ctx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly state: DeliveryState; readonly error: string | null }>> {
  const { connection, database } = internals(ctx);
  const rows =
    ids.length === 0
      ? []
      : await rowsOf(connection, database.knex('core_outbox').whereIn('id', ids).select(['id', 'state', 'error']));
  const known = new Map(rows.map((row) => [Number(row.id), row]));
  return new Map(
    ids.map((id) => {
      const { state = 'sent', error = null } = known.get(id) ?? {};
      return [id, { state: stateOf[String(state)] ?? 'queued', error: error === null ? null : String(error) }];
    }),
  );
}
