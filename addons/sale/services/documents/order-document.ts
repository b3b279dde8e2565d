import { app, type Ctx, type Id, type Minor } from 'pergola';
import { t } from '../../texts.ts';
import { moneyTexts } from '../formats.ts';
import { filledLines } from '../orders/addresses.ts';
import { type ContentFact, factOf, type OrderContent } from '../orders/order-content.ts';
import { type MoneyMove, moneyHistory } from '../payment/money-history.ts';
import { type BankDetails, Transfers } from '../payment/transfers.ts';
import { letterhead, onLetterhead } from './letterhead.ts';
import type { PdfContent, PdfDocument } from './pdf.ts';

/** Additions to an order document. */
export interface OrderDocumentOptions {
  /** Appended at the end, below the terms. */
  readonly after?: readonly PdfContent[];
}

/**
 * Builds the document of an order: its content, payments and amount due, and the bank details of an awaited transfer. Signed orders print
 * the signed content in its language; others print their content in the context's language. Times are in the order's zone for every reader.
 * Needs elevated rights, or the right to read the order.
 *
 * ```ts
 * const file = await ctx.get(Documents).pdf(await orderDocument(ctx, id));
 * ```
 */
export async function orderDocument(callerCtx: Ctx, id: Id, options: OrderDocumentOptions = {}): Promise<PdfDocument> {
  const ctx = callerCtx.as({ timezone: await callerCtx.model('sale.order').zoneOf(id) });
  const orders = ctx.model('sale.order');
  const agreed = await orders.agreedContent(id);
  const content = agreed ?? (await orders.content(id));
  const reader = ctx.as({ lang: content.lang });
  const order = await readOrder(reader, id);
  const money = await moneyTexts(reader, order.currency_id);
  const bank = await reader.sudo().get(Transfers).awaited(id);
  // A customer who chose to pay by transfer has placed the order.
  const isOrder = agreed !== null || bank !== null || order.state === 'sale' || order.state === 'done';
  return contentDocument(reader, content, isOrder, {
    paid: paidRows(reader, order, (minor) => money.amount(minor)),
    payments: [
      ...paymentTable(reader, await moneyHistory(reader.sudo(), id)),
      ...(bank ? [bankBlock(reader, bank, money.amount(order.amount_open))] : []),
    ],
    after: [...(await reader.model('sale.order').documentParts(id)), ...(options.after ?? [])],
  });
}

/** Parts of a document other than the content itself. */
interface ContentDocumentParts {
  /** Rows with payments, below the total. */
  readonly paid?: readonly Row[];
  /** Shown between the totals and the terms. */
  readonly payments?: readonly PdfContent[];
  readonly after?: readonly PdfContent[];
}

/**
 * Creates the document of a content, from that content alone, in its own language.
 *
 * @param isOrder whether it was ordered; otherwise its title is "Quotation"
 */
export async function contentDocument(
  callerCtx: Ctx,
  content: OrderContent,
  isOrder: boolean,
  { paid = [], payments = [], after: appendix = [] }: ContentDocumentParts = {},
): Promise<PdfDocument> {
  const ctx = callerCtx.as({ lang: content.lang });
  const reference = content.number ?? '';
  const title = (
    isOrder ? t(ctx, 'Order {reference}', { reference }) : t(ctx, 'Quotation {reference}', { reference })
  ).trim();
  return onLetterhead(ctx, await letterhead(ctx, content.seller), title, [
    addresses(ctx, content),
    { text: title, style: 'title' },
    facts(ctx, content),
    lineTable(ctx, content),
    totals(content, paid),
    ...payments,
    ...small(textOf(content.facts, 'tax_note')),
    ...small(textOf(content.facts, 'terms')),
    ...appendix,
  ]);
}

function small(text: string): PdfContent[] {
  return text ? [{ text, style: 'small', margin: [0, 12, 0, 0] }] : [];
}

/** Amounts don't wrap: other columns wrap first. */
function amountCell(text: string) {
  return { text, alignment: 'right' as const, noWrap: true };
}

/** A quantity only wraps if its unit has a long name. */
function quantityCell(text: string) {
  return { text, alignment: 'right' as const, noWrap: text.length <= 16 };
}

function textOf(list: readonly ContentFact[], key: string): string {
  return factOf(list, key)?.text ?? '';
}

type OrderRow = Awaited<ReturnType<typeof readOrder>>;
function readOrder(ctx: Ctx, id: Id) {
  return ctx.model('sale.order').get(id, {
    select: {
      state: true,
      currency_id: true,
      amount_paid: true,
      amount_refunded: true,
      amount_open: true,
    },
  });
}

function addresses(ctx: Ctx, content: OrderContent): PdfContent {
  const vat = textOf(content.facts, 'vat');
  const billing = filledLines([
    ...textOf(content.facts, 'billing').split('\n'),
    vat ? t(ctx, 'Tax number {number}', { number: vat }) : null,
  ]);
  const shipping = filledLines(textOf(content.facts, 'shipping').split('\n'));
  const shippingColumn = shipping.length > 0 ? [{ text: t(ctx, 'Ship to'), style: 'heading' }, ...shipping] : [];
  return {
    columns: [{ stack: shippingColumn }, { stack: [{ text: t(ctx, 'Bill to'), style: 'heading' }, ...billing] }],
    columnGap: 20,
  };
}

function facts(ctx: Ctx, content: OrderContent): PdfContent {
  const person = content.seller.person;
  const headerFacts = ['date', 'validity', 'reference'].flatMap((key) => factOf(content.facts, key) ?? []);
  const all = [
    ...headerFacts.map(({ label, text }) => [label, text]),
    ...(person ? [[t(ctx, 'Salesperson'), person]] : []),
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

function lineTable(ctx: Ctx, { lines }: OrderContent): PdfContent {
  const discounted = lines.some((line) => textOf(line.facts, 'discount') !== '');
  const head = [
    { text: t(ctx, 'Description'), bold: true },
    { text: t(ctx, 'Quantity'), bold: true, alignment: 'right' as const },
    { text: t(ctx, 'Unit price'), bold: true, alignment: 'right' as const },
    ...(discounted ? [{ text: t(ctx, 'Discount'), bold: true, alignment: 'right' as const }] : []),
    { text: t(ctx, 'Amount'), bold: true, alignment: 'right' as const },
  ];
  const columnKeys = ['quantity', 'price', ...(discounted ? ['discount'] : []), 'amount'];
  const rows = lines.map((line) => [
    { text: line.name },
    ...columnKeys.map((key) => (key === 'quantity' ? quantityCell : amountCell)(textOf(line.facts, key))),
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

/** A row below the lines. */
interface Row {
  readonly label: string;
  readonly text: string;
  readonly note?: string;
  readonly bold?: boolean;
}

function totals({ sums }: OrderContent, paid: readonly Row[]): PdfContent {
  const rows: readonly Row[] = [...sums.map((sum) => ({ ...sum, bold: sum.key === 'total' })), ...paid];
  return {
    columns: [
      { text: '', width: '*' },
      {
        width: 'auto',
        table: {
          widths: [150, 'auto'],
          body: rows.map(({ label, text, note, bold = false }) => [
            { text: label, bold },
            {
              ...amountCell(text),
              ...(note ? { text: [{ text, bold }, { text: `, ${note}` }] } : { bold }),
            },
          ]),
        },
        layout: 'lightHorizontalLines',
      },
    ],
    margin: [0, 12, 0, 0],
    unbreakable: true,
  };
}

/** Rows with the amounts paid and due; empty before the first payment. */
function paidRows(ctx: Ctx, order: OrderRow, amount: (minor: Minor | null) => string): Row[] {
  if (!order.amount_paid) return [];
  return [
    { label: t(ctx, 'Paid'), text: amount(order.amount_paid) },
    ...(order.amount_refunded ? [{ label: t(ctx, 'Refunded'), text: amount(-order.amount_refunded) }] : []),
    { label: t(ctx, 'Amount due'), text: amount(order.amount_open), bold: true },
  ];
}

/** Table of payments and refunds; empty before the first payment. */
function paymentTable(ctx: Ctx, moves: readonly MoneyMove[]): PdfContent[] {
  const completed = moves.filter(({ state }) => state === 'done');
  if (completed.length === 0) return [];
  const { formatDay } = ctx.get(app.formats);
  const rows = completed.map(({ date, what: kind, method, reference, amountText }) => [
    formatDay(date, ctx.timezone, ctx.lang, 'medium'),
    [kind, method].filter(Boolean).join(', '),
    reference,
    amountCell(amountText),
  ]);
  return [
    { text: t(ctx, 'Payments'), style: 'heading' },
    { table: { widths: ['auto', '*', 'auto', 'auto'], body: rows }, layout: 'lightHorizontalLines' },
  ];
}

function bankBlock(ctx: Ctx, bank: BankDetails, amount: string): PdfContent {
  const lines = filledLines([
    t(ctx, 'Amount: {amount}', { amount }),
    t(ctx, 'Account holder: {name}', { name: bank.owner }),
    bank.account ? t(ctx, 'Account: {number}', { number: bank.account }) : null,
    bank.bic ? t(ctx, 'BIC: {code}', { code: bank.bic }) : null,
    bank.bank ? t(ctx, 'Bank: {name}', { name: bank.bank }) : null,
    t(ctx, 'Payment reference: {reference}', { reference: bank.reference }),
  ]);
  return { stack: [{ text: t(ctx, 'Pay by bank transfer'), style: 'heading' }, ...lines], unbreakable: true };
}
