import { type Ctx, type Id, InvalidInput, type Minor } from 'pergola';
import { PaymentAcquirer } from '../../models/payment-acquirer.ts';
import { PaymentRefund } from '../../models/payment-refund.ts';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { type Notice, type NotificationRequest, providerOf } from './payment-providers.ts';

/** Verifies and parses a provider's notification. @throws InvalidInput unless it is genuine */
export async function readNotice(ctx: Ctx, acquirerId: Id, request: Omit<NotificationRequest, 'now'>): Promise<Notice> {
  const acquirer = await ctx.model(PaymentAcquirer).first(
    [
      ['id', '=', acquirerId],
      ['active', 'in', [true, false]],
    ],
    { select: { provider: true, secret_key: true, environment: true } },
  );
  const provider = acquirer && providerOf(ctx, acquirer.provider);
  // In production, test methods can't confirm payments.
  const isPlayed = ctx.config.production && (acquirer?.environment === 'test' || provider?.playsOnly === true);
  if (!acquirer || isPlayed) return refuse();
  return provider?.read?.({ id: acquirer.id, secret: acquirer.secret_key }, { ...request, now: ctx.now() }) ?? refuse();
}

/**
 * Finds the payment or refund a notice refers to.
 *
 * @throws InvalidInput unless method, amount and currency match
 */
export async function subjectOf(
  ctx: Ctx,
  acquirer: Id,
  notice: Notice,
): Promise<{ readonly payment: Id; readonly refund: Id | null }> {
  const payment = await ctx.model(PaymentTransaction).first(
    [
      ['reference', '=', notice.reference],
      ['acquirer_id', '=', acquirer],
    ],
    { select: { amount: true, currency_id: { name: true } } },
  );
  if (payment) return isSameMoney(payment, notice) ? { payment: payment.id, refund: null } : refuse();
  const refund = await ctx.model(PaymentRefund).first(
    [
      ['reference', '=', notice.reference],
      ['transaction_id.acquirer_id', '=', acquirer],
    ],
    { select: { amount: true, currency_id: { name: true }, transaction_id: true } },
  );
  return refund && isSameMoney(refund, notice) ? { payment: refund.transaction_id, refund: refund.id } : refuse();
}

function isSameMoney(
  { amount, currency_id }: { readonly amount: Minor; readonly currency_id: { readonly name: string } | null },
  notice: Notice,
): boolean {
  return amount === notice.amount && currency_id?.name === notice.currency;
}

/** One message for all mismatches, so that forgers learn nothing. */
function refuse(): never {
  throw new InvalidInput('This isn’t a payment notification.', { code: 'sale.bad_notification' });
}
