import {
  AccountTax,
  Documents,
  moneyTexts,
  orderDocument,
  PaymentRefund,
  PaymentTransaction,
  SaleOrder,
} from '@pergola/sale';
import type { Ctx, Decimal, Id } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { extractText } from 'unpdf';

const ORDERS = 25;

/** The same numbers in each run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

someDatabase('the money of an order on its page, in its document and in the form', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database });
    admin = await app.as('admin');
  });
  afterAll(() => app.close());

  it(`is equal to the cent: ${ORDERS} orders with taxes in and on the price, discounts, currencies, payments and refunds`, async () => {
    const roll = dice(20_261_123);
    const made = await app.write((ctx) => makeOrders(ctx, roll));
    for (const id of made) {
      const form = await formOf(admin, id);
      const texts = await app.read((ctx) => expectedTexts(ctx, id, form));
      const [page, paper] = await Promise.all([pageOf(app, id), paperOf(app, id)]);
      for (const text of [...texts.lines, ...texts.sums])
        expect([id, page]).toEqual([id, expect.stringContaining(text)]);
      for (const text of [...texts.lines, ...texts.sums])
        expect([id, paper]).toEqual([id, expect.stringContaining(text)]);
      const { amount_untaxed: untaxed, amount_tax: tax, amount_total: total } = form.order;
      expect((untaxed + tax).toFixed(2)).toBe(total.toFixed(2));
    }
    const [id] = made;
    const file = await admin.get(`/sale/order/${id}/pdf`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect((await app.visitor().get(`/sale/order/${id}/pdf`)).status).not.toBe(200);
  });
});

async function makeOrders(ctx: Ctx, roll: (below: number) => number): Promise<Id[]> {
  const taxes = ctx.model(AccountTax);
  const some = [
    await taxes.create({ name: 'VAT 20 %', amount: '20', price_include: true }),
    await taxes.create({ name: 'VAT 5.5 %', amount: '5.5', price_include: false }),
    await taxes.create({ name: 'City 1.9 %', amount: '1.9', price_include: false }),
  ];
  const currencies = [await ctx.ref('base.eur'), await ctx.ref('base.usd'), await ctx.ref('base.jpy')];
  const transfer = await ctx.ref('sale.transfer');
  const made: Id[] = [];
  for (let at = 0; at < ORDERS; at += 1) {
    const currency = currencies[at % currencies.length] ?? 0;
    const pricelist = await ctx.modelNamed('product.pricelist').create({ name: `List ${at}`, currency_id: currency });
    const orders = ctx.model(SaleOrder);
    const id = await orders.create({
      invoice_name: 'Ada Lovelace',
      pricelist_id: pricelist,
      order_line: Array.from({ length: 1 + roll(6) }, (_, line) => ({
        create: {
          name: `Thing ${at}-${line}`,
          price_unit: `${roll(900)}.${String(roll(100)).padStart(2, '0')}` as Decimal,
          product_uom_qty: `${1 + roll(12)}` as Decimal,
          discount: `${[0, 0, 5, 12.5][roll(4)]}` as Decimal,
          tax_id: some.filter(() => roll(2) === 0),
        },
      })),
    });
    await orders.confirm([id]);
    const { amount_total: total, currency_id } = await orders.get(id, {
      select: { amount_total: true, currency_id: true },
    });
    if (total && roll(4) > 0) {
      const amount = Math.max(1, Math.floor((total * (1 + roll(12))) / 10));
      const payment = await ctx.model(PaymentTransaction).create({
        reference: `paid-${id}`,
        sale_order_id: id,
        acquirer_id: transfer,
        amount,
        currency_id,
      });
      await ctx.model(PaymentTransaction).advance([payment], { state: 'done' });
      if (roll(2) === 0) {
        const back = Math.max(1, roll(amount));
        const refund = await ctx.model(PaymentRefund).create({ transaction_id: payment, amount: back });
        await ctx.model(PaymentRefund).advance([refund], { state: 'done' });
      }
    }
    made.push(id);
  }
  return made;
}

interface FormValues {
  readonly order: Readonly<Record<`amount_${'untaxed' | 'tax' | 'total' | 'paid' | 'refunded' | 'open'}`, number>>;
  readonly lines: readonly { readonly name: string; readonly shown_amount: number }[];
}

/** What the form in the backend says. */
async function formOf(staff: Client, id: Id): Promise<FormValues> {
  const read = <T>(model: string, ids: readonly Id[], fields: readonly string[]) =>
    staff.rpc<T[]>('/web/dataset/call_kw', { model, method: 'read', args: [ids, fields], kwargs: {} });
  const amounts = ['untaxed', 'tax', 'total', 'paid', 'refunded', 'open'].map((name) => `amount_${name}`);
  const [order] = await read<FormValues['order'] & { order_line: Id[] }>(
    'sale.order',
    [id],
    [...amounts, 'order_line'],
  );
  if (!order) throw new Error('There is no such order.');
  return { order, lines: await read('sale.order.line', order.order_line, ['name', 'shown_amount']) };
}

/** The same as texts, each with what stands before it. */
async function expectedTexts(ctx: Ctx, id: Id, { order, lines }: FormValues) {
  const { currency_id } = await ctx.model(SaleOrder).get(id, { select: { currency_id: { name: true } } });
  const money = await moneyTexts(ctx, currency_id?.id ?? 0);
  const units = currency_id?.name === 'JPY' ? 1 : 100;
  const text = (major: number): string => plain(money.amount(Math.round(major * units)));
  const paid = order.amount_paid
    ? [
        `Paid ${text(order.amount_paid)}`,
        ...(order.amount_refunded ? [`Refunded ${text(-order.amount_refunded)}`] : []),
      ]
    : [];
  const open = order.amount_paid && order.amount_open >= 0 ? [`Amount due ${text(order.amount_open)}`] : [];
  const shares = await ctx.model(SaleOrder).taxShares(id);
  const [first, ...others] = shares;
  const label = first && others.length === 0 ? first.label : 'VAT';
  const note = order.amount_tax ? `, incl. ${text(order.amount_tax)} ${label}` : '';
  const isNamed = others.length > 0 || (first && !order.amount_tax);
  const taxes = isNamed ? shares.map((share) => `of which ${share.label} ${plain(money.amount(share.amount))}`) : [];
  return {
    lines: lines.map(({ shown_amount }) => text(shown_amount)),
    sums: [`Total ${text(order.amount_total)}${note}`, ...taxes, ...paid, ...open],
  };
}

async function pageOf(app: TestApp, id: Id): Promise<string> {
  const token = await app.read(
    async (ctx) => (await ctx.model(SaleOrder).get(id, { select: { access_token: true } })).access_token,
  );
  const { text } = await app.visitor().get(`/shop/order/${id}/${token}`);
  return plain(text.replace(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, '').replace(/<[^>]*>/g, ' '));
}

async function paperOf(app: TestApp, id: Id): Promise<string> {
  const file = await app.read(async (ctx) => ctx.get(Documents).pdf(await orderDocument(ctx, id)));
  const { text } = await extractText(file, { mergePages: true });
  return plain(text);
}

/** Text as it is read: one space between words, of whatever kind it was. */
function plain(text: string): string {
  return text
    .replace(/&nbsp;|&#160;|&#xA0;/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/[\s\u00a0\u202f]+/g, ' ');
}
