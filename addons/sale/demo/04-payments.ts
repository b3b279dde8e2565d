import { type Ctx, data, ref } from 'pergola';
import { PaymentRefund } from '../models/payment-refund.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleOrder } from '../models/sale-order.ts';

const DAY = 24 * 3600_000;

/** Payments of orders: one paid in part by hand, one paid by card and partly refunded, one awaiting its transfer. */
export default [
  data(PaymentTransaction, async (ctx) => ({
    payment_lausanne: {
      ...(await payingOf(ctx, 'order_lausanne')),
      reference: 'DEMO-LAUSANNE',
      acquirer_id: ref('transfer'),
      amount: 50_000,
      acquirer_reference: 'Statement 46, line 3',
      state: 'done' as const,
      is_open: false,
      is_manual: true,
      date_validate: before(ctx, 4),
    },
    payment_delft: {
      ...(await payingOf(ctx, 'order_delft')),
      reference: 'DEMO-DELFT',
      acquirer_id: ref('test_card'),
      state: 'done' as const,
      is_open: false,
      acquirer_reference: 'test-card-4711',
      date_validate: before(ctx, 38),
    },
    payment_waiting: {
      ...(await payingOf(ctx, 'order_waiting')),
      reference: 'DEMO-WAITING',
      acquirer_id: ref('transfer'),
      state: 'pending' as const,
    },
  })),
  data(PaymentRefund, async (ctx) => ({
    refund_delft: {
      transaction_id: ref('payment_delft'),
      amount: 4_000,
      reason: 'One visit fewer because of the storm.',
      state: 'done' as const,
      date_done: before(ctx, 20),
    },
  })),
];

function before(ctx: Ctx, days: number): Date {
  return new Date(ctx.now().getTime() - days * DAY);
}

/** Fields a payment copies from its order. */
async function payingOf(ctx: Ctx, name: string) {
  const order = await ctx.ref(`sale.${name}`);
  const row = await ctx.model(SaleOrder).get(order, {
    select: {
      amount_total: true,
      currency_id: true,
      version: true,
      partner_id: true,
      invoice_name: true,
      invoice_email: true,
      lang: true,
    },
  });
  return {
    sale_order_id: order,
    amount: row.amount_total ?? 0,
    currency_id: row.currency_id,
    order_version: row.version,
    partner_id: row.partner_id,
    partner_name: row.invoice_name,
    partner_email: row.invoice_email,
    partner_lang: row.lang,
  };
}
