import { Message } from '@pergola/mail';
import {
  type ContentFact,
  contentToken,
  contentVersion,
  factOf,
  formatPercent,
  formatQuantity,
  holdsForMoney,
  invoiceAddress,
  invoiceLines,
  type MoneyTexts,
  moneyTexts,
  orderMoney,
  SaleOrderLine,
} from '@pergola/sale';
import { languagePath } from '@pergola/website';
import { type Ctx, decimal, type Id } from 'pergola';
import { isExpired, QuotedOrder } from '../models/sale-order.ts';
import { QuotedLine } from '../models/sale-order-line.ts';
import { quotePath } from '../routes/paths.ts';
import { keptChanges } from '../services/changes.ts';
import { plural, t } from '../texts.ts';
import { type Heading, textOf, withHeadings } from './headings.ts';
import { offeredOption, shownOptions } from './options.ts';

/** Number in the URL of the message shown at the top of the page after an action. */
export type PageMessage = 0 | 1 | 2 | 3 | 4;

const DAY = 86_400_000;

/** Returns all values of a quotation page. `system` comes from `Quotations.find`; texts are in the visitor's language. */
export async function pageValues(system: Ctx, id: Id, token: string, message: PageMessage) {
  const order = await readOrder(system, id);
  const present = await system.model(QuotedOrder).content(id);
  // Shows the signed content unchanged.
  const content = (await system.model(QuotedOrder).agreedContent(id)) ?? present;
  const expired = isExpired(system, order.validity_date);
  const open = (order.state === 'draft' || order.state === 'sent') && !expired;
  // Withdrawn or cancelled items block the acceptance. Changed prices or dates don't: the page shows the current ones.
  const problems =
    order.state === 'sent' && !expired ? (await system.model(QuotedOrder).problems(id)).filter(holdsForMoney) : [];
  const money = await moneyTexts(system, order.currency_id);
  const introduction = withHeadings(pageText(content.facts), 'quote-h');
  const lines = await linesOf(system, order.order_line, {
    money,
    texts: new Map(content.lines.map((line) => [line.id, pageText(line.facts)])),
    open,
    may: order.customer_changes,
  });
  const options = order.options.filter(({ line_id }) => line_id === null);
  const headings = [...introduction.headings, ...lines.flatMap(({ headings: lineHeadings }) => lineHeadings)];
  const total = order.amount_total ?? 0;
  const saved = lines.reduce((sum, line) => sum + line.saved, 0);
  const pricing = {
    lines,
    version: contentToken(present),
    total,
    totalText: money.amount(total),
    sums: present.sums.map(({ key, label, text, note = '' }) => ({ key, label, text, note })),
    saved: saved > 0 ? money.amount(saved) : '',
    discounted: lines.some(({ discount }) => discount !== ''),
  };
  return {
    id,
    token,
    path: quotePath(id, token),
    reference: order.name ?? '',
    title: titleOf(system, order.state, order.name),
    state: order.state,
    // The reasons why it can't be accepted are shown anyway.
    message: problems.length > 0 && message === 4 ? 0 : message,
    changedSince: message === 4 ? keptChanges(system, id, contentVersion(present)) : [],
    writtenIn: writtenIn(system, quotePath(id, token), order.lang),
    open,
    expired: expired && (order.state === 'draft' || order.state === 'sent'),
    problems: [...new Set(problems.map(({ message }) => message))],
    acceptable: order.state === 'sent' && !expired && problems.length === 0,
    accepted: order.state === 'sale' || order.state === 'done',
    cancelled: order.state === 'cancel' && message !== 2,
    // Anyone can write a URL: confirms an action only if it really happened.
    confirmed: message === 3 && (order.state === 'sale' || order.state === 'done'),
    declined: message === 2 && order.state === 'cancel',
    signer: order.signer ?? '',
    signedDate: order.signed_date,
    ...pricing,
    pricing,
    date: order.date_order,
    validity: order.validity_date,
    ...daysLeft(system, order.validity_date, expired),
    customer: order.invoice_company ?? order.invoice_name ?? '',
    address: invoiceLines(order),
    company: order.company_id?.name ?? '',
    companyEmail: order.company_id?.email ?? '',
    companyPhone: order.company_id?.phone ?? '',
    salesperson: order.user_id?.name ?? '',
    description: introduction.html,
    headings,
    changes: open && order.customer_changes,
    options: await shownOptions(system, { ...(await system.model(QuotedOrder).termsOf(id)), money }, options),
    note: factOf(content.facts, 'terms')?.text ?? '',
    money: wasOrdered(order) ? await orderMoney(system, id) : null,
    signature: order.signature ? `${quotePath(id, token)}/signature` : '',
    history: await historyOf(system, id),
  };
}

/** Returns the page text of a quotation or of a line. */
function pageText(facts: readonly ContentFact[]): string {
  return factOf(facts, 'page')?.text ?? '';
}

function readOrder(system: Ctx, id: Id) {
  return system.model(QuotedOrder).get(id, {
    select: {
      name: true,
      state: true,
      date_order: true,
      validity_date: true,
      customer_changes: true,
      lang: true,
      currency_id: true,
      amount_total: true,
      amount_paid: true,
      date_confirm: true,
      signer: true,
      signature: true,
      signed_date: true,
      order_line: true,
      company_id: { name: true, email: true, phone: true },
      user_id: { name: true },
      ...invoiceAddress,
      options: { line_id: true, ...offeredOption },
    },
  });
}

interface LineOptions {
  readonly money: MoneyTexts;
  /** Descriptions by line. */
  readonly texts: ReadonlyMap<Id, string>;
  readonly open: boolean;
  readonly may: boolean;
}

async function linesOf(ctx: Ctx, ids: readonly Id[], { money, texts, open, may }: LineOptions) {
  const rows = await ctx.model(QuotedLine).read(ids, {
    select: {
      name: true,
      product_uom_qty: true,
      product_uom: { name: true },
      discount: true,
      option_line_id: true,
    },
  });
  const prices = await ctx.model(SaleOrderLine).shown(ids);
  return rows.map((row) => {
    const { unit, amount, was: priceBefore } = prices.get(row.id) ?? noPrice;
    const { html, headings } = withHeadings(texts.get(row.id) ?? '', `quote-l${row.id}`);
    const optional = row.option_line_id.length > 0;
    const discount = formatPercent(ctx, row.discount);
    return {
      id: row.id,
      ...textOf(row.name),
      quantity: formatQuantity(ctx, row.product_uom_qty),
      least: decimal(row.product_uom_qty).lte('1'),
      unit: row.product_uom?.name ?? '',
      price: money.price(unit),
      discount,
      subtotal: money.amount(amount),
      was: discount ? money.amount(priceBefore) : '',
      saved: priceBefore - amount,
      description: html,
      headings: headings as readonly Heading[],
      changeable: open && (may || optional),
      removable: open && (may || optional) && rows.length > 1,
    };
  });
}

/** For lines that were just deleted. */
const noPrice = { unit: '0', amount: 0, was: 0 };

/** Returns the messages to and from the customer, without internal notes. */
async function historyOf(system: Ctx, id: Id) {
  const messages = await system.model(Message).find(
    [
      ['model', '=', 'sale.order'],
      ['res_id', '=', id],
      ['internal', '=', false],
      ['website_published', '=', true],
    ],
    { select: { body: true, date: true, type: true, author_id: { name: true } }, limit: 50 },
  );
  return messages.map(({ author_id, body, date, type }) => ({
    author: author_id?.name ?? '',
    body: body ?? '',
    date,
    /** Built-in sentence, in the language of the texts. */
    isNotice: type === 'notification',
  }));
}

function daysLeft(ctx: Ctx, validity: string | null, expired: boolean): { daysLeft: string } {
  if (validity === null || expired) return { daysLeft: '' };
  const days = Math.round((Date.parse(validity) - Date.parse(ctx.today())) / DAY);
  return {
    daysLeft:
      days === 0 ? t(ctx, 'You can accept it until midnight.') : plural(ctx, '{n} day left', '{n} days left', days),
  };
}

/** Returns the language of the texts, and a link to the page in it, if the page is read in another language. */
function writtenIn(ctx: Ctx, path: string, lang: string | null) {
  const site = ctx.attributes.website;
  const language = lang === ctx.lang ? undefined : site?.languages.find(({ code }) => code === lang);
  if (!language) return null;
  const { name, tag, code: to } = language;
  return { name, tag, href: languagePath(site, path, { from: ctx.lang, to }) };
}

/** Whether the quotation became an order, and has progress to show. Declined quotations never did. */
function wasOrdered({
  state,
  date_confirm,
  amount_paid,
}: Pick<Awaited<ReturnType<typeof readOrder>>, 'state' | 'date_confirm' | 'amount_paid'>): boolean {
  if (state === 'cancel') return date_confirm !== null || Boolean(amount_paid);
  return state === 'sale' || state === 'done';
}

function titleOf(ctx: Ctx, state: string, name: string | null): string {
  const reference = name ?? '';
  const isOrder = state === 'sale' || state === 'done';
  return (isOrder ? t(ctx, 'Order {reference}', { reference }) : t(ctx, 'Quotation {reference}', { reference })).trim();
}
