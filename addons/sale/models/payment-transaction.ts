import {
  Conflict,
  type Ctx,
  errorText,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  type Minor,
  model,
  NotAllowed,
  PergolaError,
  type Values,
} from 'pergola';
import { orderMail } from '../jobs/order-mail.ts';
import { pendingUntil } from '../services/orders/expiry.ts';
import { changesBetween, type OrderContent } from '../services/orders/order-content.ts';
import { holdsForMoney } from '../services/orders/problems.ts';
import { logPayments } from '../services/payment/log-money.ts';
import { Transfers } from '../services/payment/transfers.ts';
import { Stock } from '../services/stock/stock.ts';
import { t } from '../texts.ts';
import { PaymentAcquirer } from './payment-acquirer.ts';
import { type BlockedReason, SaleOrder } from './sale-order.ts';
import { SaleOrderLine } from './sale-order-line.ts';

/** New state of a payment, as reported by its provider or staff. */
export interface Outcome {
  readonly state: 'pending' | 'done' | 'error' | 'cancel';
  readonly message?: string;
  /** Network from which the customer announced the transfer; see `networkKey`. */
  readonly network?: string | null;
  /** Id of the payment at the provider. */
  readonly acquirerReference?: string;
  /** Only ends the payment, because the caller changes the order. */
  readonly keepOrder?: boolean;
}

/** Received payments can't be edited. */
const lockedWhenDone = { readonly: [['state', '=', 'done']] } as const;

type PaymentValues = Values<FieldsOf<PaymentTransaction>>;

/** Steps go from left to right; a late payment ranks last. */
const rank = { draft: 0, pending: 1, error: 2, cancel: 2, done: 3 } as const;

/**
 * One attempt to pay an order. Amount, currency and the order's content are frozen at the start; the state only moves forward:
 *
 * ```
 * draft ─▶ pending ─▶ done
 *   └────────┴──▶ error, cancel ─▶ done      (payment received after all)
 * ```
 */
export class PaymentTransaction extends model(
  'payment.transaction',
  {
    reference: f.char({ required: true, unique: true, readonly: true, size: 64, label: 'Reference' }),
    sale_order_id: f.many2one('sale.order', { ondelete: 'restrict', index: true, ...lockedWhenDone, label: 'Order' }),
    acquirer_id: f.many2one('payment.acquirer', {
      required: true,
      filled: true,
      ondelete: 'restrict',
      ...lockedWhenDone,
      domain: [['validation', '=', 'manual']],
      label: 'Method',
    }),
    amount: f.money({ required: true, filled: true, ...lockedWhenDone }),
    currency_id: f.many2one('res.currency', {
      required: true,
      ondelete: 'restrict',
      readonly: true,
      default: (ctx, { sale_order_id }) => currencyOf(ctx, sale_order_id),
    }),
    /** Version of the order's content when the payment started. */
    order_version: f.char({ size: 64, readonly: true, label: 'Order version' }),
    /** Content the customer agreed to pay for; null for payments registered by hand. */
    content: f.json<OrderContent>({ readonly: true, copy: false, groups: 'sale.group_sale_user', label: 'Content' }),
    state: f.selection(
      { draft: 'Started', pending: 'Pending', done: 'Paid', error: 'Failed', cancel: 'Cancelled' },
      {
        default: 'draft',
        readonly: true,
        tracked: true,
        index: true,
        label: 'Status',
        colors: { pending: 'warning', done: 'success', error: 'danger', cancel: 'danger' },
      },
    ),
    /** Whether this is the customer's current attempt; a pending transfer gives way to another attempt. */
    is_open: f.boolean({ default: true, readonly: true, label: 'Open' }),
    state_message: f.text({ readonly: true, label: 'Message' }),
    acquirer_reference: f.char({
      ...lockedWhenDone,
      label: 'Payment reference',
      help: 'From the provider, bank statement or receipt',
    }),
    is_manual: f.boolean({ readonly: true, label: 'Registered manually' }),
    refund_ids: f.one2many('payment.refund', 'transaction_id', { label: 'Refunds' }),
    amount_left: f.money({
      compute: 'computeLeft',
      store: true,
      depends: ['state', 'amount', 'refund_ids.state', 'refund_ids.amount'],
      label: 'Refundable amount',
    }),
    /** Key of this attempt from the customer's browser; a repeated call gets the same response. */
    idempotency_key: f.char({ size: 200, secret: true, sealed: false, readonly: true }),
    date_validate: f.datetime({ ...lockedWhenDone, label: 'Paid on' }),
    partner_id: f.many2one('res.partner', { empty: 'none', readonly: true, label: 'Customer' }),
    partner_name: f.char({ readonly: true, label: 'Customer name' }),
    partner_email: f.char({ readonly: true, label: 'Customer email' }),
    partner_lang: f.char({ size: 10, readonly: true, label: 'Language' }),
  },
  {
    order: 'id desc',
    nameField: 'reference',
    label: 'Payment',
    irreversible: 'Payments stay as they are. Refund them if needed.',
    unique: [
      { fields: ['sale_order_id'], where: 'is_open', message: 'A payment for this order is already in progress.' },
      { fields: ['sale_order_id', 'idempotency_key'] },
    ],
  },
) {
  override async beforeCreate(values: readonly PaymentValues[]): Promise<readonly PaymentValues[]> {
    const orders = values.flatMap(({ sale_order_id }) => (typeof sale_order_id === 'number' ? [sale_order_id] : []));
    // The amount paid is calculated under the order's lock.
    await this.ctx.lock(SaleOrder, orders);
    const complete: PaymentValues[] = [];
    for (const value of values) complete.push(this.ctx.su ? value : await this.#completeRegistered(value));
    return super.beforeCreate(complete);
  }

  override async afterCreate(ids: Ids, values: readonly PaymentValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    await logPayments(this.ctx, ids);
    const payments = this.ctx.sudo().model(PaymentTransaction); // Salespeople may register a payment; the follow-up steps need elevated rights.
    for (const { is_manual, sale_order_id: order } of values) {
      if (!is_manual || typeof order !== 'number') continue;
      await payments.expectRest(order);
      await payments.#confirmPaid(order);
    }
  }

  /** Amount of a payment that is neither refunded nor being refunded. */
  async computeLeft(ids: Ids): Promise<Map<Id, Minor>> {
    const rows = await this.read(ids, {
      select: { state: true, amount: true, refund_ids: { state: true, amount: true } },
    });
    return new Map(
      rows.map(({ id, state, amount, refund_ids }) => [
        id,
        state === 'done'
          ? refund_ids.reduce(
              (remaining, refund) => (reducesRefundable(refund.state) ? remaining - refund.amount : remaining),
              amount,
            )
          : 0,
      ]),
    );
  }

  /** Cancels payments that were registered by mistake; they stay visible. Staff decide about the order. */
  async takeBack(ids: Ids): Promise<void> {
    if (!this.ctx.has('sale.group_sale_manager'))
      throw new NotAllowed('Only sales managers can reverse payments.', { code: 'sale.not_staff' });
    const system = this.ctx.sudo(); // Managers may take back payments that they can read.
    for (const id of await this.allowed(ids, 'read')) {
      const payments = system.model(PaymentTransaction);
      await payments.lock(id);
      const row = await payments.get(id, {
        select: { is_manual: true, state: true, amount: true, amount_left: true, sale_order_id: true },
      });
      if (!row.is_manual || row.state !== 'done')
        throw new Conflict('Only payments registered manually can be reversed.', { code: 'sale.not_manual' });
      if (row.amount_left !== row.amount)
        throw new Conflict('This payment was partly refunded, so it can’t be reversed.', { code: 'sale.refunded' });
      await payments.write(id, { state: 'cancel' });
      if (row.sale_order_id !== null) await payments.expectRest(row.sale_order_id);
    }
  }

  /** Completes a payment registered by a salesperson: money received in another way for an order, in full or in part. */
  async #completeRegistered(input: PaymentValues): Promise<PaymentValues> {
    const { sale_order_id: order } = input;
    if (typeof order !== 'number') throw refused('sale_order_id', t(this.ctx, 'Choose an order.'));
    const system = this.ctx.sudo(); // The caller may read the order; its customer and amount due follow from it.
    const row = await system.model(SaleOrder).get(order, {
      select: {
        name: true,
        state: true,
        is_cart: true,
        amount_open: true,
        currency_id: true,
        version: true,
        partner_id: true,
        invoice_name: true,
        invoice_email: true,
        lang: true,
        payment_acquirer_id: true,
      },
    });
    if (row.is_cart || row.state === 'cancel')
      throw refused('sale_order_id', t(this.ctx, 'You can only register payments for quotations and orders.'));
    const amount = input.amount ?? row.amount_open ?? 0;
    if (typeof amount === 'number' && amount <= 0)
      throw refused('amount', t(this.ctx, 'Enter an amount greater than 0.'));
    const [method] = await system.model(PaymentAcquirer).search([['validation', '=', 'manual']], { limit: 1 });
    const name = await system.model(SaleOrder).numberFor(row);
    return {
      reference: await system.model(PaymentTransaction).freeReference(name),
      acquirer_id: method ?? null,
      date_validate: this.ctx.now(),
      ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
      amount,
      currency_id: row.currency_id,
      order_version: row.version,
      partner_id: row.partner_id,
      partner_name: row.invoice_name,
      partner_email: row.invoice_email,
      partner_lang: row.lang,
      state: 'done',
      is_open: false,
      is_manual: true,
    };
  }

  /** Returns an unused reference: the order's number, with a suffix after the first payment. */
  async freeReference(name: string): Promise<string> {
    for (let number = 0; ; number += 1) {
      const reference = number === 0 ? name : `${name}-${number}`;
      if ((await this.count([['reference', '=', reference]])) === 0) return reference;
    }
  }

  /** Confirms a fully paid quotation, unless an item is no longer available. */
  async #confirmPaid(order: Id): Promise<void> {
    if (await this.#isInvalid(order)) return this.#block(order, 'invalid');
    const row = await this.ctx.model(SaleOrder).get(order, { select: { state: true, amount_open: true } });
    const isPaid = row.amount_open !== null && row.amount_open <= 0;
    if (isPaid && (row.state === 'draft' || row.state === 'sent')) await this.#confirm(order);
  }

  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<PaymentTransaction>>,
  ): Promise<Values<FieldsOf<PaymentTransaction>>> {
    this.#requireElevatedRights();
    return super.beforeWrite(ids, values);
  }

  override async afterWrite(ids: Ids, values: PaymentValues): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.state) await logPayments(this.ctx, ids);
  }

  /**
   * Advances payments and updates their orders. Ignores steps backwards and repeated steps. Requires elevated rights: customers and
   * providers use the service `sale.payments`, staff use `markPaid` and `markCancelled`.
   *
   * @returns whether anything changed
   */
  async advance(ids: Ids, outcome: Outcome): Promise<boolean> {
    this.#requireElevatedRights();
    let changed = false;
    for (const id of ids) {
      const order = await this.lock(id);
      const { state } = await this.get(id, { select: { state: true } });
      if (rank[outcome.state] <= rank[state]) continue;
      changed = true;
      await this.write(id, {
        state: outcome.state,
        is_open: outcome.state === 'pending',
        state_message: outcome.message ?? null,
        ...(outcome.acquirerReference ? { acquirer_reference: outcome.acquirerReference } : {}),
        ...(outcome.state === 'done' ? { date_validate: this.ctx.now() } : {}),
      });
      if (order === null || outcome.keepOrder) continue;
      if (outcome.state === 'pending') await this.#awaitPayment(order, id, outcome.network ?? null);
      else if (outcome.state === 'done') await this.#handleReceived(order, id);
      else await this.#reopenCart(order);
    }
    return changed;
  }

  /** Locks a payment and its order, and returns the order. Always locks the order before the payment. */
  async lock(id: Id): Promise<Id | null> {
    const { sale_order_id: order } = await this.get(id, { select: { sale_order_id: true } });
    if (order !== null) await this.ctx.lock(SaleOrder, [order]);
    await this.ctx.lock(PaymentTransaction, [id]);
    return order;
  }

  /** Marks payments as received, when staff confirm a transfer. */
  async markPaid(ids: Ids): Promise<void> {
    await this.#settleByStaff(ids, { state: 'done' });
  }

  /** Cancels payments that won't arrive. */
  async markCancelled(ids: Ids): Promise<void> {
    await this.#settleByStaff(ids, { state: 'cancel' });
  }

  async #settleByStaff(ids: Ids, outcome: Outcome): Promise<void> {
    if (!this.ctx.has('sale.group_sale_user'))
      throw new NotAllowed('Only salespeople can confirm or cancel payments.', { code: 'sale.not_staff' });
    const allowed = await this.allowed(ids, 'read');
    // Salespeople may settle payments they can read, but not change them otherwise.
    await this.ctx.sudo().model(PaymentTransaction).advance(allowed, outcome);
  }

  #requireElevatedRights(): void {
    if (!this.ctx.su)
      throw new NotAllowed('Payments can’t be edited. Use the buttons on the payment instead.', {
        code: 'sale.payment_written',
      });
  }

  /** Marks the order as awaiting a pending payment, and keeps its holds. */
  async #awaitPayment(order: Id, payment: Id, network: string | null): Promise<void> {
    const orders = this.ctx.model(SaleOrder);
    const row = await orders.get(order, { select: { state: true, name: true, invoice_email: true } });
    const { acquirer_id } = await this.get(payment, { select: { acquirer_id: { validation: true } } });
    const isTransfer = acquirer_id?.validation === 'manual';
    if (isTransfer) await this.#endOtherTransfers(order, payment);
    // A confirmed order proceeds regardless of this payment.
    if (row.state === 'sale' || row.state === 'done') return orders.write(order, { wait_until: null });
    if (row.state !== 'draft' && row.state !== 'sent') return;
    await orders.write(order, {
      state: 'sent',
      name: await orders.numberFor(row),
      is_cart: false,
      ...(isTransfer ? { network } : {}),
    });
    if (!isTransfer) return this.#extendHolds(order);
    await this.ctx.get(Transfers).keep(order);
    // Providers confirm payments shortly, and the confirmation email is enough; only transfers get this one.
    if (row.invoice_email) await this.ctx.jobs.enqueue(orderMail, { order, kind: 'received' });
  }

  /** Cancels other transfers: only the last announced one is awaited. */
  async #endOtherTransfers(order: Id, payment: Id): Promise<void> {
    const otherTransfers = await this.search([
      ['sale_order_id', '=', order],
      ['id', '!=', payment],
      ['state', '=', 'pending'],
      ['acquirer_id.validation', '=', 'manual'],
    ]);
    await this.advance(otherTransfers, { state: 'cancel', keepOrder: true });
  }

  /** Holds the order's needs for as long as the payment may take, and renews expired holds if stock is available. */
  async #extendHolds(order: Id): Promise<void> {
    const until = await pendingUntil(this.ctx);
    const stock = this.ctx.get(Stock);
    const { order_line } = await this.ctx.model(SaleOrder).get(order, { select: { order_line: true } });
    const short = await stock.hold(order, await this.ctx.model(SaleOrderLine).needs(order_line), until);
    // Shortages are resolved when the payment arrives.
    if (short.length > 0) await stock.extend(order, until);
  }

  /** Handles a received payment. */
  async #handleReceived(order: Id, payment: Id): Promise<void> {
    await this.expectRest(order);
    const row = await this.ctx.model(SaleOrder).get(order, {
      select: { state: true, version: true, currency_id: true, amount_open: true },
    });
    const paid = await this.get(payment, { select: { order_version: true, content: true, currency_id: true } });
    if (row.state === 'cancel') return this.#block(order, 'cancelled');
    if (await this.#isInvalid(order)) return this.#block(order, 'invalid');
    // Confirmed orders keep their content. Payments without stored content use an older version format.
    const isOpen = row.state === 'draft' || row.state === 'sent';
    const isOther = isOpen && paid.content !== null && paid.order_version !== row.version;
    if (isOther || paid.currency_id !== row.currency_id)
      return this.#block(order, 'changed', await this.#changesSince(order, paid.content));
    const open = row.amount_open ?? 0;
    if (open < 0) return this.#block(order, 'twice');
    if (open === 0 && (row.state === 'draft' || row.state === 'sent')) await this.#confirm(order);
  }

  /** Describes how an order differs from the paid content, one change per line for staff; null if only the version differs. */
  async #changesSince(order: Id, paid: OrderContent | null): Promise<string | null> {
    if (paid === null) return null;
    const current = await this.ctx.model(SaleOrder).contentToStore(order);
    return changesBetween(this.ctx, paid, current).join('\n') || null;
  }

  /** Whether an item of a paid order can't be delivered as ordered. */
  async #isInvalid(order: Id): Promise<boolean> {
    return (await this.ctx.model(SaleOrder).problems(order)).some(holdsForMoney);
  }

  async #confirm(order: Id): Promise<void> {
    try {
      await this.ctx.savepoint(() => this.ctx.model(SaleOrder).confirm([order]));
    } catch (error) {
      // Blocks the order for problems that staff must resolve (out of stock). Internal errors roll back everything, and the provider
      // notifies again.
      if (!(error instanceof PergolaError) || error.status >= 500) throw error;
      const isShort = error.code === 'sale.short' || error.code.endsWith('.no_seats');
      await this.#block(order, isShort ? 'short' : 'invalid', errorText(this.ctx, error));
    }
  }

  /**
   * Adjusts other payments after money was received or refunded. Cancels attempts that were only started, and sets awaited transfers to the
   * remaining amount. Providers report payments in progress themselves, and an overpayment is detected then. Requires elevated rights.
   */
  async expectRest(order: Id): Promise<void> {
    this.#requireElevatedRights();
    const { amount_open } = await this.ctx.model(SaleOrder).get(order, { select: { amount_open: true } });
    const open = amount_open ?? 0;
    const unfinished = await this.find(
      [
        ['sale_order_id', '=', order],
        ['state', 'in', ['draft', 'pending']],
      ],
      { select: { state: true, acquirer_id: { validation: true } } },
    );
    for (const { id, state, acquirer_id } of unfinished) {
      const isTransfer = state === 'pending' && acquirer_id?.validation === 'manual';
      if (state === 'draft') await this.advance([id], { state: 'cancel', keepOrder: true });
      else if (isTransfer && open > 0) await this.write(id, { amount: open });
      else if (isTransfer)
        await this.advance([id], {
          state: 'cancel',
          keepOrder: true,
          message: t(this.ctx, 'Paid another way in the meantime.'),
        });
    }
  }

  /** Sets a paid order aside for review by staff: nothing is delivered until then. */
  async #block(order: Id, reason: BlockedReason, note: string | null = null): Promise<void> {
    const orders = this.ctx.model(SaleOrder);
    await orders.block(order, reason, note);
    const { invoice_email } = await orders.get(order, { select: { invoice_email: true } });
    if (invoice_email) await this.ctx.jobs.enqueue(orderMail, { order, kind: 'blocked' });
    this.ctx.log.warn({ order, reason }, 'An order is paid but blocked');
  }

  /** Reopens the cart after a failed payment, so that the customer can try another method. */
  async #reopenCart(order: Id): Promise<void> {
    const orders = this.ctx.model(SaleOrder);
    const { state, is_cart } = await orders.get(order, { select: { state: true, is_cart: true } });
    if (state === 'sent' && is_cart) await orders.write(order, { state: 'draft' });
  }
}

/** Whether a refund counts against the payment, as all refunds do unless they failed or were cancelled. */
function reducesRefundable(state: string): boolean {
  return state !== 'error' && state !== 'cancel';
}

function refused(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'sale.bad_payment', fields: { [field]: message } });
}

/** Returns the currency of an order, in which its payments are entered. */
async function currencyOf(ctx: Ctx, order: unknown): Promise<Id | null> {
  if (typeof order !== 'number') return null;
  const [row] = await ctx
    .sudo()
    .model(SaleOrder)
    .read([order], { select: { currency_id: true } });
  return row?.currency_id ?? null;
}

declare module 'pergola' {
  interface Models {
    'payment.transaction': PaymentTransaction;
  }
}
