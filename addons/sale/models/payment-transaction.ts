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
import { logPayments } from '../services/payment/log-money.ts';
import { Transfers } from '../services/payment/transfers.ts';
import { Stock } from '../services/stock/stock.ts';
import { t } from '../texts.ts';
import { PaymentAcquirer } from './payment-acquirer.ts';
import { type BlockedReason, holdsForMoney, SaleOrder } from './sale-order.ts';
import { SaleOrderLine } from './sale-order-line.ts';

/** Where a payment stands now, by whoever knows. */
export interface Outcome {
  readonly state: 'pending' | 'done' | 'error' | 'cancel';
  readonly message?: string;
  /** From where the customer says that money is on its way; see `networkKey`. */
  readonly network?: string | null;
  /** What the provider calls the payment. */
  readonly acquirerReference?: string;
  /** The order is being changed by the caller; the payment only ends. */
  readonly keepOrder?: boolean;
}

/** Money that is there is told about as it came. */
const settled = { readonly: [['state', '=', 'done']] } as const;

type PaymentValues = Values<FieldsOf<PaymentTransaction>>;

/** Steps go from left to right; what came after all comes last. */
const rank = { draft: 0, pending: 1, error: 2, cancel: 2, done: 3 } as const;

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
    sale_order_id: f.many2one('sale.order', { ondelete: 'restrict', index: true, ...settled, label: 'Order' }),
    acquirer_id: f.many2one('payment.acquirer', {
      required: true,
      filled: true,
      ondelete: 'restrict',
      ...settled,
      domain: [['validation', '=', 'manual']],
      label: 'Method',
    }),
    amount: f.money({ required: true, filled: true, ...settled }),
    currency_id: f.many2one('res.currency', {
      required: true,
      ondelete: 'restrict',
      readonly: true,
      default: (ctx, { sale_order_id }) => currencyOf(ctx, sale_order_id),
    }),
    /** Version of the order's content when the payment began. */
    order_version: f.char({ size: 64, readonly: true, label: 'Version of the order' }),
    /** What its customer agreed to pay for; null for money that was registered by hand. */
    content: f.json<OrderContent>({ readonly: true, copy: false, groups: 'sale.group_sale_user', label: 'Content' }),
    state: f.selection(
      { draft: 'Started', pending: 'Pending', done: 'Paid', error: 'Failed', cancel: 'Cancelled' },
      {
        default: 'draft',
        readonly: true,
        tracked: true,
        index: true,
        colors: { pending: 'warning', done: 'success', error: 'danger', cancel: 'danger' },
      },
    ),
    /** The one try that the customer is at; a transfer that is waited for makes room for another. */
    is_open: f.boolean({ default: true, readonly: true }),
    state_message: f.text({ readonly: true, label: 'Message' }),
    acquirer_reference: f.char({
      ...settled,
      label: 'Payment reference',
      help: 'Of the provider, the bank statement or the receipt',
    }),
    is_manual: f.boolean({ readonly: true, label: 'Registered by hand' }),
    refund_ids: f.one2many('payment.refund', 'transaction_id', { label: 'Refunds' }),
    amount_left: f.money({
      compute: 'computeLeft',
      store: true,
      depends: ['state', 'amount', 'refund_ids.state', 'refund_ids.amount'],
      label: 'Can be refunded',
    }),
    /** What the customer's browser called this try; a repeated call gets the same answer. */
    idempotency_key: f.char({ size: 200, secret: true, sealed: false, readonly: true }),
    date_validate: f.datetime({ ...settled, label: 'Paid on' }),
    partner_id: f.many2one('res.partner', { empty: 'none', readonly: true, label: 'Customer' }),
    partner_name: f.char({ readonly: true, label: 'Name of the customer' }),
    partner_email: f.char({ readonly: true, label: 'Email of the customer' }),
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
  override async beforeCreate(values: readonly PaymentValues[]): Promise<readonly PaymentValues[]> {
    const orders = values.flatMap(({ sale_order_id }) => (typeof sale_order_id === 'number' ? [sale_order_id] : []));
    // What an order was paid is decided on under its lock, whoever adds to it.
    await this.ctx.lock(SaleOrder, orders);
    const complete: PaymentValues[] = [];
    for (const value of values) complete.push(this.ctx.su ? value : await this.#registered(value));
    return super.beforeCreate(complete);
  }

  override async afterCreate(ids: Ids, values: readonly PaymentValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    await logPayments(this.ctx, ids);
    const payments = this.ctx.sudo().model(PaymentTransaction); // Salespeople may register it; what follows does for everybody.
    for (const { is_manual, sale_order_id: order } of values) {
      if (!is_manual || typeof order !== 'number') continue;
      await payments.expectRest(order);
      await payments.#confirmPaid(order);
    }
  }

  /** What of a payment is neither given back nor on its way back. */
  async computeLeft(ids: Ids): Promise<Map<Id, Minor>> {
    const rows = await this.read(ids, {
      select: { state: true, amount: true, refund_ids: { state: true, amount: true } },
    });
    return new Map(
      rows.map(({ id, state, amount, refund_ids }) => [
        id,
        state === 'done'
          ? refund_ids.reduce((left, refund) => (isGoing(refund.state) ? left - refund.amount : left), amount)
          : 0,
      ]),
    );
  }

  /** Registered by mistake: it counts no more, and stays to be seen. What its order became, its people decide. */
  async takeBack(ids: Ids): Promise<void> {
    if (!this.ctx.has('sale.group_sale_manager'))
      throw new NotAllowed('Only sales managers take payments back.', { code: 'sale.not_staff' });
    const system = this.ctx.sudo(); // Managers may take back what they may read.
    for (const id of await this.allowed(ids, 'read')) {
      const payments = system.model(PaymentTransaction);
      await payments.lock(id);
      const row = await payments.get(id, {
        select: { is_manual: true, state: true, amount: true, amount_left: true, sale_order_id: true },
      });
      if (!row.is_manual || row.state !== 'done')
        throw new Conflict('Only payments that were registered by hand are taken back.', { code: 'sale.not_manual' });
      if (row.amount_left !== row.amount)
        throw new Conflict('Some of it was refunded, so it did come.', { code: 'sale.refunded' });
      await payments.write(id, { state: 'cancel' });
      if (row.sale_order_id !== null) await payments.expectRest(row.sale_order_id);
    }
  }

  /** What a salesperson registers: money that came in another way, for an order, at once or in part. */
  async #registered(given: PaymentValues): Promise<PaymentValues> {
    const { sale_order_id: order } = given;
    if (typeof order !== 'number') throw refused('sale_order_id', t(this.ctx, 'Say which order it is for.'));
    const system = this.ctx.sudo(); // The order was found to be readable; who pays it and what is open follows from it.
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
      throw refused('sale_order_id', t(this.ctx, 'Payments are registered for quotations and orders.'));
    const amount = given.amount ?? row.amount_open ?? 0;
    if (typeof amount === 'number' && amount <= 0)
      throw refused('amount', t(this.ctx, 'An amount is more than nothing.'));
    const [method] = await system.model(PaymentAcquirer).search([['validation', '=', 'manual']], { limit: 1 });
    const name = await system.model(SaleOrder).numberFor(row);
    return {
      reference: await system.model(PaymentTransaction).freeReference(name),
      acquirer_id: method ?? null,
      date_validate: this.ctx.now(),
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
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

  /** A reference nobody has yet: the order's number, with one of its own after the first. */
  async freeReference(name: string): Promise<string> {
    for (let number = 0; ; number += 1) {
      const reference = number === 0 ? name : `${name}-${number}`;
      if ((await this.count([['reference', '=', reference]])) === 0) return reference;
    }
  }

  /** A quotation that is paid in full is an order, unless something in it is no longer available. */
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
    this.#onlyBySystem();
    return super.beforeWrite(ids, values);
  }

  override async afterWrite(ids: Ids, values: PaymentValues): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.state) await logPayments(this.ctx, ids);
  }

  /**
   * Moves payments forward and does what follows for their orders. A step backwards, or one done before, changes nothing.
   * Rights lifted only: customers and providers come in by the service `sale.payments`, staff by `markPaid` and `markCancelled`.
   *
   * @returns whether anything changed
   */
  async advance(ids: Ids, outcome: Outcome): Promise<boolean> {
    this.#onlyBySystem();
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
      if (outcome.state === 'pending') await this.#awaitMoney(order, id, outcome.network ?? null);
      else if (outcome.state === 'done') await this.#settle(order, id);
      else await this.#giveUp(order);
    }
    return changed;
  }

  /** Locks a payment and the order it is for, which is answered. Order before payment: everybody locks in this order. */
  async lock(id: Id): Promise<Id | null> {
    const { sale_order_id: order } = await this.get(id, { select: { sale_order_id: true } });
    if (order !== null) await this.ctx.lock(SaleOrder, [order]);
    await this.ctx.lock(PaymentTransaction, [id]);
    return order;
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
    // Salespeople may settle what they may read, and write nothing else of a payment.
    await this.ctx.sudo().model(PaymentTransaction).advance(allowed, outcome);
  }

  #onlyBySystem(): void {
    if (!this.ctx.su)
      throw new NotAllowed('Payments are written by the payment itself.', { code: 'sale.payment_written' });
  }

  /** Money is on its way: the order waits, and keeps what it holds. */
  async #awaitMoney(order: Id, payment: Id, network: string | null): Promise<void> {
    const orders = this.ctx.model(SaleOrder);
    const row = await orders.get(order, { select: { state: true, name: true, invoice_email: true } });
    const { acquirer_id } = await this.get(payment, { select: { acquirer_id: { validation: true } } });
    const isTransfer = acquirer_id?.validation === 'manual';
    if (isTransfer) await this.#endOtherTransfers(order, payment);
    // An order that is confirmed goes on whatever becomes of this payment.
    if (row.state === 'sale' || row.state === 'done') return orders.write(order, { wait_until: null });
    if (row.state !== 'draft' && row.state !== 'sent') return;
    await orders.write(order, {
      state: 'sent',
      name: await orders.numberFor(row),
      is_cart: false,
      ...(isTransfer ? { network } : {}),
    });
    if (!isTransfer) return this.#keepHeld(order);
    await this.ctx.get(Transfers).keep(order);
    // Where nobody has to look at the money the order is confirmed in a moment, and that mail is enough.
    if (row.invoice_email) await this.ctx.jobs.enqueue(orderMail, { order, kind: 'received' });
  }

  /** One transfer is waited for: the one announced last. */
  async #endOtherTransfers(order: Id, payment: Id): Promise<void> {
    const others = await this.search([
      ['sale_order_id', '=', order],
      ['id', '!=', payment],
      ['state', '=', 'pending'],
      ['acquirer_id.validation', '=', 'manual'],
    ]);
    await this.advance(others, { state: 'cancel', keepOrder: true });
  }

  /** Holds what the order needs for as long as the money may take; also what it held too long ago, if it is still there. */
  async #keepHeld(order: Id): Promise<void> {
    const until = await pendingUntil(this.ctx);
    const stock = this.ctx.get(Stock);
    const { order_line } = await this.ctx.model(SaleOrder).get(order, { select: { order_line: true } });
    const short = await stock.hold(order, await this.ctx.model(SaleOrderLine).needs(order_line), until);
    // The rest is decided when the money is there.
    if (short.length > 0) await stock.extend(order, until);
  }

  /** The money is there. */
  async #settle(order: Id, payment: Id): Promise<void> {
    await this.expectRest(order);
    const row = await this.ctx.model(SaleOrder).get(order, {
      select: { state: true, version: true, currency_id: true, amount_open: true },
    });
    const paid = await this.get(payment, { select: { order_version: true, content: true, currency_id: true } });
    if (row.state === 'cancel') return this.#block(order, 'cancelled');
    if (await this.#isInvalid(order)) return this.#block(order, 'invalid');
    // What was confirmed stays as it is; payments from before contents were stored have a version of another kind.
    const isOpen = row.state === 'draft' || row.state === 'sent';
    const isOther = isOpen && paid.content !== null && paid.order_version !== row.version;
    if (isOther || paid.currency_id !== row.currency_id)
      return this.#block(order, 'changed', await this.#changesSince(order, paid.content));
    const open = row.amount_open ?? 0;
    if (open < 0) return this.#block(order, 'twice');
    if (open === 0 && (row.state === 'draft' || row.state === 'sent')) await this.#confirm(order);
  }

  /** How an order differs from what was paid for, one change per line for staff; null if only the version tells. */
  async #changesSince(order: Id, paid: OrderContent | null): Promise<string | null> {
    if (paid === null) return null;
    const current = await this.ctx.model(SaleOrder).contentToStore(order);
    return changesBetween(this.ctx, paid, current).join('\n') || null;
  }

  /** Whether something in an order can't be delivered as it was ordered, although money came for it. */
  async #isInvalid(order: Id): Promise<boolean> {
    return (await this.ctx.model(SaleOrder).problems(order)).some(holdsForMoney);
  }

  async #confirm(order: Id): Promise<void> {
    try {
      await this.ctx.savepoint(() => this.ctx.model(SaleOrder).confirm([order]));
    } catch (error) {
      // What people must look at (nothing left) is kept as such; a fault of ours fails the whole, and the provider tells again.
      if (!(error instanceof PergolaError) || error.status >= 500) throw error;
      const isShort = error.code === 'sale.short' || error.code.endsWith('.no_seats');
      await this.#block(order, isShort ? 'short' : 'invalid', errorText(this.ctx, error));
    }
  }

  /**
   * Money came or went, so another sum is to be paid. A try that was only begun ends, and a transfer that is waited for is for the rest. What a provider
   * works on it tells of itself, and money that is too much then is seen. Rights lifted only.
   */
  async expectRest(order: Id): Promise<void> {
    this.#onlyBySystem();
    const { amount_open } = await this.ctx.model(SaleOrder).get(order, { select: { amount_open: true } });
    const open = amount_open ?? 0;
    const others = await this.find(
      [
        ['sale_order_id', '=', order],
        ['state', 'in', ['draft', 'pending']],
      ],
      { select: { state: true, acquirer_id: { validation: true } } },
    );
    for (const { id, state, acquirer_id } of others) {
      const isTransfer = state === 'pending' && acquirer_id?.validation === 'manual';
      if (state === 'draft') await this.advance([id], { state: 'cancel', keepOrder: true });
      else if (isTransfer && open > 0) await this.write(id, { amount: open });
      else if (isTransfer)
        await this.advance([id], {
          state: 'cancel',
          keepOrder: true,
          message: t(this.ctx, 'Paid in another way meanwhile.'),
        });
    }
  }

  /** Paid, and staff have to look at it: nothing is delivered, and nothing is lost. */
  async #block(order: Id, reason: BlockedReason, note: string | null = null): Promise<void> {
    const orders = this.ctx.model(SaleOrder);
    await orders.block(order, reason, note);
    const { invoice_email } = await orders.get(order, { select: { invoice_email: true } });
    if (invoice_email) await this.ctx.jobs.enqueue(orderMail, { order, kind: 'blocked' });
    this.ctx.log.warn({ order, reason }, 'An order is paid but blocked');
  }

  /** The payment came to nothing: a cart is a cart again, and the customer may try another way. */
  async #giveUp(order: Id): Promise<void> {
    const orders = this.ctx.model(SaleOrder);
    const { state, is_cart } = await orders.get(order, { select: { state: true, is_cart: true } });
    if (state === 'sent' && is_cart) await orders.write(order, { state: 'draft' });
  }
}

/** Whether a refund takes its money from the payment: all but those that came to nothing. */
function isGoing(state: string): boolean {
  return state !== 'error' && state !== 'cancel';
}

function refused(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'sale.bad_payment', fields: { [field]: message } });
}

/** Amounts that are typed for an order count in its currency. */
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
