import type { Ctx, Id, Ids, Minor } from 'pergola';
import { t } from '../../texts.ts';
import { formatAmount } from '../formats.ts';

/** Posts the status of payments to the discussions of their orders; skips payments that were only started. */
export async function logPayments(ctx: Ctx, ids: Ids): Promise<void> {
  const rows = await ctx
    .sudo() // Users who settle a payment may post to its order.
    .model('payment.transaction')
    .read(ids, { select: { ...columns, currency_id: true, sale_order_id: true, acquirer_id: { name: true } } });
  for (const { sale_order_id: order, currency_id, acquirer_id, ...row } of rows)
    await log(ctx, order, paymentText, { ...row, currency: currency_id, method: acquirer_id?.name });
}

/** Posts the status of refunds to the discussions of their orders. */
export async function logRefunds(ctx: Ctx, ids: Ids): Promise<void> {
  const rows = await ctx
    .sudo() // Users who refund may post to the order.
    .model('payment.refund')
    .read(ids, {
      select: { ...columns, sale_order_id: true, transaction_id: { currency_id: true, acquirer_id: { name: true } } },
    });
  for (const { sale_order_id: order, transaction_id: payment, ...row } of rows)
    await log(ctx, order, refundText, {
      ...row,
      currency: payment?.currency_id ?? 0,
      method: payment?.acquirer_id?.name,
    });
}

const columns = { amount: true, state: true, state_message: true } as const;

interface About {
  readonly amount: string;
  readonly method: string;
}

async function log(
  ctx: Ctx,
  order: Id | null,
  textOf: (ctx: Ctx, state: string, details: About) => string,
  row: {
    readonly amount: Minor;
    readonly currency: Id;
    readonly method: string | undefined;
    readonly state: string;
    readonly state_message: string | null;
  },
): Promise<void> {
  if (order === null) return;
  const amount = await formatAmount(ctx, row.amount, row.currency);
  const text = textOf(ctx, row.state, { amount, method: row.method ?? '' });
  if (text !== '') await ctx.model('sale.order').messageLog(order, [text, row.state_message].filter(Boolean).join(' '));
}

function paymentText(ctx: Ctx, state: string, { amount, method }: About): string {
  switch (state) {
    case 'pending':
      return t(ctx, 'Payment of {amount} by {method} is pending.', { amount, method });
    case 'done':
      return t(ctx, 'Payment of {amount} by {method} received.', { amount, method });
    case 'error':
      return t(ctx, 'Payment of {amount} by {method} failed.', { amount, method });
    case 'cancel':
      return t(ctx, 'Payment of {amount} by {method} was cancelled.', { amount, method });
    default:
      return '';
  }
}

function refundText(ctx: Ctx, state: string, { amount, method }: About): string {
  switch (state) {
    case 'to_transfer':
      return t(ctx, 'Refund of {amount}: to be transferred.', { amount });
    case 'done':
      return t(ctx, 'Refunded {amount} by {method}.', { amount, method });
    case 'error':
      return t(ctx, 'Refund of {amount} by {method} failed.', { amount, method });
    case 'cancel':
      return t(ctx, 'Refund of {amount} by {method} was cancelled.', { amount, method });
    default:
      return t(ctx, 'Refund of {amount} by {method} requested.', { amount, method });
  }
}
