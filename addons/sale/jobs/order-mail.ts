import { type Ctx, type FileRef, type Id, job, z } from '#core';
import {
  blockedMail,
  confirmedMail,
  expiredMail,
  type OrderMailValues,
  quotationMail,
  receivedMail,
  refundedMail,
} from '../mails.ts';
import { SaleOrderLine } from '../models/sale-order-line.ts';
import { orderDocument } from '../services/documents/order-document.ts';
import { Documents } from '../services/documents/pdf.ts';
import { type MoneyTexts, moneyTexts } from '../services/formats.ts';
import { Transfers } from '../services/payment/transfers.ts';
import { Pricing } from '../services/pricing/pricing.ts';

/** The mails an order sends its customer. */
const orderMailKinds = ['quotation', 'received', 'confirmed', 'blocked', 'expired', 'refunded'] as const;
/** One of the mails an order sends its customer. */
export type OrderMailKind = (typeof orderMailKinds)[number];

const definitions = {
  quotation: quotationMail,
  received: receivedMail,
  confirmed: confirmedMail,
  blocked: blockedMail,
  expired: expiredMail,
  refunded: refundedMail,
} as const;

/** Mails without a document. */
const bare: ReadonlySet<OrderMailKind> = new Set(['expired', 'blocked', 'refunded']);

const input = z.object({
  order: z.number().int(),
  kind: z.enum(orderMailKinds),
  /** Set when somebody asks for it once more; else each order sends each mail once. */
  again: z.number().optional(),
  /** The one a mail of that kind is about. */
  refund: z.number().int().optional(),
});
type Asked = z.infer<typeof input>;

/**
 * Makes an order's document and sends it with the mail, in the customer's language and by their clocks; what was sent before is not sent again. Outside the transaction that
 * asked for it, because documents take time. Orders enqueue it, so it names their model.
 */
export const orderMail = job('sale.order_mail', {
  input,
  run: async ({ ctx, input, write }) => {
    const orders = ctx.model('sale.order');
    const [row] = await orders.read([input.order], {
      select: {
        name: true,
        lang: true,
        invoice_name: true,
        invoice_email: true,
        company_id: { name: true, email: true },
      },
    });
    if (!row?.invoice_email) return;
    const timezone = (await orders.zoneOf(input.order)) ?? ctx.timezone;
    const speaking = ctx.as({ lang: row.lang ?? ctx.lang, timezone });
    const file = bare.has(input.kind) ? null : await documentOf(speaking, input);
    const values = await valuesFor(speaking, input);
    const to = { email: row.invoice_email, name: row.invoice_name ?? undefined, lang: speaking.lang };
    await write(async (writing) => {
      await writing.mail.send(definitions[input.kind], {
        to,
        values,
        ...(row.company_id?.email ? { replyTo: { email: row.company_id.email, name: row.company_id.name } } : {}),
        attachments: file ? [file] : [],
        key: ['sale.order', input.order, input.kind, input.again ?? input.refund ?? []].flat().join('/'),
      });
    });
  },
});

async function documentOf(ctx: Ctx, { order, kind }: Asked): Promise<FileRef> {
  const { name } = await ctx.model('sale.order').get(order, { select: { name: true } });
  const document = await orderDocument(ctx, order, {
    withBank: kind === 'received',
    ...(kind === 'received' ? { title: ctx.t('Order {reference}', { reference: '' }).trim() } : {}),
  });
  const content = await ctx.get(Documents).pdf(document);
  return ctx.files.put(content, { name: `${name ?? `order-${order}`}.pdf`, mimetype: 'application/pdf' });
}

async function valuesFor(ctx: Ctx, { order, kind, refund }: Asked): Promise<OrderMailValues> {
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
      amount_paid: true,
      amount_open: true,
      amount_untaxed: true,
      order_line: { name: true, product_uom_qty: true },
    },
  });
  const transfers = ctx.get(Transfers);
  const money = await moneyTexts(ctx, row.currency_id);
  const shown = await ctx.model(SaleOrderLine).shown(row.order_line.map(({ id }) => id));
  // Where lines are without tax, what is between them and the total is said.
  const taxes = (await ctx.get(Pricing).showsTax()) ? [] : await orders.taxShares(order);
  return {
    reference: row.name ?? '',
    company: row.company_id?.name ?? '',
    name: row.invoice_name ?? '',
    untaxed: taxes.length > 0 ? money.amount(row.amount_untaxed) : '',
    taxes: taxes.map(({ label, amount }) => ({ label, amount: money.amount(amount) })),
    total: money.amount(row.amount_total),
    paid: (row.amount_paid ?? 0) > 0 && (row.amount_open ?? 0) <= 0,
    open: money.amount(row.amount_open),
    refund: refund === undefined ? null : await refundText(ctx, refund, money),
    lines: row.order_line.map(({ id, name, product_uom_qty }) => ({
      name: name.split('\n', 1)[0] ?? name,
      quantity: Number(product_uom_qty),
      amount: money.amount(shown.get(id)?.amount ?? 0),
    })),
    bank: await transfers.bankDetails(order),
    waiting: kind === 'received' ? await transfers.waitingTexts(order) : [],
    confirm:
      kind === 'received' && (await transfers.waitsForAddress(order))
        ? transfers.addressPath(order, row.invoice_email ?? '')
        : '',
    path: (await orders.threadPaths([order])).get(order) ?? '',
  };
}

async function refundText(ctx: Ctx, id: Id, money: MoneyTexts): Promise<OrderMailValues['refund']> {
  const { amount, reason, transaction_id } = await ctx
    .model('payment.refund')
    .get(id, { select: { amount: true, reason: true, transaction_id: { acquirer_id: { name: true } } } });
  return { amount: money.amount(amount), reason: reason ?? '', method: transaction_id?.acquirer_id?.name ?? '' };
}
