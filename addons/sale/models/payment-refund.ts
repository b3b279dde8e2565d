import {
  Conflict,
  type Ctx,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  type Minor,
  model,
  NotAllowed,
  NotFound,
  type Values,
} from 'pergola';
import { orderMail } from '../jobs/order-mail.ts';
import { sendRefund } from '../jobs/send-refund.ts';
import { formatAmount, moneyTexts } from '../services/formats.ts';
import { logRefunds } from '../services/payment/log-money.ts';
import { providerOf, type RefundOutcome } from '../services/payment/payment-providers.ts';
import { t } from '../texts.ts';
import { PaymentTransaction } from './payment-transaction.ts';
import { SaleOrder } from './sale-order.ts';

type RefundValues = Values<FieldsOf<PaymentRefund>>;

/** Fields that determine the refundable amount of a payment. */
const takenPaths = ['amount', 'state', 'transaction_id.amount_left'] as const;

/** Steps go from left to right. */
const rank = { draft: 0, to_transfer: 1, pending: 1, error: 2, cancel: 2, done: 3 } as const;

/**
 * Refund of a payment. Reserves the amount on the payment at once, under the order's lock. The provider is called afterwards, with the same
 * reference until it responds; without a provider, a salesperson transfers the money and marks the refund as done.
 *
 * ```
 * draft ─▶ pending ─┐
 *                   ├─▶ done
 * to_transfer ──────┘
 *   └─▶ error, cancel      (the amount is available on the payment again)
 * ```
 */
export class PaymentRefund extends model(
  'payment.refund',
  {
    /** Also identifies the refund at the provider, so that repeated calls refund only once. */
    reference: f.char({ required: true, unique: true, readonly: true, size: 64, label: 'Reference' }),
    sale_order_id: f.many2one('sale.order', {
      required: true,
      filled: true,
      ondelete: 'restrict',
      index: true,
      label: 'Order',
    }),
    transaction_id: f.many2one('payment.transaction', {
      required: true,
      filled: true,
      ondelete: 'restrict',
      index: true,
      domain: [['amount_left', '>', 0]],
      within: { sale_order_id: 'sale_order_id' },
      // Set before the form is filled in, because amounts are entered in the payment's currency.
      default: (ctx, { sale_order_id }) => mostRefundablePayment(ctx, sale_order_id),
      label: 'Payment',
    }),
    acquirer_id: f.many2one('payment.acquirer', { related: 'transaction_id.acquirer_id', label: 'Method' }),
    amount: f.money({ required: true, filled: true }),
    currency_id: f.many2one('res.currency', { related: 'transaction_id.currency_id' }),
    /** Refundable amount before this refund. */
    amount_there: f.money({ compute: 'computeThere', depends: takenPaths, label: 'Refundable amount' }),
    /** Effect of the refund, shown while it is being entered. */
    question: f.char({ compute: 'computeQuestion', depends: [...takenPaths, 'is_manual'], label: 'Summary' }),
    reason: f.char({ label: 'Reason', help: 'Shown to the customer' }),
    state: f.selection(
      {
        draft: 'Requested',
        to_transfer: 'To transfer',
        pending: 'In progress',
        done: 'Refunded',
        error: 'Failed',
        cancel: 'Cancelled',
      },
      {
        default: 'draft',
        readonly: true,
        tracked: true,
        index: true,
        label: 'Status',
        colors: { to_transfer: 'warning', pending: 'info', done: 'success', error: 'danger', cancel: 'danger' },
      },
    ),
    state_message: f.text({ readonly: true, label: 'Message' }),
    is_manual: f.boolean({ readonly: true, label: 'Transferred manually' }),
    acquirer_reference: f.char({ readonly: true, label: 'Provider reference' }),
    date_done: f.datetime({ readonly: true, label: 'Refunded on' }),
  },
  { order: 'id desc', nameField: 'reference', label: 'Refund', irreversible: 'Refunds stay as they are.' },
) {
  override async beforeCreate(values: readonly RefundValues[]): Promise<readonly RefundValues[]> {
    const refunds = this.ctx.sudo().model(PaymentRefund); // The refundable amount depends on all refunds of a payment.
    const takenByPayment = new Map<Id, Minor>();
    const complete: RefundValues[] = [];
    for (const value of values) {
      const order = await refunds.#orderOf(value);
      if (order === null) throw refused('sale_order_id', t(this.ctx, 'Choose an order.'));
      // Only users who may read the order learn its refundable amount.
      if ((await this.ctx.model(SaleOrder).allowed([order], 'read')).length === 0)
        throw new NotFound('We can’t find this order.', { code: 'sale.no_order' });
      complete.push(await refunds.#completeRequest(order, value, takenByPayment));
    }
    return super.beforeCreate(complete);
  }

  override async afterCreate(ids: Ids, values: readonly RefundValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    await logRefunds(this.ctx, ids);
    await this.#enqueueRefunds(ids.filter((_, index) => values[index]?.state === 'draft'));
  }

  override async beforeWrite(ids: Ids, values: RefundValues): Promise<RefundValues> {
    if (!this.ctx.su)
      throw new NotAllowed('Refunds can’t be edited. Use the buttons on the refund instead.', {
        code: 'sale.payment_written',
      });
    return super.beforeWrite(ids, values);
  }

  override async afterWrite(ids: Ids, values: RefundValues): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.state) await logRefunds(this.ctx, ids);
  }

  async computeThere(ids: Ids): Promise<Map<Id, Minor>> {
    const rows = await this.#findUnsettled(ids);
    return new Map(rows.map(({ id, amount, transaction_id }) => [id, amount + (transaction_id?.amount_left ?? 0)]));
  }

  async computeQuestion(ids: Ids): Promise<Map<Id, string>> {
    const { ctx } = this;
    const questions = new Map<Id, string>();
    for (const { id, amount, is_manual, transaction_id: payment } of await this.#findUnsettled(ids)) {
      if (!payment) continue;
      const money = await moneyTexts(ctx, payment.currency_id);
      const values = {
        amount: money.amount(amount),
        there: money.amount(amount + (payment.amount_left ?? 0)),
        customer: payment.partner_name ?? '',
        method: payment.acquirer_id?.name ?? '',
      };
      questions.set(
        id,
        is_manual
          ? t(ctx, 'Refund {amount} of {there} to {customer}? You’ll need to make the transfer yourself.', values)
          : t(ctx, 'Refund {amount} of {there} to {customer} by {method}?', values),
      );
    }
    return questions;
  }

  /** Finds refunds that haven't been paid out yet. */
  #findUnsettled(ids: Ids) {
    return this.ctx
      .sudo() // Readers of the refund may see the payment it comes from.
      .model(PaymentRefund)
      .find(
        [
          ['id', 'in', ids],
          ['state', 'in', ['draft', 'to_transfer', 'pending']],
        ],
        {
          select: {
            amount: true,
            is_manual: true,
            transaction_id: { amount_left: true, partner_name: true, currency_id: true, acquirer_id: { name: true } },
          },
        },
      );
  }

  /** Sends refunds without a response to the provider again. */
  async retry(ids: Ids): Promise<void> {
    const rows = await this.read(await this.allowed(ids, 'read'), { select: { state: true } });
    await this.#enqueueRefunds(rows.filter(({ state }) => state === 'draft').map(({ id }) => id));
  }

  /** Records that refunds were transferred by hand, or confirmed by their provider outside the site. Notifies the customers. */
  async markDone(ids: Ids): Promise<void> {
    await this.#settleByStaff(ids, 'done');
  }

  /** Cancels manual refunds that were not transferred yet. A refund that was sent to a provider can't be revoked. */
  async markCancelled(ids: Ids): Promise<void> {
    await this.#settleByStaff(ids, 'cancel');
  }

  /**
   * Advances refunds and updates their orders. Ignores steps backwards and repeated steps. Requires elevated rights.
   *
   * @returns whether anything changed
   */
  async advance(
    ids: Ids,
    outcome: Omit<RefundOutcome, 'state'> & { readonly state: RefundOutcome['state'] | 'cancel' },
  ): Promise<boolean> {
    let changed = false;
    for (const id of ids) {
      const order = await this.lock(id);
      const { state } = await this.get(id, { select: { state: true } });
      if (rank[outcome.state] <= rank[state]) continue;
      changed = true;
      await this.write(id, {
        state: outcome.state,
        state_message: outcome.message ?? null,
        ...(outcome.acquirerReference ? { acquirer_reference: outcome.acquirerReference } : {}),
        ...(outcome.state === 'done' ? { date_done: this.ctx.now() } : {}),
      });
      if (outcome.state !== 'done') continue;
      await this.ctx.model(PaymentTransaction).expectRest(order);
      await this.#notifyCustomer(id, order);
    }
    return changed;
  }

  /** Locks a refund and its order, and returns the order. Always locks the order first. */
  async lock(id: Id): Promise<Id> {
    const { sale_order_id: order } = await this.get(id, { select: { sale_order_id: true } });
    await this.ctx.lock(SaleOrder, [order]);
    await this.ctx.lock(PaymentRefund, [id]);
    return order;
  }

  /** Completes the values of a requested refund. `takenByPayment` sums up the amounts of the same call. */
  async #completeRequest(
    order: Id,
    requestValues: RefundValues,
    takenByPayment: Map<Id, Minor>,
  ): Promise<RefundValues> {
    const { ctx } = this;
    const payments = ctx.model(PaymentTransaction);
    // Reads the refundable amount under the order's lock, which all refunds take.
    await ctx.lock(SaleOrder, [order]);
    const refundable = await payments.find(
      [
        ['sale_order_id', '=', order],
        ['amount_left', '>', 0],
      ],
      {
        select: {
          reference: true,
          amount_left: true,
          currency_id: true,
          is_manual: true,
          acquirer_id: { provider: true },
        },
      },
    );
    const paymentId = requestValues.transaction_id ?? (await mostRefundablePayment(ctx, order));
    const payment = refundable.find(({ id }) => id === paymentId);
    if (!payment) throw refused('transaction_id', t(ctx, 'There’s nothing left to refund on this payment.'));
    const refundableAmount = (payment.amount_left ?? 0) - (takenByPayment.get(payment.id) ?? 0);
    const amount = requestValues.amount ?? refundableAmount;
    if (typeof amount !== 'number' || amount <= 0) throw refused('amount', t(ctx, 'Enter an amount greater than 0.'));
    if (amount > refundableAmount)
      throw refused(
        'amount',
        t(ctx, 'You can refund up to {amount} of this payment.', {
          amount: await formatAmount(ctx, refundableAmount, payment.currency_id),
        }),
      );
    takenByPayment.set(payment.id, (takenByPayment.get(payment.id) ?? 0) + amount);
    const isManual = payment.is_manual === true || !providerOf(ctx, payment.acquirer_id?.provider ?? '')?.refund;
    return {
      reference: await this.#freeReference(payment.reference, takenByPayment.size),
      sale_order_id: order,
      transaction_id: payment.id,
      amount,
      reason: requestValues.reason ?? null,
      is_manual: isManual,
      // Code may record refunds that were made elsewhere.
      state: requestValues.state ?? (isManual ? 'to_transfer' : 'draft'),
      date_done: requestValues.date_done ?? null,
    };
  }

  async #orderOf({ sale_order_id, transaction_id }: RefundValues): Promise<Id | null> {
    if (typeof sale_order_id === 'number') return sale_order_id;
    if (typeof transaction_id !== 'number') return null;
    const payments = this.ctx.model(PaymentTransaction);
    const [row] = await payments.read([transaction_id], { select: { sale_order_id: true } });
    return row?.sale_order_id ?? null;
  }

  /** Returns the next unused reference, such as `SO00012-R1`. */
  async #freeReference(payment: string, first: number): Promise<string> {
    for (let number = first; ; number += 1) {
      const reference = `${payment}-R${number}`;
      if ((await this.count([['reference', '=', reference]])) === 0) return reference;
    }
  }

  async #enqueueRefunds(ids: Ids): Promise<void> {
    for (const refund of ids) await this.ctx.jobs.enqueue(sendRefund, { refund }, { key: String(refund) });
  }

  async #notifyCustomer(refund: Id, order: Id): Promise<void> {
    const orders = this.ctx.model(SaleOrder);
    const row = await orders.get(order, {
      select: { invoice_email: true, state: true, blocked_reason: true, amount_open: true },
    });
    // The overpayment was returned, so the order needs no review.
    const isSettled = row.blocked_reason === 'twice' || row.blocked_reason === 'cancelled' || row.state === 'cancel';
    if (isSettled && (row.amount_open ?? 0) >= 0)
      await orders.write(order, { blocked_reason: null, blocked_note: null });
    if (row.invoice_email) await this.ctx.jobs.enqueue(orderMail, { order, kind: 'refunded', refund });
  }

  async #settleByStaff(ids: Ids, state: 'done' | 'cancel'): Promise<void> {
    const allowed = await this.allowed(ids, 'read');
    const system = this.ctx.sudo().model(PaymentRefund); // Users who may refund can settle refunds they can read; the calls check that right.
    for (const id of allowed) {
      await system.lock(id);
      const row = await system.get(id, { select: { state: true } });
      const isOpen = row.state === 'to_transfer' || (row.state === 'pending' && state === 'done');
      if (!isOpen)
        throw new Conflict('You can’t do this with a refund in this status.', { code: 'sale.wrong_refund_state' });
      await system.advance([id], { state });
    }
  }
}

/** Returns the payment of an order with the largest refundable amount. */
async function mostRefundablePayment(ctx: Ctx, order: unknown): Promise<Id | null> {
  if (typeof order !== 'number') return null;
  const refundableDomain: readonly ['amount_left', '>', Minor] = ['amount_left', '>', 0];
  const [payment] = await ctx
    .model('payment.transaction')
    .search([['sale_order_id', '=', order], refundableDomain], { order: 'amount_left desc, id desc', limit: 1 });
  return payment ?? null;
}

function refused(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'sale.bad_refund', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'payment.refund': PaymentRefund;
  }
}
