import { type Ctx, type Id, PergolaError } from '#core';
import { orderMail } from '../../jobs/order-mail.ts';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { numberOf } from '../order/states.ts';
import { pendingUntil } from '../order/until.ts';
import { extendHolds, hold, release } from '../stock/holds.ts';
import { keepForTransfer } from './transfer-hold.ts';

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

/** Steps go from left to right; what came after all comes last. */
const rank = { draft: 0, pending: 1, error: 2, cancel: 2, done: 3 } as const;

/** Locks a payment and the order it is for, which is answered. */
export async function lockPayment(ctx: Ctx, id: Id): Promise<Id | null> {
  const { sale_order_id: order } = await ctx.model(PaymentTransaction).get(id, { select: { sale_order_id: true } });
  if (order !== null) await ctx.lock(SaleOrder, [order]);
  await ctx.lock(PaymentTransaction, [id]);
  return order;
}

/**
 * See `PaymentTransaction.advance`. Order before payment: everybody locks in this order.
 *
 * @returns whether anything changed
 */
export async function advance(ctx: Ctx, id: Id, outcome: Outcome): Promise<boolean> {
  const payments = ctx.model(PaymentTransaction);
  const order = await lockPayment(ctx, id);
  const { state } = await payments.get(id, { select: { state: true } });
  if (rank[outcome.state] <= rank[state]) return false;
  await payments.write(id, {
    state: outcome.state,
    is_open: outcome.state === 'pending',
    state_message: outcome.message ?? null,
    ...(outcome.acquirerReference ? { acquirer_reference: outcome.acquirerReference } : {}),
    ...(outcome.state === 'done' ? { date_validate: ctx.now() } : {}),
  });
  if (order !== null && !outcome.keepOrder) await follow(ctx, order, id, outcome);
  return true;
}

/** What a payment's step means for its order. */
async function follow(ctx: Ctx, order: Id, payment: Id, outcome: Outcome): Promise<void> {
  if (outcome.state === 'pending') await awaitMoney(ctx, order, payment, outcome.network ?? null);
  else if (outcome.state === 'done') await settle(ctx, order, payment);
  else await giveUp(ctx, order);
}

/** Money is on its way: the order waits, and keeps what it holds. */
async function awaitMoney(ctx: Ctx, order: Id, payment: Id, network: string | null): Promise<void> {
  const row = await ctx.model(SaleOrder).get(order, { select: { state: true, name: true, invoice_email: true } });
  if (row.state !== 'draft' && row.state !== 'sent') return;
  await ctx.model(SaleOrder).write(order, { state: 'sent', name: await numberOf(ctx, row), is_cart: false, network });
  const { acquirer_id } = await ctx
    .model(PaymentTransaction)
    .get(payment, { select: { acquirer_id: { validation: true } } });
  if (acquirer_id?.validation !== 'manual') return keepHeld(ctx, order);
  await keepForTransfer(ctx, order);
  // Where nobody has to look at the money the order is confirmed in a moment, and that mail is enough.
  if (row.invoice_email) await ctx.jobs.enqueue(orderMail, { order, kind: 'received' });
}

/** Holds what the order needs for as long as the money may take; also what it held too long ago, if it is still there. */
async function keepHeld(ctx: Ctx, order: Id): Promise<void> {
  const until = await pendingUntil(ctx);
  const { order_line } = await ctx.model(SaleOrder).get(order, { select: { order_line: true } });
  const short = await hold(ctx, order, await ctx.model(SaleOrderLine).needs(order_line), until);
  // The rest is decided when the money is there.
  if (short.length > 0) await extendHolds(ctx, order, until);
}

/** The money is there. */
async function settle(ctx: Ctx, order: Id, payment: Id): Promise<void> {
  const orders = ctx.model(SaleOrder);
  const row = await orders.get(order, {
    select: { state: true, name: true, version: true, amount_total: true, currency_id: true },
  });
  const paid = await ctx.model(PaymentTransaction).get(payment, {
    select: { order_version: true, amount: true, currency_id: true },
  });
  const others = await ctx.model(PaymentTransaction).search([
    ['sale_order_id', '=', order],
    ['id', '!=', payment],
    ['state', 'in', ['draft', 'pending', 'done']],
  ]);
  const twice = await endOthers(ctx, others);
  if (twice) return block(ctx, order, 'twice');
  if (row.state === 'cancel') return block(ctx, order, 'cancelled');
  const same =
    paid.order_version === row.version && paid.amount === row.amount_total && paid.currency_id === row.currency_id;
  if (!same) return block(ctx, order, 'changed');
  if (row.state !== 'draft' && row.state !== 'sent') return;
  try {
    await ctx.savepoint(() => orders.confirm([order]));
  } catch (error) {
    // What people must look at (nothing left) is kept as such; a fault of ours fails the whole, and the provider tells again.
    if (!(error instanceof PergolaError) || error.status >= 500) throw error;
    await block(ctx, order, 'short');
  }
}

/** Ends other tries that are open; says whether one of them is paid too. */
async function endOthers(ctx: Ctx, others: readonly Id[]): Promise<boolean> {
  let paid = false;
  for (const other of others) {
    const { state } = await ctx.model(PaymentTransaction).get(other, { select: { state: true } });
    if (state === 'done') paid = true;
    else await advance(ctx, other, { state: 'cancel', keepOrder: true });
  }
  return paid;
}

/** Paid, and somebody has to look at it: nothing is delivered by itself, and nothing is lost. */
async function block(ctx: Ctx, order: Id, reason: 'cancelled' | 'changed' | 'short' | 'twice'): Promise<void> {
  const orders = ctx.model(SaleOrder);
  const row = await orders.get(order, { select: { name: true, invoice_email: true } });
  await orders.write(order, { blocked_reason: reason, is_cart: false, name: await numberOf(ctx, row) });
  if (row.invoice_email) await ctx.jobs.enqueue(orderMail, { order, kind: 'blocked' });
  ctx.log.warn({ order, reason }, 'An order is paid but blocked');
}

/** The payment came to nothing: a cart is a cart again, and the customer may try another way. */
async function giveUp(ctx: Ctx, order: Id): Promise<void> {
  const { state, is_cart } = await ctx.model(SaleOrder).get(order, { select: { state: true, is_cart: true } });
  if (state === 'sent' && is_cart) await ctx.model(SaleOrder).write(order, { state: 'draft' });
}

/** Cancels an order whose money did not come in time, and tells the customer. */
export async function cancelOverdue(ctx: Ctx, order: Id): Promise<void> {
  await ctx.model(SaleOrder).cancel([order]);
  await release(ctx, [order]);
  await ctx.jobs.enqueue(orderMail, { order, kind: 'expired' });
}
