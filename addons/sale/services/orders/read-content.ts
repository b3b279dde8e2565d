import { app, type Ctx, type Id } from 'pergola';
import { FiscalPosition } from '../../models/account-fiscal-position.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { t } from '../../texts.ts';
import { sellerOf } from '../documents/letterhead.ts';
import { formatPercent, formatQuantity, type MoneyTexts, moneyTexts } from '../formats.ts';
import { Pricing } from '../pricing/pricing.ts';
import { taxLabels } from '../tax/tax-rules.ts';
import { filledLines, invoiceAddress, invoiceLines, shippingAddress, shippingLines } from './addresses.ts';
import type { ContentFact, ContentLine, OrderContent } from './order-content.ts';
import { totalRows } from './total-rows.ts';

/** Reads the basic content of an order, in the context's language; extensions of `SaleOrder.content` add to it. Needs elevated rights. */
export async function readContent(ctx: Ctx, id: Id): Promise<OrderContent> {
  const order = await readOrder(ctx, id);
  const currency = order.currency_id ?? { id: 0, name: '' };
  const money = await moneyTexts(ctx, currency.id);
  return {
    lang: ctx.lang,
    number: order.name,
    seller: { ...(await sellerOf(ctx, order.company_id)), person: order.user_id?.name ?? '' },
    facts: orderFacts(ctx, order, currency, await taxNotes(ctx, order)),
    lines: await contentLines(ctx, order, money),
    sums: await contentSums(ctx, id, order, money),
    context: [],
  };
}

type OrderRow = Awaited<ReturnType<typeof readOrder>>;
function readOrder(ctx: Ctx, id: Id) {
  return ctx.model('sale.order').get(id, {
    select: {
      name: true,
      date_order: true,
      company_id: true,
      currency_id: { name: true },
      client_order_ref: true,
      note: true,
      fiscal_position: true,
      user_id: { name: true },
      amount_untaxed: true,
      amount_total: true,
      tax_sums: true,
      order_line: {
        name: true,
        product_id: true,
        product_uom_qty: true,
        product_uom: { name: true },
        price_unit: true,
        discount: true,
        tax_id: true,
        last_offer: true,
        price_subtotal: true,
        price_tax: true,
        price_total: true,
      },
      invoice_email: true,
      invoice_phone: true,
      invoice_vat: true,
      shipping_phone: true,
      ...invoiceAddress,
      ...shippingAddress,
    },
  });
}

function orderFacts(
  ctx: Ctx,
  order: OrderRow,
  currency: { readonly id: Id; readonly name: string },
  taxNote: string,
): ContentFact[] {
  const day = ctx.get(app.formats).formatDay(order.date_order, ctx.timezone, ctx.lang, 'long');
  const shipping = shippingLines(order);
  const facts: ContentFact[] = [
    { key: 'date', label: t(ctx, 'Date'), value: order.date_order.toISOString(), text: day },
    { key: 'currency', label: t(ctx, 'Currency'), value: currency.id, text: currency.name },
    {
      key: 'billing',
      label: t(ctx, 'Billing address'),
      value: [
        order.invoice_name,
        order.invoice_company,
        order.invoice_street,
        order.invoice_street2,
        order.invoice_zip,
        order.invoice_city,
        order.invoice_state_id?.id ?? null,
        order.invoice_country_id?.id ?? null,
      ],
      text: invoiceLines(order).join('\n'),
    },
    textFact('email', t(ctx, 'Email'), order.invoice_email),
    textFact('phone', t(ctx, 'Phone'), order.invoice_phone),
    textFact('vat', t(ctx, 'Tax number'), order.invoice_vat),
    {
      key: 'shipping',
      label: t(ctx, 'Shipping address'),
      value: shipping && [
        order.shipping_name,
        order.shipping_company,
        order.shipping_street,
        order.shipping_street2,
        order.shipping_zip,
        order.shipping_city,
        order.shipping_state_id?.id ?? null,
        order.shipping_country_id?.id ?? null,
        order.shipping_phone,
      ],
      text: filledLines([...(shipping ?? []), shipping && order.shipping_phone]).join('\n'),
    },
    textFact('reference', t(ctx, 'Your reference'), order.client_order_ref),
    textFact('tax_note', t(ctx, 'Tax note'), taxNote),
    textFact('terms', t(ctx, 'Terms'), order.note),
  ];
  return facts.filter(({ value }) => value !== null);
}

/** Returns the distinct notes of the fiscal positions behind the lines' taxes. */
async function taxNotes(ctx: Ctx, { order_line, fiscal_position }: OrderRow): Promise<string> {
  const used = order_line.map(({ last_offer }) =>
    last_offer?.position === undefined ? fiscal_position : last_offer.position,
  );
  const positions = [...new Set(used.length > 0 ? used : [fiscal_position])].filter((id) => id !== null);
  const rows = await ctx.model(FiscalPosition).find(
    [
      ['id', 'in', positions],
      ['active', 'in', [true, false]],
    ],
    { select: { note: true } },
  );
  return [...new Set(rows.flatMap(({ note }) => note || []))].join('\n');
}

/** Creates a fact for a text that is the same in all languages; empty texts are left out. */
export function textFact(key: string, label: string, text: string | null | undefined): ContentFact {
  return { key, label, value: text || null, text: text ?? '' };
}

async function contentLines(ctx: Ctx, { order_line }: OrderRow, money: MoneyTexts): Promise<ContentLine[]> {
  const prices = await ctx.model(SaleOrderLine).shown(order_line.map(({ id }) => id));
  const labels = await taxLabels(ctx, [...new Set(order_line.flatMap(({ tax_id }) => tax_id))]);
  return order_line.map((line) => {
    const { unit = '0', amount = 0 } = prices.get(line.id) ?? {};
    const quantity = formatQuantity(ctx, line.product_uom_qty);
    const facts: ContentFact[] = [
      {
        key: 'quantity',
        label: t(ctx, 'Quantity'),
        value: [line.product_uom_qty, line.product_uom?.id ?? null],
        text: [quantity, line.product_uom?.name].filter(Boolean).join(' '),
      },
      { key: 'price', label: t(ctx, 'Unit price'), value: [line.price_unit, unit], text: money.price(unit) },
      {
        key: 'discount',
        label: t(ctx, 'Discount'),
        value: line.discount ?? '0',
        text: formatPercent(ctx, line.discount),
      },
      {
        key: 'taxes',
        label: t(ctx, 'Taxes'),
        value: line.tax_id.toSorted((a, b) => a - b),
        text: line.tax_id.map((tax) => labels.get(tax) ?? '').join(', '),
      },
      {
        key: 'amount',
        label: t(ctx, 'Amount'),
        value: [line.price_subtotal, line.price_tax, line.price_total],
        text: money.amount(amount),
      },
    ];
    return { id: line.id, product: line.product_id, name: line.name, facts };
  });
}

async function contentSums(ctx: Ctx, id: Id, order: OrderRow, money: MoneyTexts): Promise<ContentFact[]> {
  const untaxed = order.amount_untaxed ?? 0;
  const total = order.amount_total ?? 0;
  const taxes = await ctx.model('sale.order').taxShares(id);
  const rows = totalRows(ctx, { untaxed, total, taxes }, money, await ctx.get(Pricing).showsTax());
  const shares = (order.tax_sums ?? []).flatMap(({ tax, base, amount }) => [tax, base, amount]);
  return rows.map(({ kind, label, value, amount, note }, index) => ({
    key: kind === 'tax' ? `tax:${index}` : kind,
    label,
    value: kind === 'total' ? [value, untaxed, ...shares] : value,
    text: amount,
    ...(note ? { note } : {}),
  }));
}
