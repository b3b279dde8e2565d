import { AccountTax, orderDocument, ProductProduct, ProductTemplate, pricesShown, SaleCompany } from '@pergola/sale';
import { type Ctx, type Decimal, decimal, type Id } from 'pergola';
import { type Client, createTestApp, type Mailbox, openMailbox, type TestApp } from 'pergola/testing';
import { QuoteTemplate } from '../models/quote-template.ts';
import { QuotedOrder } from '../models/sale-order.ts';

/** What a place shows of one line: texts of a unit price and of an amount, as numbers. */
interface Shown {
  readonly unit: string;
  readonly amount: string;
}

interface Case {
  readonly name: string;
  readonly price: string;
  /** Whether the tax of 20 % is in the price. */
  readonly included: boolean;
  readonly quantity: string;
  readonly discount?: string;
  readonly withTax: Shown;
  readonly without: Shown;
}

/** Prices with tax and without, sums that round, discounts. In the shop there are whole pieces and no discounts. */
const quoted: readonly Case[] = [
  {
    name: 'Training by the hour',
    price: '72',
    included: true,
    quantity: '3.5',
    withTax: { unit: '72.00', amount: '252.00' },
    without: { unit: '60.00', amount: '210.00' },
  },
  {
    name: 'Stand',
    price: '9.99',
    included: false,
    quantity: '3',
    discount: '10',
    // 26.97 and 5.39 of tax, each rounded by itself.
    withTax: { unit: '11.985', amount: '32.36' },
    without: { unit: '9.99', amount: '26.97' },
  },
  {
    name: 'Leaflets',
    price: '12.34',
    included: true,
    quantity: '100',
    withTax: { unit: '12.34', amount: '1234.00' },
    without: { unit: '10.2833', amount: '1028.33' },
  },
  {
    name: 'Screws',
    price: '0.0125',
    included: false,
    quantity: '1000',
    withTax: { unit: '0.015', amount: '15.00' },
    without: { unit: '0.0125', amount: '12.50' },
  },
  {
    name: 'A gift',
    price: '30',
    included: false,
    quantity: '2',
    discount: '100',
    withTax: { unit: '36.00', amount: '0.00' },
    without: { unit: '30.00', amount: '0.00' },
  },
];
const sold = quoted.filter(({ discount }) => discount === undefined).filter(({ name }) => !name.includes('hour'));

describe.each(['included', 'excluded'] as const)(
  'unit price and amount of a line, prices shown with tax %s',
  (shown) => {
    let app: TestApp;
    let mailbox: Mailbox;
    let products: ReadonlyMap<string, Id>;
    const expected = (lines: readonly Case[]) =>
      Object.fromEntries(lines.map((line) => [line.name, shown === 'included' ? line.withTax : line.without]));

    beforeAll(async () => {
      mailbox = await openMailbox();
      app = await createTestApp({ addons: ['quote', 'website_sale'], env: { SMTP_URL: mailbox.url } });
      products = await app.write(makeProducts);
      await app.write((ctx) => ctx.settings.set(pricesShown, shown));
    });
    afterAll(async () => {
      await app.close();
      await mailbox.close();
    });

    it('the table itself is right: unit × quantity less discount is the amount', () => {
      for (const line of quoted)
        for (const { unit, amount } of [line.withTax, line.without])
          expect([line.name, comesTo(unit, line)]).toEqual([line.name, amount]);
    });

    it('a quotation says the same on its page, in its document, in its mail and in the backend', async () => {
      const { id, path } = await app.write((ctx) => makeQuotation(ctx, products));
      const page = (await app.visitor().get(path)).text;
      expect(cells(page, 'quote-price', 'quote-amount')).toEqual(expected(quoted));
      expect(await printed(app, id)).toEqual(expected(quoted));
      expect(await backendLines(await app.as('admin'), id)).toEqual(expected(quoted));
      await app.runJobs();
      const mail = mailbox.received().find(({ html }) => html?.includes(path))?.html ?? '';
      for (const [name, { amount }] of Object.entries(expected(quoted)))
        expect(numbers(rowOf(mail, name)).at(-1)).toBe(amount);
      expect(mail.includes('Subtotal (excl. tax)')).toBe(shown === 'excluded');
      expect(/incl\. .* VAT/.test(mail)).toBe(shown !== 'excluded');
    });

    it('an option says what its line is going to say, and a template what its quotations are', async () => {
      const { id, path } = await app.write((ctx) => makeQuotation(ctx, products, { options: true }));
      const { options } = await app.read((ctx) => ctx.model(QuotedOrder).get(id, { select: { options: true } }));
      const before = (await app.visitor().get(path)).text;
      const offered = Object.fromEntries(
        quoted.map(({ name }) => [name, numbers(optionOf(before, name).replace(/\([^)]*\)/, '')).slice(1)]),
      );
      const visitor = app.visitor();
      for (const option of options) await visitor.form(`/quote/add_line/${option}/${path.replace('/quote/', '')}`, {});
      const after = cells((await app.visitor().get(path)).text, 'quote-price', 'quote-amount');
      expect(after).toMatchObject(expected(quoted));
      for (const { name } of quoted) {
        // Of one piece rounding may leave other digits than of a hundred.
        const [first = ''] = offered[name] ?? [];
        expect([name, Math.abs(Number(first) - Number(after[name]?.unit)) < 0.005]).toEqual([name, true]);
      }
      const template = await app.write((ctx) => makeTemplate(ctx, products));
      const admin = await app.as('admin');
      const { location } = await admin.get(`/quote/template/${template}`);
      const preview = (await admin.get(location ?? '')).text;
      expect(cells(preview, 'quote-price', 'quote-amount')).toEqual(expected(quoted));
    });

    it('a cart says the same, line by line, until it is an order with a document and a mail', async () => {
      const visitor = app.visitor();
      for (const { name, quantity } of sold)
        await visitor.form('/shop/cart/update', { product_id: products.get(name) ?? 0, add_qty: quantity });
      const cart = (await visitor.get('/shop/cart')).text;
      expect(cells(cart, 'shop-line-price', 'shop-line-total')).toEqual(expected(sold));
      expect(await told(visitor, cart)).toEqual(expected(sold));
      for (const path of ['/shop/checkout', '/shop/payment']) {
        if (path === '/shop/payment') await give(app, visitor);
        const { text } = await visitor.get(path);
        for (const [name, { amount }] of Object.entries(expected(sold)))
          expect([path, name, numbers(summaryOf(text, name)).at(-1)]).toEqual([path, name, amount]);
      }
      const transfer = await app.write(async (ctx) => {
        await ctx
          .model(SaleCompany)
          .write(await ctx.ref('base.main_company'), { bank_account: 'FR76 3000 6000 0112 3456 7890 189' });
        return ctx.ref('sale.transfer');
      });
      const form = await visitor.rpc<string>(`/shop/payment/transaction/${transfer}`, {});
      await visitor.form(
        /action="([^"]+)"/.exec(form)?.[1] ?? '',
        Object.fromEntries(
          [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
        ),
      );
      const done = (await visitor.get('/shop/confirmation')).text;
      expect(rows(done)).toEqual(expected(sold));
      const path = /href="(\/shop\/order\/[^"]+)"/.exec(done)?.[1] ?? '';
      expect(rows((await visitor.get(path)).text)).toEqual(expected(sold));
      const order = Number(path.split('/')[3]);
      expect(await printed(app, order)).toEqual(expected(sold));
      const tracked = await visitor.rpc<{ lines: { name: string; price: number }[] }>('/shop/tracking_last_order', {});
      for (const { name, price } of tracked.lines)
        expect([name, price]).toEqual([name, Number(expected(sold)[name]?.unit)]);
    });
  },
);

/** What so many at this price come to. */
function comesTo(unit: string, { quantity, discount = '0' }: Case): string {
  const kept = decimal('100').minus(discount).div(100);
  return decimal(unit as Decimal)
    .times(quantity)
    .times(kept)
    .round(2)
    .toString(2);
}

async function makeProducts(ctx: Ctx): Promise<Map<string, Id>> {
  const taxes = {
    in: await ctx.model(AccountTax).create({ name: '20 % in it', amount: '20', price_include: true }),
    on: await ctx.model(AccountTax).create({ name: '20 % on it', amount: '20', price_include: false }),
  };
  const made = new Map<string, Id>();
  for (const { name, price, included } of quoted) {
    const values = { name, list_price: price, taxes_id: [included ? taxes.in : taxes.on], website_published: true };
    const template = await ctx.model(ProductTemplate).create(values);
    const [variant = 0] = await ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]]);
    made.set(name, variant);
  }
  return made;
}

async function makeQuotation(ctx: Ctx, products: ReadonlyMap<string, Id>, { options = false } = {}) {
  const orders = ctx.model(QuotedOrder);
  const wanted = quoted.map(({ name, quantity, discount = '0' }) => ({
    product_id: products.get(name) ?? 0,
    discount,
    quantity,
  }));
  const id = await orders.create({
    invoice_name: 'Ada Lovelace',
    invoice_email: 'ada@example.com',
    lang: 'en_US',
    order_line: options
      ? [{ create: { name: 'Nothing yet', product_uom_qty: '1', price_unit: '1' } }]
      : wanted.map(({ quantity, ...line }) => ({ create: { ...line, product_uom_qty: quantity } })),
    ...(options
      ? {
          options: wanted.map((line, place) => ({
            create: { ...line, name: quoted[place]?.name ?? '', price_unit: quoted[place]?.price ?? '0' },
          })),
        }
      : {}),
  });
  await orders.send([id]);
  const { access_token } = await orders.get(id, { select: { access_token: true } });
  return { id, path: `/quote/${id}/${access_token}` };
}

function makeTemplate(ctx: Ctx, products: ReadonlyMap<string, Id>): Promise<Id> {
  return ctx.model(QuoteTemplate).create({
    name: 'All of it',
    quote_line: quoted.map(({ name, price, quantity, discount = '0' }) => ({
      create: {
        product_id: products.get(name) ?? 0,
        name,
        product_uom_qty: quantity,
        price_unit: price,
        discount,
      },
    })),
  });
}

async function give(app: TestApp, visitor: Client): Promise<void> {
  const country_id = await app.read((ctx) => ctx.ref('base.be'));
  await visitor.form('/shop/confirm_order', {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    phone: '+32 2 555 12 12',
    street2: '12 Garden Lane',
    city: 'Brussels',
    zip: '1000',
    shipping_id: '0',
    country_id,
  });
}

/** What calls of the cart answer for each line when its quantity is set to what it is. */
async function told(visitor: Client, cart: string): Promise<Record<string, Shown>> {
  const inputs = [...cart.matchAll(/data-line-id="(\d+)" data-product-id="(\d+)"[^>]* value="(\d+)"/g)];
  const found: [string, Shown][] = [];
  for (const [, line = '', product = '', set_qty = ''] of inputs) {
    const about = { line_id: Number(line), product_id: Number(product) };
    const answer = await visitor.rpc<{ readonly lines: Record<string, number> }>('/shop/cart/update_json', {
      ...about,
      set_qty,
    });
    const prices = await visitor.rpc<Record<string, number>>('/shop/get_unit_price', {
      product_ids: [Number(product)],
      line_id: Number(line),
      add_qty: set_qty,
    });
    const name = sold.find(
      (one) => cart.includes(`${one.name}" data-line-id="${line}"`) || lineName(cart, line) === one.name,
    );
    const unit = decimal(prices[product] ?? 0);
    found.push([
      name?.name ?? '',
      { unit: unit.toString(Math.max(2, unit.places())), amount: (answer.lines[line] ?? 0).toFixed(2) },
    ]);
  }
  return Object.fromEntries(found);
}

const lineName = (html: string, line: string): string =>
  /<strong>([^<]*)</.exec(html.split(`<tr data-slot="cart-line" data-line-id="${line}">`)[1] ?? '')?.[1] ?? '';

/** The numbers of a piece of a page, in their order, without thousands separators. */
function numbers(html: string): string[] {
  const text = html.replace(/<[^>]*>/g, ' ').replace(/&[^;]*;/g, ' ');
  return [...text.matchAll(/\d[\d,]*(\.\d+)?/g)].map(([number]) => number.replaceAll(',', ''));
}

/** The lines of a table whose cells have these classes. */
function cells(html: string, price: string, amount: string): Record<string, Shown> {
  const found = html.split('<tr').flatMap((row): [string, Shown][] => {
    const [cell, total] = [price, amount].map((kind) =>
      new RegExp(`<td class="${kind}[^>]*>(.*?)</td>`, 's').exec(row),
    );
    const name = /<strong>([^<]*)</.exec(row)?.[1];
    if (!cell || !total || name === undefined || !quoted.some((one) => one.name === name)) return [];
    return [[name, { unit: numbers(cell[1] ?? '').at(-1) ?? '', amount: numbers(total[1] ?? '').at(-1) ?? '' }]];
  });
  return Object.fromEntries(found);
}

interface FormInfo {
  readonly tabs: readonly {
    readonly sections: readonly {
      readonly items: readonly { readonly field: string; readonly columns?: readonly string[] }[];
    }[];
  }[];
}

/** What the form of an order in the backend says of its lines: the last two columns, after those one writes into. */
async function backendLines(staff: Client, order: Id): Promise<Record<string, Shown>> {
  const call = <T>(model: string, method: string, ...args: unknown[]) =>
    staff.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
  const [row] = await call<{ order_line: Id[] }[]>('sale.order', 'read', [order], ['order_line']);
  const { form } = await staff.rpc<{ form: FormInfo }>('/web/backend/model', { model: 'sale.order' });
  const items = form.tabs.flatMap(({ sections }) => sections.flatMap((section) => section.items));
  const columns = (items.find(({ field }) => field === 'order_line')?.columns ?? []).slice(-2);
  const lines = await call<Record<string, number>[]>('sale.order.line', 'read', row?.order_line ?? [], [
    'name',
    ...columns,
  ]);
  return Object.fromEntries(
    lines.map((line) => {
      const [unit, amount] = columns.map((column) => decimal(line[column] ?? 0));
      return [
        String(line.name),
        { unit: unit?.toString(Math.max(2, unit.places())) ?? '', amount: amount?.toString(2) ?? '' },
      ];
    }),
  );
}

/** The lines of an order that is placed. */
function rows(html: string): Record<string, Shown> {
  const table = html.split('data-slot="order-lines"')[1] ?? '';
  return Object.fromEntries(
    sold.map(({ name }) => {
      const [, unit = '', amount = ''] = numbers(rowOf(table, name).split('</td>').slice(1).join(' '));
      return [name, { unit, amount }];
    }),
  );
}

const rowOf = (html: string, name: string): string => html.split('<tr').find((row) => row.includes(name)) ?? '';
const optionOf = (html: string, name: string): string =>
  html.split('list-group-item').find((item) => item.includes(`<strong>${name}`)) ?? '';
const summaryOf = (html: string, name: string): string =>
  (html.split('shop-summary-lines')[1] ?? '').split('</li>').find((item) => item.includes(name)) ?? '';

/** What the document of an order says of its lines. */
async function printed(app: TestApp, id: Id): Promise<Record<string, Shown>> {
  const document = await app.read((ctx) => orderDocument(ctx, id));
  const texts = JSON.parse(JSON.stringify(document), (_key, value: unknown) => value) as unknown;
  const found: [string, Shown][] = tableRows(texts).flatMap((row) => {
    const [name = '', ...rest] = row;
    if (!quoted.some((one) => one.name === name)) return [];
    const [unit = '', amount = ''] = [rest[1], rest.at(-1)].map((text) => numbers(text ?? '')[0] ?? '');
    return [[name, { unit, amount }]];
  });
  return Object.fromEntries(found);
}

/** All rows of all tables of a document, as texts. */
function tableRows(part: unknown): string[][] {
  if (typeof part !== 'object' || part === null) return [];
  const own =
    'body' in part && Array.isArray(part.body)
      ? part.body.map((row: unknown) => (Array.isArray(row) ? row.map(textIn) : []))
      : [];
  return [...own, ...Object.values(part).flatMap(tableRows)];
}

function textIn(cell: unknown): string {
  return typeof cell === 'object' && cell !== null && 'text' in cell ? String(cell.text) : String(cell);
}
