import { app, Conflict, type Id, InvalidInput, type Minor, service } from 'pergola';
import { orderMail } from '../../jobs/order-mail.ts';
import { PaymentEvent } from '../../models/payment-event.ts';
import { PaymentRefund } from '../../models/payment-refund.ts';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { paymentMinutes, pendingDays } from '../../settings.ts';
import { t } from '../../texts.ts';
import { paymentUntil } from '../orders/expiry.ts';
import { shortText } from '../orders/line-request.ts';
import { changesBetween, changesSince, contentVersion, OrderChanged } from '../orders/order-content.ts';
import { OrderDefaults } from '../orders/order-defaults.ts';
import { holdsForMoney, type OrderProblem } from '../orders/problems.ts';
import { Stock } from '../stock/stock.ts';
import { readNotice, subjectOf } from './notifications.ts';
import { type OfferedMethod, offeredMethod, offeredMethods } from './offered-methods.ts';
import type { NotificationRequest, PaymentForm, PaymentProvider } from './payment-providers.ts';
import { type PaymentStatus, statusSentence } from './payment-status.ts';
import { paymentToken } from './token.ts';
import { Transfers } from './transfers.ts';

/** Request to pay an order with a method. */
export interface PaymentStart {
  readonly order: Id;
  readonly acquirer: Id;
  /** The caller's key for this attempt: repeating it returns the same payment. */
  readonly key?: string | null;
  /** Amount shown to the customer; the call fails if it has changed. Defaults to the amount due. */
  readonly amount?: Minor | undefined;
  /** Content the customer agrees to, as carried by the page (`contentToken`); the call fails if it has changed. Not checked if left out. */
  readonly version?: string | undefined;
  /** Path on this site for the customer's return. */
  readonly returnUrl: string;
}
/** A started payment, with the form that leads to its page. */
export interface StartedPayment {
  readonly id: Id;
  readonly reference: string;
  readonly state: 'draft' | 'pending' | 'done' | 'error' | 'cancel';
  readonly form: PaymentForm;
}

/** An expired payment. */
export interface Overdue {
  readonly id: Id;
  readonly state: 'draft' | 'pending';
  readonly order: Id | null;
}

/**
 * Pays orders: customers choose a method, start a payment, and see its status; providers notify; unfinished payments expire. Needs elevated
 * rights, and a writing context for changes: callers must verify the buyer.
 */
export class Payments extends service('sale.payments', { ctx: app.ctx, stock: Stock, transfers: Transfers }) {
  /**
   * Returns the payment methods offered to customers, in order. Leaves out methods whose addon is disabled, and methods that lack a
   * requirement, such as the bank account for transfers.
   *
   * @param company the company that sells; the main company if left out
   */
  async offered(company?: Id): Promise<OfferedMethod[]> {
    return offeredMethods(this.ctx, company ?? (await this.ctx.get(OrderDefaults).mainCompany()));
  }

  /**
   * Starts a payment of the amount due, for a buyer verified by the caller. However often it is called, even concurrently, the order has
   * one open payment: the same method returns the existing payment, another method replaces it unless it was submitted. A pending transfer
   * stays open in parallel, and ends when the payment arrives. An unconfirmed order gets its number, is frozen, and keeps its holds.
   *
   * @throws InvalidInput with all reasons why it can't be paid; OrderChanged if the content differs from what the customer agreed to;
   * Conflict if it is already paid or a provider is processing a payment, if the amount due differs from the one shown, or if the key was
   * used for another method; NotFound if the method isn't offered
   */
  async start(start: PaymentStart): Promise<StartedPayment> {
    await this.ctx.lock(SaleOrder, [start.order]);
    const order = await this.#readOrder(start.order);
    const { acquirer, provider } = await offeredMethod(this.ctx, start.acquirer, order.company_id);
    const repeatedId = await this.#attemptWithKey(start);
    if (repeatedId !== null) {
      await this.#refuseInvalid(order.id);
      return this.#startedPayment(repeatedId, provider, start);
    }
    await this.#refuseSettled(order);
    await this.#refuseStale(order.id, start.version);
    const amount = order.amount_open ?? 0;
    if (start.amount !== undefined && start.amount !== amount) throw amountChanged();
    const open = await this.#reuseOrReplace(start, amount);
    if (open !== null) {
      await this.#refuseInvalid(order.id);
      return this.#startedPayment(open, provider, start);
    }
    if (!isPayable(order)) throw notPayable();
    if (!order.invoice_name) throw new InvalidInput('Enter your address first.', { code: 'sale.no_address' });
    await this.#refuseProblems(order.id);
    if (amount <= 0) throw new Conflict('There is nothing to pay.', { code: 'sale.nothing_to_pay' });
    if (!isConfirmed(order)) await this.#holdAll(order);
    const name = await this.ctx.model(SaleOrder).numberFor(order);
    const content = { ...(await this.ctx.model('sale.order').contentToStore(order.id)), number: name };
    const id = await this.ctx.model(PaymentTransaction).create({
      reference: await this.ctx.model(PaymentTransaction).freeReference(name),
      sale_order_id: order.id,
      acquirer_id: acquirer,
      amount,
      currency_id: order.currency_id,
      order_version: contentVersion(content),
      content,
      idempotency_key: start.key ?? null,
      partner_id: order.partner_id,
      partner_name: order.invoice_name,
      partner_email: order.invoice_email,
      partner_lang: order.lang,
    });
    await this.ctx
      .model(SaleOrder)
      .write(order.id, { name, payment_acquirer_id: acquirer, ...(isConfirmed(order) ? {} : { state: 'sent' }) });
    return this.#startedPayment(id, provider, start);
  }

  /**
   * Returns the amount a customer can pay on a placed or accepted order, or null if nothing is due, a provider is processing a payment, or
   * a problem must be resolved first.
   */
  async payable(id: Id): Promise<Minor | null> {
    const order = await this.#readOrder(id);
    const amount = order.amount_open ?? 0;
    if (amount <= 0 || !isPayable(order) || !order.invoice_name) return null;
    if ((await this.#openPayments(id)).some(isWorkedOn)) return null;
    if ((await this.ctx.model(SaleOrder).problems(id)).length > 0) return null;
    return amount;
  }

  /**
   * Confirms a free order without a payment.
   *
   * @param version content the customer agrees to, as for `start`
   * @throws OrderChanged as for `start`; Conflict if there is something to pay; InvalidInput with all reasons why it can't be ordered
   */
  async confirmFree(id: Id, version?: string): Promise<void> {
    await this.ctx.lock(SaleOrder, [id]);
    const order = await this.#readOrder(id);
    if (order.state !== 'draft' && order.state !== 'sent') throw notPayable();
    if (order.amount_total !== 0) throw new Conflict('This order has to be paid first.', { code: 'sale.to_pay' });
    if (!order.invoice_name) throw new InvalidInput('Enter your address first.', { code: 'sale.no_address' });
    await this.#refuseStale(id, version);
    await this.#refuseProblems(id);
    await this.ctx.model(SaleOrder).confirm([id]);
  }

  /**
   * Cancels a started payment if the order's content has changed, such as tickets of an event that was moved while its customer was on the
   * provider's page. Called before the customer's last confirmation.
   *
   * @returns the changes, in the context's language; empty if the payment may proceed
   */
  async endIfChanged(payment: Id): Promise<string[]> {
    const payments = this.ctx.model(PaymentTransaction);
    const order = await payments.lock(payment);
    const { state, content } = await payments.get(payment, { select: { state: true, content: true } });
    if (state !== 'draft' || order === null || content === null) return [];
    const changes = changesBetween(this.ctx, content, await this.ctx.model('sale.order').content(order));
    if (changes.length > 0) await payments.advance([payment], { state: 'cancel', message: changes.join('; ') });
    return changes;
  }

  /**
   * Returns the payment status of an order: from the received payment if nothing is due, or else the pending one, or else the latest
   * attempt.
   */
  async status(order: Id): Promise<PaymentStatus> {
    const { amount_total, amount_open, state, blocked_reason } = await this.ctx.model(SaleOrder).get(order, {
      select: { amount_total: true, amount_open: true, state: true, blocked_reason: true },
    });
    const payments = await this.ctx.model(PaymentTransaction).find([['sale_order_id', '=', order]], {
      select: { state: true, acquirer_id: { validation: true, provider: true, post_msg: true } },
    });
    const isSettled = (amount_open ?? 0) <= 0 || blocked_reason !== null;
    const payment =
      payments.find((candidate) => candidate.state === (isSettled ? 'done' : 'pending')) ??
      payments.find((candidate) => candidate.state === 'pending') ??
      payments[0];
    if (!payment) {
      const free = amount_total === 0 && (state === 'sale' || state === 'done');
      return {
        state: free ? 'done' : 'error',
        validation: null,
        message: free
          ? t(this.ctx, 'Your order is confirmed.')
          : t(this.ctx, 'Something went wrong, so the payment wasn’t started.'),
        postMessage: null,
        bank: null,
        waiting: [],
      };
    }
    const validation = payment.acquirer_id?.validation ?? 'automatic';
    const waiting = payment.state === 'pending' && payment.acquirer_id?.provider === 'transfer';
    return {
      state: payment.state,
      validation,
      message: statusSentence(this.ctx, payment.state, validation, blocked_reason !== null),
      postMessage:
        payment.state === 'pending' || payment.state === 'done' ? (payment.acquirer_id?.post_msg ?? null) : null,
      bank: waiting ? await this.transfers.bankDetails(order) : null,
      waiting: waiting ? await this.transfers.waitingTexts(order) : [],
    };
  }

  /**
   * Handles a provider's notification: once, even if it is repeated, and only if it matches the payment it names.
   *
   * ```
   * signature and time ─▶ known payment of this method, same amount and currency ─▶ new event? ─▶ forward step ─▶ the order follows
   * ```
   *
   * @returns whether anything changed
   * @throws InvalidInput unless it is a genuine notification for a payment of this method; nothing is written then
   */
  async notified(acquirerId: Id, request: Omit<NotificationRequest, 'now'>): Promise<boolean> {
    const notice = await readNotice(this.ctx, acquirerId, request);
    const { payment, refund } = await subjectOf(this.ctx, acquirerId, notice);
    const payments = this.ctx.model(PaymentTransaction);
    await payments.lock(payment);
    const events = this.ctx.model(PaymentEvent);
    const seen = await events.count([
      ['acquirer_id', '=', acquirerId],
      ['event_id', '=', notice.event],
    ]);
    if (seen > 0) return false;
    await events.create({
      acquirer_id: acquirerId,
      event_id: notice.event,
      transaction_id: payment,
      state: notice.state,
      received: this.ctx.now(),
    });
    const { state, message, acquirerReference } = notice;
    if (refund !== null) return this.ctx.model(PaymentRefund).advance([refund], { state, message, acquirerReference });
    return payments.advance([payment], { state, message, acquirerReference });
  }

  /**
   * Returns payments that have expired: started ones, and transfers that didn't arrive. Never includes payments that a provider is still
   * processing: they may arrive at any time.
   */
  async overdue(now: Date): Promise<Overdue[]> {
    const waited = new Date(now.getTime() - (await this.ctx.settings.get(pendingDays)) * DAY);
    const startedBefore = new Date(now.getTime() - (await this.ctx.settings.get(paymentMinutes)) * MINUTE);
    const rows = await this.ctx
      .model(PaymentTransaction)
      .find(
        [
          '|',
          '&',
          '&',
          ['state', '=', 'pending'],
          ['acquirer_id.validation', '=', 'manual'],
          '|',
          ['sale_order_id.wait_until', '<', now],
          '&',
          ['sale_order_id.wait_until', '=', null],
          ['write_date', '<', waited],
          '&',
          ['state', '=', 'draft'],
          ['write_date', '<', startedBefore],
        ],
        { select: { state: true, sale_order_id: true }, order: 'id', limit: 200 },
      );
    return rows.flatMap(({ id, state, sale_order_id }) =>
      state === 'draft' || state === 'pending' ? [{ id, state, order: sale_order_id }] : [],
    );
  }

  /**
   * Ends an expired payment. Cancels an unpaid order and notifies its customer; for a confirmed or partly paid order, only gives up the
   * payment, and staff handle the rest. Does nothing while another payment is in progress: the customer may be paying right now.
   */
  async endOverdue({ id, state, order }: Overdue): Promise<void> {
    if (state === 'pending' && order !== null) {
      await this.ctx.lock(SaleOrder, [order]);
      if ((await this.#openPayments(order)).length > 1) return;
      const row = await this.ctx.model(SaleOrder).get(order, { select: { state: true, amount_paid: true } });
      if (row.state === 'sent' && !row.amount_paid) {
        await this.ctx.model(SaleOrder).cancel([order]);
        await this.stock.release([order]);
        await this.ctx.jobs.enqueue(orderMail, { order, kind: 'expired' });
        return;
      }
    }
    await this.ctx.model(PaymentTransaction).advance([id], { state: 'cancel' });
  }

  #readOrder(id: Id) {
    return this.ctx.model(SaleOrder).get(id, {
      select: {
        name: true,
        state: true,
        is_cart: true,
        blocked_reason: true,
        amount_total: true,
        amount_open: true,
        currency_id: true,
        company_id: true,
        partner_id: true,
        invoice_name: true,
        invoice_email: true,
        lang: true,
        wait_until: true,
      },
    });
  }

  /** @throws OrderChanged if the order's content differs from what its customer agreed to */
  async #refuseStale(order: Id, token: string | undefined): Promise<void> {
    if (token === undefined || token === '') return;
    const changes = changesSince(this.ctx, token, await this.ctx.model('sale.order').content(order));
    if (changes.length > 0) throw new OrderChanged(this.ctx, changes);
  }

  /** Returns the payment started with the same key. */
  async #attemptWithKey({ order, key, acquirer }: PaymentStart): Promise<Id | null> {
    if (!key) return null;
    const earlierAttempt = await this.ctx.model(PaymentTransaction).first(
      [
        ['sale_order_id', '=', order],
        ['idempotency_key', '=', key],
      ],
      { select: { acquirer_id: true } },
    );
    if (earlierAttempt && earlierAttempt.acquirer_id !== acquirer)
      throw new Conflict('This payment was started with a different method.', { code: 'sale.key_reused' });
    return earlierAttempt?.id ?? null;
  }

  /** Finds the open payments of an order, which may still be completed. */
  #openPayments(order: Id) {
    return this.ctx.model(PaymentTransaction).find(
      [
        ['sale_order_id', '=', order],
        ['state', 'in', ['draft', 'pending']],
      ],
      { select: { state: true, amount: true, is_open: true, order_version: true, acquirer_id: { validation: true } } },
    );
  }

  async #refuseSettled({ id, amount_open }: { readonly id: Id; readonly amount_open: Minor | null }): Promise<void> {
    const paid = await this.ctx.model(PaymentTransaction).count([
      ['sale_order_id', '=', id],
      ['state', '=', 'done'],
    ]);
    if (paid > 0 && (amount_open ?? 0) <= 0) throw new Conflict('This order is already paid.', { code: 'sale.paid' });
    if ((await this.#openPayments(id)).some(isWorkedOn))
      throw new Conflict('A payment for this order is being processed.', { code: 'sale.payment_pending' });
  }

  /**
   * Returns the open payment with the same amount, content and method, if any. Cancels other payments that were only started. A pending
   * transfer stays open in parallel: if the new attempt fails, nothing is lost; if it succeeds, the transfer ends.
   */
  async #reuseOrReplace({ order, acquirer }: PaymentStart, amount: Minor): Promise<Id | null> {
    const payments = this.ctx.model(PaymentTransaction);
    const live = await this.#openPayments(order);
    const { version } = await this.ctx.model(SaleOrder).get(order, { select: { version: true } });
    const match = live.find(
      (candidate) =>
        candidate.acquirer_id?.id === acquirer && candidate.amount === amount && candidate.order_version === version,
    );
    for (const candidate of live) {
      if (candidate === match) continue;
      if (candidate.state === 'draft') await payments.advance([candidate.id], { state: 'cancel', keepOrder: true });
      else if (candidate.is_open) await payments.write(candidate.id, { is_open: false });
    }
    return match?.id ?? null;
  }

  async #holdAll({ id, wait_until }: { readonly id: Id; readonly wait_until: Date | null }): Promise<void> {
    const { order_line } = await this.ctx.model(SaleOrder).get(id, { select: { order_line: true } });
    const needs = await this.ctx.model(SaleOrderLine).needs(order_line);
    const until = await paymentUntil(this.ctx);
    // Never shortens the hold of a pending transfer.
    const short = await this.stock.hold(id, needs, wait_until && wait_until > until ? wait_until : until);
    if (short.length > 0)
      throw new Conflict('{reasons}', { code: 'sale.short', params: { reasons: shortText(this.ctx, short) } });
  }

  /** Returns the payment with its provider form. */
  async #startedPayment(id: Id, provider: PaymentProvider, start: PaymentStart): Promise<StartedPayment> {
    const row = await this.ctx.model(PaymentTransaction).get(id, {
      select: {
        reference: true,
        state: true,
        amount: true,
        currency_id: { name: true },
        partner_lang: true,
        acquirer_id: { secret_key: true },
      },
    });
    const form = provider.form(this.ctx, {
      id,
      reference: row.reference,
      amount: row.amount,
      currency: row.currency_id?.name ?? '',
      token: paymentToken(this.ctx, row.reference),
      returnUrl: start.returnUrl,
      lang: row.partner_lang,
      acquirer: { id: start.acquirer, secret: row.acquirer_id?.secret_key ?? '' },
    });
    return { id, reference: row.reference, state: row.state, form };
  }

  /** @throws InvalidInput with all problems */
  async #refuseProblems(order: Id): Promise<void> {
    refuse(await this.ctx.model(SaleOrder).problems(order));
  }

  /**
   * Checks a started payment: it proceeds at its original prices unless an item was removed or changed.
   *
   * @throws InvalidInput with the reasons
   */
  async #refuseInvalid(order: Id): Promise<void> {
    refuse((await this.ctx.model(SaleOrder).problems(order)).filter(holdsForMoney));
  }
}

/** @throws InvalidInput with the reasons, if there are any */
function refuse(problems: readonly OrderProblem[]): void {
  if (problems.length === 0) return;
  throw new InvalidInput('{reasons}', {
    code: problems[0]?.code ?? 'sale.problem',
    params: { reasons: [...new Set(problems.map(({ message }) => message))].join(' ') },
  });
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface PayableOrder {
  readonly state: string;
  readonly is_cart: boolean | null;
  readonly blocked_reason: string | null;
}

/** Whether a provider is processing the payment, which may complete any moment. A transfer is only announced. */
function isWorkedOn(payment: {
  readonly state: string;
  readonly acquirer_id: { readonly validation: 'manual' | 'automatic' } | null;
}): boolean {
  return payment.state === 'pending' && payment.acquirer_id?.validation !== 'manual';
}

/** Whether an order can be paid: carts, sent or placed orders, and confirmed ones, but not draft quotations. */
function isPayable({ state, is_cart, blocked_reason }: PayableOrder): boolean {
  if (blocked_reason !== null) return false;
  return state === 'draft' ? is_cart === true : state !== 'cancel';
}

/** Whether stock was taken and terms agreed, so that only the payment is missing. */
function isConfirmed({ state }: Pick<PayableOrder, 'state'>): boolean {
  return state === 'sale' || state === 'done';
}

function amountChanged(): Conflict {
  return new Conflict('The amount due has changed. Please reload the page.', { code: 'sale.amount_changed' });
}

function notPayable(): Conflict {
  return new Conflict('This order can no longer be paid.', { code: 'sale.not_payable' });
}
