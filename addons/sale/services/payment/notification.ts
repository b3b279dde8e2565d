import { Currency } from '#addons/base';
import { type Ctx, type Id, InvalidInput } from '#core';
import { PaymentAcquirer } from '../../models/payment-acquirer.ts';
import { PaymentEvent } from '../../models/payment-event.ts';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { advance, lockPayment } from './advance.ts';
import { type Notice, type NotificationRequest, providerOf } from './provider.ts';

/**
 * Handles what a provider tells: once, however often it comes, and only what fits the payment it names. Needs a context that writes, with rights
 * lifted.
 *
 * ```
 * signature and time ─▶ known payment of this method, same amount and currency ─▶ new event? ─▶ forward step ─▶ the order follows
 * ```
 *
 * @returns whether anything changed
 * @throws InvalidInput for everything that is not a genuine notification of a payment of this method; nothing is written then.
 */
export async function handleNotification(
  ctx: Ctx,
  acquirerId: Id,
  request: Omit<NotificationRequest, 'now'>,
): Promise<boolean> {
  const acquirer = await ctx.model(PaymentAcquirer).first(
    [
      ['id', '=', acquirerId],
      ['active', 'in', [true, false]],
    ],
    { select: { provider: true, secret_key: true, environment: true } },
  );
  // Where it counts, what only plays pays for nothing.
  const isPlayed = acquirer?.environment === 'test' && ctx.config.production;
  const provider = acquirer && !isPlayed ? providerOf(ctx, acquirer.provider) : null;
  const notice = acquirer
    ? (provider?.read?.({ id: acquirer.id, secret: acquirer.secret_key }, { ...request, now: ctx.now() }) ?? null)
    : null;
  if (!notice) throw refused();
  const payment = await paymentOf(ctx, acquirerId, notice);
  await lockPayment(ctx, payment);
  const events = ctx.model(PaymentEvent);
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
    received: ctx.now(),
  });
  return advance(ctx, payment, {
    state: notice.state,
    message: notice.message,
    acquirerReference: notice.acquirerReference,
  });
}

/** The payment a notice is about. @throws InvalidInput unless method, amount and currency are those of the payment */
async function paymentOf(ctx: Ctx, acquirer: Id, notice: Notice): Promise<Id> {
  const payment = await ctx.model(PaymentTransaction).first(
    [
      ['reference', '=', notice.reference],
      ['acquirer_id', '=', acquirer],
    ],
    { select: { amount: true, currency_id: true } },
  );
  if (!payment) throw refused();
  const { name } = await ctx.model(Currency).get(payment.currency_id, { select: { name: true } });
  if (payment.amount !== notice.amount || name !== notice.currency) throw refused();
  return payment.id;
}

/** One text for whatever does not fit: who forges learns nothing. */
function refused(): InvalidInput {
  return new InvalidInput('This is no notification of a payment.', { code: 'sale.bad_notification' });
}
