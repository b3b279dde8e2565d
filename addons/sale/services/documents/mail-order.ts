import type { Ctx, FileRef, Id, JobRun } from '#core';
import type { OrderMailKind } from '../../jobs/order-mail.ts';
import {
  blockedMail,
  confirmedMail,
  expiredMail,
  type OrderMailValues,
  quotationMail,
  receivedMail,
} from '../../mails.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { moneyTexts } from '../formats.ts';
import { shownLines } from '../order/shown-lines.ts';
import { bankDetails, waitingTexts } from '../payment/status.ts';
import { addressPath, waitsForAddress } from '../payment/transfer-hold.ts';
import { showsTax } from '../pricing/shown-prices.ts';
import { orderDocument } from './order-document.ts';
import { Documents } from './pdf.ts';

const definitions = {
  quotation: quotationMail,
  received: receivedMail,
  confirmed: confirmedMail,
  blocked: blockedMail,
  expired: expiredMail,
} as const;

interface Asked {
  readonly order: Id;
  readonly kind: OrderMailKind;
  readonly again?: number | undefined;
}

/** Makes an order's document and sends it with the mail, in the customer's language; what was sent before is not sent again. */
export async function mailOrder({ ctx, input, write }: JobRun<Asked>): Promise<void> {
  const orders = ctx.model(SaleOrder);
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
  const speaking = row.lang ? ctx.as({ lang: row.lang }) : ctx;
  const file = input.kind === 'expired' || input.kind === 'blocked' ? null : await documentOf(speaking, input);
  const values = await valuesFor(speaking, input);
  const to = { email: row.invoice_email, name: row.invoice_name ?? undefined, lang: speaking.lang };
  await write(async (writing) => {
    await writing.mail.send(definitions[input.kind], {
      to,
      values,
      ...(row.company_id?.email ? { replyTo: { email: row.company_id.email, name: row.company_id.name } } : {}),
      attachments: file ? [file] : [],
      key: ['sale.order', input.order, input.kind, ...(input.again === undefined ? [] : [input.again])].join('/'),
    });
  });
}

async function documentOf(ctx: Ctx, { order, kind }: Asked): Promise<FileRef> {
  const { name } = await ctx.model(SaleOrder).get(order, { select: { name: true } });
  const document = await orderDocument(ctx, order, {
    withBank: kind === 'received',
    ...(kind === 'received' ? { title: ctx.t('Order {reference}', { reference: '' }).trim() } : {}),
  });
  const content = await ctx.get(Documents).pdf(document);
  return ctx.files.put(content, { name: `${name ?? `order-${order}`}.pdf`, mimetype: 'application/pdf' });
}

async function valuesFor(ctx: Ctx, { order, kind }: Asked): Promise<OrderMailValues> {
  const orders = ctx.model(SaleOrder);
  const row = await orders.get(order, {
    select: {
      name: true,
      state: true,
      invoice_name: true,
      invoice_email: true,
      amount_total: true,
      currency_id: true,
      company_id: { name: true },
      payment_state: true,
      amount_untaxed: true,
      order_line: { name: true, product_uom_qty: true },
    },
  });
  const money = await moneyTexts(ctx, row.currency_id);
  const shown = await shownLines(
    ctx,
    row.order_line.map(({ id }) => id),
  );
  // Where lines are without tax, what is between them and the total is said.
  const taxes = (await showsTax(ctx)) ? [] : await orders.taxShares(order);
  return {
    reference: row.name ?? '',
    company: row.company_id?.name ?? '',
    name: row.invoice_name ?? '',
    untaxed: taxes.length > 0 ? money.amount(row.amount_untaxed) : '',
    taxes: taxes.map(({ label, amount }) => ({ label, amount: money.amount(amount) })),
    total: money.amount(row.amount_total),
    paid: row.payment_state === 'paid',
    lines: row.order_line.map(({ id, name, product_uom_qty }) => ({
      name: name.split('\n', 1)[0] ?? name,
      quantity: Number(product_uom_qty),
      amount: money.amount(shown.get(id)?.amount ?? 0),
    })),
    bank: await bankDetails(ctx, order),
    waiting: kind === 'received' ? await waitingTexts(ctx, order) : [],
    confirm:
      kind === 'received' && (await waitsForAddress(ctx, order))
        ? addressPath(ctx, order, row.invoice_email ?? '')
        : '',
    path: (await orders.threadPaths([order])).get(order) ?? '',
  };
}
