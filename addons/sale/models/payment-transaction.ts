import { type FieldsOf, f, type Ids, model, NotAllowed, type Values } from '#core';
import { advance, type Outcome } from '../services/payment/advance.ts';

/**
 * One try to pay an order. Amount, currency and what the order was are frozen when it begins; its state only moves forward:
 *
 * ```
 * draft ─▶ pending ─▶ done
 *   └────────┴──▶ error, cancel ─▶ done      (money that came after all)
 * ```
 */
export class PaymentTransaction extends model(
  'payment.transaction',
  {
    reference: f.char({ required: true, unique: true, readonly: true, size: 64, label: 'Reference' }),
    sale_order_id: f.many2one('sale.order', { ondelete: 'restrict', index: true, readonly: true, label: 'Order' }),
    acquirer_id: f.many2one('payment.acquirer', {
      required: true,
      ondelete: 'restrict',
      readonly: true,
      label: 'Method',
    }),
    amount: f.money({ required: true, readonly: true }),
    currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', readonly: true }),
    /** What the order was when the payment began. */
    order_version: f.char({ size: 64, readonly: true, label: 'Version of the order' }),
    state: f.selection(
      { draft: 'Begun', pending: 'Pending', done: 'Paid', error: 'Failed', cancel: 'Cancelled' },
      { default: 'draft', readonly: true, tracked: true, index: true },
    ),
    /** Whether the customer may still pay it; an order has one such transaction at most. */
    is_open: f.boolean({ default: true, readonly: true }),
    state_message: f.text({ readonly: true, label: 'Message' }),
    acquirer_reference: f.char({ readonly: true, label: 'Reference of the provider' }),
    /** What the customer's browser called this try; a repeated call gets the same answer. */
    idempotency_key: f.char({ size: 200, secret: true, readonly: true }),
    date_validate: f.datetime({ readonly: true, label: 'Paid on' }),
    partner_id: f.many2one('res.partner', { ondelete: 'set null', readonly: true, label: 'Customer' }),
    partner_name: f.char({ readonly: true }),
    partner_email: f.char({ readonly: true }),
    partner_lang: f.char({ size: 10, readonly: true, label: 'Language' }),
  },
  {
    order: 'id desc',
    nameField: 'reference',
    label: 'Payment',
    unique: [
      { fields: ['sale_order_id'], where: 'is_open', message: 'This order is being paid already.' },
      { fields: ['sale_order_id', 'idempotency_key'] },
    ],
  },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<PaymentTransaction>>[],
  ): Promise<readonly Values<FieldsOf<PaymentTransaction>>[]> {
    this.#onlyBySystem();
    return super.beforeCreate(values);
  }

  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<PaymentTransaction>>,
  ): Promise<Values<FieldsOf<PaymentTransaction>>> {
    this.#onlyBySystem();
    return super.beforeWrite(ids, values);
  }

  /**
   * Moves payments forward and does what follows for their orders. A step backwards, or one done before, changes nothing.
   * Rights lifted only: customers and providers come in by the payment services, staff by `markPaid` and `markCancelled`.
   */
  async advance(ids: Ids, outcome: Outcome): Promise<void> {
    this.#onlyBySystem();
    for (const id of ids) await advance(this.ctx, id, outcome);
  }

  /** The money has come: staff confirms a transfer. */
  async markPaid(ids: Ids): Promise<void> {
    await this.#byStaff(ids, { state: 'done' });
  }

  /** The customer will not pay this one. */
  async markCancelled(ids: Ids): Promise<void> {
    await this.#byStaff(ids, { state: 'cancel' });
  }

  async #byStaff(ids: Ids, outcome: Outcome): Promise<void> {
    if (!this.ctx.has('sale.group_sale_user'))
      throw new NotAllowed('Only salespeople settle payments.', { code: 'sale.not_staff' });
    const allowed = await this.allowed(ids, 'read');
    const system = this.ctx.sudo(); // Salespeople may settle what they may read, and write nothing else of a payment.
    for (const id of allowed) await advance(system, id, outcome);
  }

  #onlyBySystem(): void {
    if (!this.ctx.su)
      throw new NotAllowed('Payments are written by the payment itself.', { code: 'sale.payment_written' });
  }
}

declare module '#core' {
  interface Models {
    'payment.transaction': PaymentTransaction;
  }
}
