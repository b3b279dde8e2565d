import { migration } from '#core';

/** Refunds by hand waited in the same state as those that a provider makes, and their orders counted as paid or overpaid. */
export default migration({
  version: '1.3.0',
  summary: 'Marks refunds that somebody has to transfer as “To transfer”, and their orders as “Refund due”',
  async up({ db }) {
    await db('payment_refund').where({ state: 'pending', is_manual: true }).update({ state: 'to_transfer' });
    const waiting = db('payment_refund').where({ state: 'to_transfer' }).select('sale_order_id');
    await db('sale_order').whereIn('id', waiting).update({ payment_state: 'refund_due' });
    await db('sale_order')
      .where({ state: 'cancel' })
      .whereRaw('coalesce(amount_paid, 0) > coalesce(amount_refunded, 0)')
      .update({ payment_state: 'refund_due' });
  },
});
