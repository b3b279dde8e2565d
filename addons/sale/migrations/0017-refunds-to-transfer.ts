import { migration } from 'pergola';

/** Moves refunds to transfer by hand out of the state for refunds made by a provider, and updates the payment state of their orders. */
export default migration({
  version: '1.3.0',
  summary: 'Marks refunds that somebody has to transfer as “To transfer”, and their orders as “Refund due”',
  async up({ db }) {
    // The first version from which data is migrated had no refunds.
    const refunds = await db('core_ownership').where({ kind: 'model', table_name: 'payment_refund' });
    if (refunds.length === 0) return;
    await db('payment_refund').where({ state: 'pending', is_manual: true }).update({ state: 'to_transfer' });
    const waiting = db('payment_refund').where({ state: 'to_transfer' }).select('sale_order_id');
    await db('sale_order').whereIn('id', waiting).update({ payment_state: 'refund_due' });
    await db('sale_order')
      .where({ state: 'cancel' })
      .whereRaw('coalesce(amount_paid, 0) > coalesce(amount_refunded, 0)')
      .update({ payment_state: 'refund_due' });
  },
});
