import type { Ctx, Id } from 'pergola';
import type { OrderMailValues } from '../../mails.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { formatAmount, moneyTexts } from '../formats.ts';
import { Transfers } from '../payment/transfers.ts';
import { Pricing } from '../pricing/pricing.ts';
import { totalRows } from './total-rows.ts';

/** Kinds of emails an order sends to its customer. */
export const orderMailKinds = [
  'quotation',
  'received',
  'confirmed',
  'blocked',
  'problem',
  'expired',
  'refunded',
] as const;
/** Kind of an email to an order's customer. */
export type OrderMailKind = (typeof orderMailKinds)[number];

/** An email about an order, and about a refund if it is a refund email. */
export interface OrderMailAbout {
  readonly order: Id;
  readonly kind: OrderMailKind;
  readonly refund?: Id | undefined;
}

/** Values of an email about an order, in the context's language and time zone. */
export async function orderMailValues(ctx: Ctx, { order, kind, refund }: OrderMailAbout): Promise<OrderMailValues> {
  const orders = ctx.model('sale.order');
  const row = await orders.get(order, {
    select: {
      name: true,
      state: true,
      invoice_name: true,
      invoice_email: true,
      amount_total: true,
      currency_id: true,
      company_id: { name: true },
      partner_id: { name: true, is_company: true },
      amount_paid: true,
      amount_open: true,
      amount_untaxed: true,
      order_line: { name: true, product_uom_qty: true },
    },
  });
  const transfers = ctx.get(Transfers);
  const money = await moneyTexts(ctx, row.currency_id);
  const prices = await ctx.model(SaleOrderLine).shown(row.order_line.map(({ id }) => id));
  const { amount_untaxed: untaxed, amount_total: total } = row;
  const sums = { untaxed: untaxed ?? 0, total: total ?? 0, taxes: await orders.taxShares(order) };
  return {
    reference: row.name ?? '',
    company: row.company_id?.name ?? '',
    name: row.invoice_name ?? '',
    isCompany: row.partner_id?.is_company === true && row.partner_id.name === row.invoice_name,
    sums: totalRows(ctx, sums, money, await ctx.get(Pricing).showsTax()),
    total: money.amount(total),
    paid: (row.amount_paid ?? 0) > 0 && (row.amount_open ?? 0) <= 0,
    open: money.amount(row.amount_open),
    received: money.amount(row.amount_paid),
    reasons: kind === 'blocked' || kind === 'problem' ? await reasonsOf(ctx, order) : [],
    refund: refund === undefined ? null : await refundText(ctx, refund),
    lines: row.order_line.map(({ id, name, product_uom_qty }) => ({
      name: name.split('\n', 1)[0] ?? name,
      quantity: Number(product_uom_qty),
      amount: money.amount(prices.get(id)?.amount ?? 0),
    })),
    bank: await transfers.bankDetails(order),
    waiting: kind === 'received' ? await transfers.waitingTexts(order, 'mail') : [],
    confirm:
      kind === 'received' && (await transfers.waitsForAddress(order))
        ? transfers.addressPath(order, row.invoice_email ?? '')
        : '',
    path: (await orders.threadPaths([order])).get(order) ?? '',
  };
}

/** Returns why an order can't proceed, for its customer. */
async function reasonsOf(ctx: Ctx, order: Id): Promise<string[]> {
  const problems = await ctx.model('sale.order').problems(order);
  return [
    ...new Set(problems.filter(({ reach }) => reach === 'item' || reach === 'final').map(({ message }) => message)),
  ];
}

async function refundText(ctx: Ctx, id: Id): Promise<OrderMailValues['refund']> {
  const {
    amount,
    reason,
    transaction_id: payment,
  } = await ctx.model('payment.refund').get(id, {
    select: { amount: true, reason: true, transaction_id: { currency_id: true, acquirer_id: { name: true } } },
  });
  return {
    amount: await formatAmount(ctx, amount, payment?.currency_id ?? 0),
    reason: reason ?? '',
    method: payment?.acquirer_id?.name ?? '',
  };
}
