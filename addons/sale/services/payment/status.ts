import { type Ctx, type Id, via } from '#core';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { SaleCompany } from '../../models/res-company.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { transferHours } from '../../settings.ts';
import { zonedTime } from '../zone.ts';
import { waitsForAddress } from './transfer-hold.ts';

/** How paying an order stands, for its customer. */
export interface PaymentStatus {
  readonly state: 'draft' | 'pending' | 'done' | 'error' | 'cancel';
  /** Who confirms it; null where nothing is paid. */
  readonly validation: 'manual' | 'automatic' | null;
  /** A sentence in the context's language; plain text. */
  readonly message: string;
  /** What the method says after paying; HTML, sanitised. */
  readonly postMessage: string | null;
  /** What a transfer needs; null for other methods. */
  readonly bank: BankDetails | null;
  /** Until when the order waits for a transfer, and what the customer does about it: sentences; none for other methods. */
  readonly waiting: readonly string[];
}
export interface BankDetails {
  readonly owner: string;
  readonly account: string | null;
  readonly bank: string | null;
  readonly bic: string | null;
  /** What the customer writes on the transfer. */
  readonly reference: string;
}

/**
 * How the payments of an order stand: by the one that was paid, else the one whose money is on its way, else the newest try. Needs rights lifted: whoever
 * asks was found to be its customer.
 */
export async function paymentStatus(ctx: Ctx, order: Id): Promise<PaymentStatus> {
  const { amount_total, state, blocked_reason } = await ctx
    .model(SaleOrder)
    .get(order, { select: { amount_total: true, state: true, blocked_reason: true } });
  const payments = await ctx.model(PaymentTransaction).find([['sale_order_id', '=', order]], {
    select: { state: true, acquirer_id: { validation: true, provider: true, post_msg: true } },
  });
  const payment =
    payments.find((one) => one.state === 'done') ?? payments.find((one) => one.state === 'pending') ?? payments[0];
  if (!payment) {
    const free = amount_total === 0 && (state === 'sale' || state === 'done');
    return {
      state: free ? 'done' : 'error',
      validation: null,
      message: free
        ? ctx.t('Your order is confirmed.')
        : ctx.t('There was a problem with your request: no payment was begun.'),
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
    message: sentenceFor(ctx, payment.state, validation, blocked_reason !== null),
    postMessage:
      payment.state === 'pending' || payment.state === 'done' ? (payment.acquirer_id?.post_msg ?? null) : null,
    bank: waiting ? await bankDetails(ctx, order) : null,
    waiting: waiting ? await waitingTexts(ctx, order) : [],
  };
}

/** What a customer should know before choosing a transfer, where something of the order is limited; else empty. Needs no rights on the order. */
export async function transferText(ctx: Ctx, order: Id): Promise<string> {
  if (!(await waitsForAddress(ctx.sudo(), order))) return ''; // The order is the caller's own.
  const hours = await ctx.settings.get(transferHours);
  return ctx.plural(
    'We send you a link to confirm your e-mail address; then what you order is kept for you for {n} hour, until your transfer is here.',
    'We send you a link to confirm your e-mail address; then what you order is kept for you for {n} hours, until your transfer is here.',
    hours,
  );
}

/** What the customer of an order that waits for a transfer is told: until when, and that the address is to be confirmed. */
export async function waitingTexts(ctx: Ctx, order: Id): Promise<string[]> {
  const { wait_until, invoice_email } = await ctx
    .model(SaleOrder)
    .get(order, { select: { wait_until: true, invoice_email: true } });
  if (wait_until === null) return [];
  const moment = zonedTime(ctx, wait_until, 'medium');
  if (!(await waitsForAddress(ctx, order)))
    return [ctx.t('Your order waits for your transfer until {moment}. After that it is cancelled.', { moment })];
  const hours = await ctx.settings.get(transferHours);
  return [
    ctx.t('Please confirm your e-mail address: open the link that we have sent to {email}.', {
      email: invoice_email ?? '',
    }),
    ctx.plural(
      'What you ordered is kept for you until {moment}; once your address is confirmed, for {n} hour. After that the order is cancelled.',
      'What you ordered is kept for you until {moment}; once your address is confirmed, for {n} hours. After that the order is cancelled.',
      hours,
      { moment },
    ),
  ];
}

function sentenceFor(
  ctx: Ctx,
  state: PaymentStatus['state'],
  validation: 'manual' | 'automatic',
  blocked: boolean,
): string {
  if (blocked)
    return ctx.t(
      'Your payment has been received. We have to look at your order before we confirm it, and will write to you.',
    );
  switch (state) {
    case 'done':
      return ctx.t('Your payment has been received.');
    case 'pending':
      return validation === 'manual'
        ? ctx.t('Your order has been received, and waits for your payment.')
        : ctx.t('Your payment is being processed.');
    case 'error':
      return ctx.t('There was an error during the payment. Nothing was charged.');
    case 'cancel':
      return ctx.t('The payment has been cancelled.');
    case 'draft':
      return ctx.t('The payment has not been finished yet.');
  }
}

/** Where a transfer for an order goes. */
export async function bankDetails(ctx: Ctx, order: Id): Promise<BankDetails> {
  const { name, company_id } = await ctx.model(SaleOrder).get(order, {
    select: {
      name: true,
      company_id: via(SaleCompany, { name: true, bank_account: true, bank_name: true, bank_bic: true }),
    },
  });
  return {
    owner: company_id?.name ?? '',
    account: company_id?.bank_account ?? null,
    bank: company_id?.bank_name ?? null,
    bic: company_id?.bank_bic ?? null,
    reference: name ?? '',
  };
}
