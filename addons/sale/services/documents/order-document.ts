import { app, type Ctx, decimal, type Id, type Minor } from '#core';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { formatPercent, formatQuantity, type MoneyTexts, moneyTexts } from '../formats.ts';
import { filledLines, invoiceAddress, invoiceLines, shippingAddress, shippingLines } from '../orders/addresses.ts';
import type { ShownLine } from '../orders/line-money.ts';
import { type MoneyMove, moneyHistory } from '../payment/money-history.ts';
import { type BankDetails, Transfers } from '../payment/transfers.ts';
import { letterhead, onLetterhead } from './letterhead.ts';
import type { PdfContent, PdfDocument } from './pdf.ts';

/** What else an order's document shows. */
export interface OrderDocumentOptions {
  /** At the end, under the terms: a signature, say. */
  readonly after?: readonly PdfContent[];
}

const line = {
  name: true,
  product_uom_qty: true,
  product_uom: { name: true },
  discount: true,
} as const;

/**
 * The document of an order: addresses, lines, sums of taxes, total, payments and the amount due, where an awaited transfer goes, note. In the context's
 * language and the order's time zone, whoever asks for it; needs the right to read the order.
 *
 * ```ts
 * const file = await ctx.get(Documents).pdf(await orderDocument(ctx, id));
 * ```
 */
export async function orderDocument(reader: Ctx, id: Id, options: OrderDocumentOptions = {}): Promise<PdfDocument> {
  const ctx = reader.as({ timezone: await reader.model('sale.order').zoneOf(id) });
  const order = await readOrder(ctx, id);
  const paper = await letterhead(ctx, order.company_id);
  const money = await moneyTexts(ctx, order.currency_id);
  const shown = await ctx.model(SaleOrderLine).shown(order.order_line.map((row) => row.id));
  const bank = await ctx.sudo().get(Transfers).awaited(id);
  // Whoever chose to transfer has ordered.
  const isOrder = bank !== null || order.state === 'sale' || order.state === 'done';
  const reference = order.name ?? '';
  const title = (
    isOrder ? ctx.t('Order {reference}', { reference }) : ctx.t('Quotation {reference}', { reference })
  ).trim();
  return onLetterhead(ctx, paper, title, [
    addresses(ctx, order),
    { text: title, style: 'title' },
    facts(ctx, order),
    lineTable(ctx, order.order_line, shown, money),
    totals(ctx, order, await ctx.model('sale.order').taxShares(id), money),
    ...paymentTable(ctx, await moneyHistory(ctx.sudo(), id)),
    ...(bank ? [bankBlock(ctx, bank, money.amount(order.amount_open))] : []),
    ...small(order.fiscal_position?.note),
    ...small(order.note),
    ...(await ctx.model('sale.order').documentParts(id)),
    ...(options.after ?? []),
  ]);
}

function small(text: string | null | undefined): PdfContent[] {
  return text ? [{ text, style: 'small', margin: [0, 12, 0, 0] }] : [];
}

/** Amounts keep their column's width: other columns wrap before an amount does. */
function amountCell(text: string) {
  return { text, alignment: 'right' as const, noWrap: true };
}

/** A quantity wraps only if its unit has a long name. */
function quantityCell(text: string) {
  return { text, alignment: 'right' as const, noWrap: text.length <= 16 };
}

type OrderRow = Awaited<ReturnType<typeof readOrder>>;
function readOrder(ctx: Ctx, id: Id) {
  return ctx.model('sale.order').get(id, {
    select: {
      name: true,
      state: true,
      date_order: true,
      company_id: true,
      currency_id: true,
      client_order_ref: true,
      note: true,
      fiscal_position: { note: true },
      user_id: { name: true },
      amount_untaxed: true,
      amount_tax: true,
      amount_total: true,
      amount_paid: true,
      amount_refunded: true,
      amount_open: true,
      order_line: line,
      invoice_vat: true,
      ...invoiceAddress,
      ...shippingAddress,
    },
  });
}

function addresses(ctx: Ctx, order: OrderRow): PdfContent {
  const billing = filledLines([
    ...invoiceLines(order),
    order.invoice_vat ? ctx.t('Tax number {number}', { number: order.invoice_vat }) : null,
  ]);
  const shipping = shippingLines(order) ?? [];
  const left = shipping.length > 0 ? [{ text: ctx.t('Sent to'), style: 'heading' }, ...shipping] : [];
  return {
    columns: [{ stack: left }, { stack: [{ text: ctx.t('For'), style: 'heading' }, ...billing] }],
    columnGap: 20,
  };
}

function facts(ctx: Ctx, order: OrderRow): PdfContent {
  const day = ctx.get(app.formats).formatDay(order.date_order, ctx.timezone, ctx.lang, 'long');
  const all = [
    [ctx.t('Date'), day],
    ...(order.client_order_ref ? [[ctx.t('Your reference'), order.client_order_ref]] : []),
    ...(order.user_id?.name ? [[ctx.t('Salesperson'), order.user_id.name]] : []),
  ];
  return {
    columns: all.map(([label = '', text = '']) => ({
      stack: [{ text: label, style: 'small' }, { text }],
      width: 'auto' as const,
    })),
    columnGap: 32,
    margin: [0, 0, 0, 12],
  };
}

function lineTable(
  ctx: Ctx,
  lines: OrderRow['order_line'],
  shown: ReadonlyMap<Id, ShownLine>,
  money: MoneyTexts,
): PdfContent {
  const discounted = lines.some(({ discount }) => decimal(discount ?? '0').gt(0));
  const head = [
    { text: ctx.t('Description'), bold: true },
    { text: ctx.t('Quantity'), bold: true, alignment: 'right' as const },
    { text: ctx.t('Unit price'), bold: true, alignment: 'right' as const },
    ...(discounted ? [{ text: ctx.t('Discount'), bold: true, alignment: 'right' as const }] : []),
    { text: ctx.t('Amount'), bold: true, alignment: 'right' as const },
  ];
  const rows = lines.map((row) => [
    { text: row.name },
    quantityCell([formatQuantity(ctx, row.product_uom_qty), row.product_uom?.name].filter(Boolean).join(' ')),
    amountCell(money.price(shown.get(row.id)?.unit ?? '0')),
    ...(discounted ? [amountCell(formatPercent(ctx, row.discount))] : []),
    amountCell(money.amount(shown.get(row.id)?.amount ?? 0)),
  ]);
  return {
    table: {
      headerRows: 1,
      widths: ['*', 'auto', 'auto', ...(discounted ? ['auto'] : []), 'auto'],
      body: [head, ...rows],
    },
    layout: 'lightHorizontalLines',
  };
}

function totals(
  ctx: Ctx,
  order: OrderRow,
  taxes: readonly { readonly label: string; readonly amount: Minor }[],
  money: MoneyTexts,
): PdfContent {
  const row = (label: string, amount: string, bold = false) => [
    { text: label, bold },
    { ...amountCell(amount), bold },
  ];
  return {
    columns: [
      { text: '', width: '*' },
      {
        width: 'auto',
        table: {
          widths: [150, 'auto'],
          body: [
            row(ctx.t('Untaxed amount'), money.amount(order.amount_untaxed)),
            ...taxes.map(({ label, amount }) => row(label, money.amount(amount))),
            row(ctx.t('Total'), money.amount(order.amount_total), true),
            ...(order.amount_paid ? [row(ctx.t('Paid'), money.amount(order.amount_paid))] : []),
            ...(order.amount_refunded ? [row(ctx.t('Refunded'), money.amount(-order.amount_refunded))] : []),
            ...(order.amount_paid ? [row(ctx.t('Amount due'), money.amount(order.amount_open), true)] : []),
          ],
        },
        layout: 'lightHorizontalLines',
      },
    ],
    margin: [0, 12, 0, 0],
    unbreakable: true,
  };
}

/** What was paid and given back; nothing before that. */
function paymentTable(ctx: Ctx, moves: readonly MoneyMove[]): PdfContent[] {
  const done = moves.filter(({ state }) => state === 'done');
  if (done.length === 0) return [];
  const { formatDay } = ctx.get(app.formats);
  const rows = done.map(({ date, what, method, reference, amountText }) => [
    formatDay(date, ctx.timezone, ctx.lang, 'medium'),
    [what, method].filter(Boolean).join(', '),
    reference,
    amountCell(amountText),
  ]);
  return [
    { text: ctx.t('Payments'), style: 'heading' },
    { table: { widths: ['auto', '*', 'auto', 'auto'], body: rows }, layout: 'lightHorizontalLines' },
  ];
}

function bankBlock(ctx: Ctx, bank: BankDetails, amount: string): PdfContent {
  const lines = filledLines([
    ctx.t('Amount: {amount}', { amount }),
    ctx.t('Account holder: {name}', { name: bank.owner }),
    bank.account ? ctx.t('Account: {number}', { number: bank.account }) : null,
    bank.bic ? ctx.t('BIC: {code}', { code: bank.bic }) : null,
    bank.bank ? ctx.t('Bank: {name}', { name: bank.bank }) : null,
    ctx.t('Reference to give: {reference}', { reference: bank.reference }),
  ]);
  return { stack: [{ text: ctx.t('To pay by transfer'), style: 'heading' }, ...lines], unbreakable: true };
}
