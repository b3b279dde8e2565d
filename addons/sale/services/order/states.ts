import { Sequence } from '#addons/base';
import { Conflict, type Ctx, type Id, type Ids, InvalidInput, NotFound } from '#core';
import { orderMail } from '../../jobs/order-mail.ts';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { advance } from '../payment/advance.ts';
import { release, shortages } from '../stock/holds.ts';
import { type Need, resourcesOf } from '../stock/resource.ts';
import { orderSequence } from './complete.ts';
import { shortText } from './set-line.ts';

type State = 'draft' | 'sent' | 'sale' | 'done' | 'cancel';

/**
 * The order under its lock, with rights lifted, for whoever may write it. All that decides on an order's state locks it first, so of two at once the
 * second sees what the first has done.
 */
async function locked(given: Ctx, id: Id): Promise<{ ctx: Ctx; order: OrderRow }> {
  if (!given.su && (await given.model(SaleOrder).allowed([id], 'write')).length === 0)
    throw new NotFound('There is no such order.', { code: 'sale.no_order' });
  const ctx = given.sudo(); // The right to write the order was looked at; payments, stock and numbers follow from it.
  await ctx.lock(SaleOrder, [id]);
  const order = await ctx.model(SaleOrder).get(id, {
    select: { state: true, name: true, is_cart: true, order_line: true, invoice_name: true, invoice_email: true },
  });
  return { ctx, order };
}
interface OrderRow {
  readonly id: Id;
  readonly state: State;
  readonly name: string | null;
  readonly is_cart: boolean;
  readonly order_line: Ids;
  readonly invoice_name: string | null;
  readonly invoice_email: string | null;
}

function requireState(order: OrderRow, states: readonly State[]): void {
  if (states.includes(order.state)) return;
  throw new Conflict('The state of the order does not allow this any more.', { code: 'sale.wrong_state' });
}

/** Gives an order its number, unless it has one; numbers follow each other without a gap. */
export async function numberOf(ctx: Ctx, order: { readonly id: Id; readonly name: string | null }): Promise<string> {
  return order.name ?? (await ctx.sudo().model(Sequence).next(orderSequence)); // Everybody whose order needs a number gets one.
}

/** See `SaleOrder.send`. */
export async function sendOrders(given: Ctx, ids: Ids): Promise<void> {
  for (const id of ids) {
    const { ctx, order } = await locked(given, id);
    requireState(order, ['draft', 'sent', 'sale', 'done']);
    if (order.order_line.length === 0)
      throw new InvalidInput('There is nothing on this quotation yet.', { code: 'sale.empty' });
    if (!order.invoice_email)
      throw new InvalidInput('Give the e-mail address of the customer first.', {
        code: 'sale.no_email',
        fields: { invoice_email: ctx.t('Give the e-mail address of the customer first.') },
      });
    if (order.state === 'draft')
      await ctx.model(SaleOrder).write(id, { state: 'sent', is_cart: false, name: await numberOf(ctx, order) });
    const kind = order.state === 'sale' || order.state === 'done' ? 'confirmed' : 'quotation';
    await ctx.jobs.enqueue(orderMail, { order: id, kind, again: ctx.now().getTime() });
  }
}

/** See `SaleOrder.confirm`. */
export async function confirmOrders(given: Ctx, ids: Ids): Promise<void> {
  for (const id of ids) {
    const { ctx, order } = await locked(given, id);
    requireState(order, ['draft', 'sent']);
    if (order.order_line.length === 0)
      throw new InvalidInput('There is nothing on this order.', { code: 'sale.empty' });
    if (!order.invoice_name) throw new InvalidInput('Say first for whom this order is.', { code: 'sale.no_customer' });
    await takeNeeds(ctx, order);
    await endPayments(ctx, id, ['draft']);
    await ctx.model(SaleOrder).write(id, {
      state: 'sale',
      name: await numberOf(ctx, order),
      is_cart: false,
      date_confirm: ctx.now(),
      blocked_reason: null,
    });
    if (order.invoice_email) await ctx.jobs.enqueue(orderMail, { order: id, kind: 'confirmed' });
  }
}

/** Takes what the lines need for good, in place of what was held for them. */
async function takeNeeds(ctx: Ctx, order: OrderRow): Promise<void> {
  const needs = await ctx.model(SaleOrderLine).needs(order.order_line);
  const short = await shortages(ctx, needs);
  if (short.length > 0) {
    throw new Conflict('{reasons}', { code: 'sale.short', params: { reasons: shortText(ctx, short) } });
  }
  await eachResource(ctx, needs, 'take');
  await release(ctx, [order.id]);
}

async function eachResource(ctx: Ctx, needs: readonly Need[], what: 'take' | 'giveBack'): Promise<void> {
  const resources = resourcesOf(ctx);
  for (const [name, wanted] of [...Map.groupBy(needs, ({ resource }) => resource)].sort()) {
    await resources.get(name)?.[what]?.(ctx, wanted);
  }
}

/** See `SaleOrder.cancel`. */
export async function cancelOrders(given: Ctx, ids: Ids): Promise<void> {
  for (const id of ids) {
    const { ctx, order } = await locked(given, id);
    if (order.state === 'cancel') continue;
    requireState(order, ['draft', 'sent', 'sale']);
    if (order.state === 'sale') {
      await eachResource(ctx, await ctx.model(SaleOrderLine).needs(order.order_line), 'giveBack');
    }
    await release(ctx, [id]);
    await ctx.model(SaleOrder).write(id, { state: 'cancel', is_cart: false });
    await endPayments(ctx, id, ['draft', 'pending']);
  }
}

/** See `SaleOrder.reopen`. */
export async function reopenOrders(given: Ctx, ids: Ids): Promise<void> {
  for (const id of ids) {
    const { ctx, order } = await locked(given, id);
    if (order.state === 'draft') continue;
    requireState(order, ['sent', 'cancel']);
    const paid = await ctx.model(PaymentTransaction).count([
      ['sale_order_id', '=', id],
      ['state', 'in', ['pending', 'done']],
    ]);
    if (paid > 0)
      throw new Conflict('This order is paid for, or will be; it cannot be changed any more.', {
        code: 'sale.being_paid',
      });
    await endPayments(ctx, id, ['draft']);
    await ctx.model(SaleOrder).write(id, { state: 'draft', blocked_reason: null });
  }
}

/** See `SaleOrder.finish`. */
export async function finishOrders(given: Ctx, ids: Ids): Promise<void> {
  for (const id of ids) {
    const { ctx, order } = await locked(given, id);
    requireState(order, ['sale']);
    await ctx.model(SaleOrder).write(id, { state: 'done' });
  }
}

/** Ends payments of an order that are in one of the states. */
async function endPayments(ctx: Ctx, order: Id, states: readonly ('draft' | 'pending')[]): Promise<void> {
  const open = await ctx.model(PaymentTransaction).search([
    ['sale_order_id', '=', order],
    ['state', 'in', states],
  ]);
  for (const id of open) await advance(ctx, id, { state: 'cancel', keepOrder: true });
}
