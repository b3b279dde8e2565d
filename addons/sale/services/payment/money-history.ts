import { User } from '@pergola/base';
import type { Ctx, Id, Minor } from 'pergola';
import { t } from '../../texts.ts';
import { type MoneyTexts, moneyTexts } from '../formats.ts';

/** A payment, attempt or refund of an order. */
export interface MoneyMove {
  readonly model: 'payment.transaction' | 'payment.refund';
  readonly id: Id;
  readonly date: Date;
  /** Type of the entry, in the context's language. */
  readonly what: string;
  readonly method: string;
  readonly reference: string;
  /** Reference of the provider, the bank statement or the receipt. */
  readonly moneyReference: string;
  /** Negative for refunds. */
  readonly amount: Minor;
  /** Currency of the payment, which may differ from the order's current one. */
  readonly currency: Id;
  /** Amount in its currency, in the context's language. */
  readonly amountText: string;
  readonly state: 'draft' | 'to_transfer' | 'pending' | 'done' | 'error' | 'cancel';
  readonly stateText: string;
  /** Author of the entry; the customer's name if they paid themselves. */
  readonly by: string;
  /** Message from the provider or from the author of the refund. */
  readonly note: string;
}

/** Returns all payments, attempts and refunds of an order in chronological order. Needs elevated rights. */
export async function moneyHistory(ctx: Ctx, order: Id): Promise<MoneyMove[]> {
  const ofOrder = [['sale_order_id', '=', order]] as const;
  const payments = await ctx.model('payment.transaction').find(ofOrder, {
    select: {
      reference: true,
      amount: true,
      state: true,
      state_message: true,
      is_manual: true,
      acquirer_reference: true,
      date_validate: true,
      create_date: true,
      create_uid: true,
      currency_id: true,
      partner_name: true,
      acquirer_id: { name: true },
    },
  });
  const refunds = await ctx.model('payment.refund').find(ofOrder, {
    select: {
      reference: true,
      amount: true,
      state: true,
      state_message: true,
      reason: true,
      acquirer_reference: true,
      date_done: true,
      create_date: true,
      create_uid: true,
      transaction_id: { currency_id: true },
      acquirer_id: { name: true },
    },
  });
  const names = await namesOf(ctx, [...payments, ...refunds]);
  const texts = new Map<Id, MoneyTexts>();
  for (const { currency_id } of payments) texts.set(currency_id, await moneyTexts(ctx, currency_id));
  const moneyOf = (amount: Minor, currency: Id) => ({
    amount,
    currency,
    amountText: texts.get(currency)?.amount(amount) ?? '',
  });
  const paid = payments.map(
    (row): MoneyMove => ({
      model: 'payment.transaction',
      id: row.id,
      date: row.date_validate ?? row.create_date ?? ctx.now(),
      what: t(ctx, 'Payment'),
      method: row.acquirer_id?.name ?? '',
      reference: row.reference,
      moneyReference: row.acquirer_reference ?? '',
      ...moneyOf(row.amount, row.currency_id),
      state: row.state,
      stateText: paymentStates(ctx)[row.state],
      by: (row.is_manual ? names.get(row.create_uid ?? 0) : row.partner_name) ?? '',
      note: row.state_message ?? '',
    }),
  );
  const refundMoves = refunds.map(
    (row): MoneyMove => ({
      model: 'payment.refund',
      id: row.id,
      date: row.date_done ?? row.create_date ?? ctx.now(),
      what: t(ctx, 'Refund'),
      method: row.acquirer_id?.name ?? '',
      reference: row.reference,
      moneyReference: row.acquirer_reference ?? '',
      ...moneyOf(-row.amount, row.transaction_id?.currency_id ?? 0),
      state: row.state,
      stateText: refundStates(ctx)[row.state],
      by: names.get(row.create_uid ?? 0) ?? '',
      note: [row.reason, row.state_message].filter(Boolean).join(' '),
    }),
  );
  return [...paid, ...refundMoves].toSorted((a, b) => a.date.getTime() - b.date.getTime());
}

async function namesOf(ctx: Ctx, rows: readonly { readonly create_uid: Id | null }[]): Promise<Map<Id, string>> {
  const ids = [...new Set(rows.flatMap(({ create_uid }) => create_uid ?? []))];
  const users = await ctx.model(User).read(ids, { select: { name: true } });
  return new Map(users.map(({ id, name }) => [id, name ?? '']));
}

const paymentStates = (ctx: Ctx) => ({
  draft: t(ctx, 'Started'),
  pending: t(ctx, 'Pending'),
  done: t(ctx, 'Paid'),
  error: t(ctx, 'Failed'),
  cancel: t(ctx, 'Cancelled'),
});

const refundStates = (ctx: Ctx) => ({
  draft: t(ctx, 'Requested'),
  to_transfer: t(ctx, 'To transfer'),
  pending: t(ctx, 'In progress'),
  done: t(ctx, 'Refunded'),
  error: t(ctx, 'Failed'),
  cancel: t(ctx, 'Cancelled'),
});
