import { Conflict, type Ctx, type Id, InvalidInput, NotFound } from '#core';
import { PaymentAcquirer } from '../../models/payment-acquirer.ts';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { refuseProblems } from '../order/problems.ts';
import { shortText } from '../order/set-line.ts';
import { numberOf } from '../order/states.ts';
import { paymentUntil } from '../order/until.ts';
import { hold } from '../stock/holds.ts';
import { advance } from './advance.ts';
import { offered } from './offered.ts';
import { type PaymentForm, type PaymentProvider, providerOf } from './provider.ts';
import { paymentToken } from './token.ts';

/** What somebody wants to pay, and how. */
export interface PaymentStart {
  readonly order: Id;
  readonly acquirer: Id;
  /** What the caller names this try: the same key again gets the same answer. */
  readonly key?: string | null;
  /** Where the customer comes back to, a path of this site. */
  readonly returnUrl: string;
}
export interface StartedPayment {
  readonly id: Id;
  readonly reference: string;
  readonly state: 'draft' | 'pending' | 'done' | 'error' | 'cancel';
  readonly form: PaymentForm;
}

/**
 * Begins to pay an order, whose buyer the caller knows; needs a context that writes, with rights lifted. However often and from wherever it is called at
 * once, the order has one open payment: the same method again answers the payment there is, another method takes its place while nothing was sent. The order
 * gets its number, is frozen, and keeps what it holds.
 *
 * @throws InvalidInput with all reasons why it cannot be paid; Conflict when it is paid already or money is on its way, or when the key was used for another
 * method; NotFound for a method that is not offered.
 */
export async function startPayment(ctx: Ctx, start: PaymentStart): Promise<StartedPayment> {
  await ctx.lock(SaleOrder, [start.order]);
  const order = await readOrder(ctx, start.order);
  const { acquirer, provider } = await offeredMethod(ctx, start.acquirer);
  const again = await sameTry(ctx, start);
  if (again !== null) return answer(ctx, again, provider, start);
  await refuseSettled(ctx, order);
  const open = await endOtherMethods(ctx, start);
  if (open !== null) return answer(ctx, open, provider, start);
  if (order.state !== 'draft' && order.state !== 'sent') throw notPayable();
  if (!order.invoice_name) throw new InvalidInput('Give your address first.', { code: 'sale.no_address' });
  refuseProblems(await ctx.model(SaleOrder).problems(order.id));
  if (order.amount_total === null || order.amount_total <= 0)
    throw new Conflict('There is nothing to pay.', { code: 'sale.nothing_to_pay' });
  await holdAll(ctx, order.id);
  const name = await numberOf(ctx, order);
  const id = await ctx.model(PaymentTransaction).create({
    reference: await freeReference(ctx, name),
    sale_order_id: order.id,
    acquirer_id: acquirer,
    amount: order.amount_total,
    currency_id: order.currency_id,
    order_version: order.version,
    idempotency_key: start.key ?? null,
    partner_id: order.partner_id,
    partner_name: order.invoice_name,
    partner_email: order.invoice_email,
    partner_lang: order.lang,
  });
  await ctx.model(SaleOrder).write(order.id, { name, state: 'sent', payment_acquirer_id: acquirer });
  return answer(ctx, id, provider, start);
}

/**
 * Confirms an order that costs nothing, in place of a payment. Needs a context that writes, with rights lifted.
 *
 * @throws Conflict when there is something to pay; InvalidInput with all reasons why it cannot be ordered.
 */
export async function confirmFree(ctx: Ctx, id: Id): Promise<void> {
  await ctx.lock(SaleOrder, [id]);
  const order = await readOrder(ctx, id);
  if (order.state !== 'draft' && order.state !== 'sent') throw notPayable();
  if (order.amount_total !== 0) throw new Conflict('This order has to be paid first.', { code: 'sale.to_pay' });
  if (!order.invoice_name) throw new InvalidInput('Give your address first.', { code: 'sale.no_address' });
  refuseProblems(await ctx.model(SaleOrder).problems(id));
  await ctx.model(SaleOrder).confirm([id]);
}

type OrderRow = Awaited<ReturnType<typeof readOrder>>;
function readOrder(ctx: Ctx, id: Id) {
  return ctx.model(SaleOrder).get(id, {
    select: {
      name: true,
      state: true,
      version: true,
      amount_total: true,
      currency_id: true,
      partner_id: true,
      invoice_name: true,
      invoice_email: true,
      lang: true,
    },
  });
}

/** The method and its provider. @throws NotFound unless customers are offered it */
async function offeredMethod(ctx: Ctx, id: Id): Promise<{ acquirer: Id; provider: PaymentProvider }> {
  const acquirer = await ctx
    .model(PaymentAcquirer)
    .first([['id', '=', id], ...offered(ctx)], { select: { provider: true } });
  const provider = acquirer && providerOf(ctx, acquirer.provider);
  if (!acquirer || !provider) throw new NotFound('This payment method is not offered.', { code: 'sale.no_acquirer' });
  return { acquirer: acquirer.id, provider };
}

/** The payment that was begun under the same key. */
async function sameTry(ctx: Ctx, { order, key, acquirer }: PaymentStart): Promise<Id | null> {
  if (!key) return null;
  const tried = await ctx.model(PaymentTransaction).first(
    [
      ['sale_order_id', '=', order],
      ['idempotency_key', '=', key],
    ],
    { select: { acquirer_id: true } },
  );
  if (tried && tried.acquirer_id !== acquirer)
    throw new Conflict('This try was begun with another payment method.', { code: 'sale.key_reused' });
  return tried?.id ?? null;
}

async function refuseSettled(ctx: Ctx, order: OrderRow): Promise<void> {
  const settled = await ctx.model(PaymentTransaction).first(
    [
      ['sale_order_id', '=', order.id],
      ['state', 'in', ['pending', 'done']],
    ],
    { select: { state: true }, order: 'state' },
  );
  if (settled?.state === 'done') throw new Conflict('This order is paid already.', { code: 'sale.paid' });
  if (settled) throw new Conflict('A payment for this order is on its way.', { code: 'sale.payment_pending' });
}

/** The open payment by the same method, if there is one; one by another method ends. */
async function endOtherMethods(ctx: Ctx, { order, acquirer }: PaymentStart): Promise<Id | null> {
  const open = await ctx.model(PaymentTransaction).first(
    [
      ['sale_order_id', '=', order],
      ['is_open', '=', true],
    ],
    { select: { acquirer_id: true } },
  );
  if (!open || open.acquirer_id === acquirer) return open?.id ?? null;
  await advance(ctx, open.id, { state: 'cancel', keepOrder: true });
  return null;
}

async function holdAll(ctx: Ctx, order: Id): Promise<void> {
  const { order_line } = await ctx.model(SaleOrder).get(order, { select: { order_line: true } });
  const needs = await ctx.model(SaleOrderLine).needs(order_line);
  const short = await hold(ctx, order, needs, await paymentUntil(ctx));
  if (short.length > 0)
    throw new Conflict('{reasons}', { code: 'sale.short', params: { reasons: shortText(ctx, short) } });
}

/** The number of the order; `-1`, `-2` for further tries. */
async function freeReference(ctx: Ctx, name: string): Promise<string> {
  const payments = ctx.model(PaymentTransaction);
  for (let number = 0; ; number += 1) {
    const reference = number === 0 ? name : `${name}-${number}`;
    if ((await payments.count([['reference', '=', reference]])) === 0) return reference;
  }
}

async function answer(ctx: Ctx, id: Id, provider: PaymentProvider, start: PaymentStart): Promise<StartedPayment> {
  const row = await ctx.model(PaymentTransaction).get(id, {
    select: {
      reference: true,
      state: true,
      amount: true,
      currency_id: { name: true },
      partner_lang: true,
      acquirer_id: { secret_key: true },
    },
  });
  const form = provider.form(ctx, {
    id,
    reference: row.reference,
    amount: row.amount,
    currency: row.currency_id?.name ?? '',
    token: paymentToken(ctx, row.reference),
    returnUrl: start.returnUrl,
    lang: row.partner_lang,
    acquirer: { id: start.acquirer, secret: row.acquirer_id?.secret_key ?? '' },
  });
  return { id, reference: row.reference, state: row.state, form };
}

function notPayable(): Conflict {
  return new Conflict('This order cannot be paid any more.', { code: 'sale.not_payable' });
}
