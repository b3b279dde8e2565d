import { setTimeout } from 'node:timers/promises';
import { Partner, User } from '@pergola/base';
import type { Decimal, Id } from 'pergola';
import { type Client, cpuTime, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ProductPricelist } from '../models/product-pricelist.ts';
import { SalePartner } from '../models/res-partner.ts';
import { makeProduct, makeTax } from './kit.ts';

/** Orders made up per database: more where somebody asks for more. */
const ROUNDS = Number(process.env.PREVIEW_ORDERS ?? 50);

type Row = Readonly<Record<string, unknown>>;
interface Answer {
  readonly values: Row & { readonly order_line: readonly Row[] };
  readonly problems: Readonly<Record<string, string>>;
  readonly message: string | false;
}

const orderFields = [
  'partner_id',
  'user_id',
  'pricelist_id',
  'currency_id',
  'fiscal_position',
  'company_id',
  'lang',
  'note',
  'state',
  'payment_state',
  'invoice_name',
  'invoice_city',
  'invoice_country_id',
  'amount_untaxed',
  'amount_tax',
  'amount_total',
  'cart_quantity',
];
const lineFields = [
  'product_id',
  'name',
  'product_uom_qty',
  'product_uom',
  'price_unit',
  'price_list',
  'discount',
  'tax_id',
  'shown_unit',
  'shown_amount',
  'price_subtotal',
  'price_tax',
  'price_total',
];
const asked = { ...Object.fromEntries(orderFields.map((name) => [name, true])), order_line: lineFields };

/** Numbers between 0 and 1 that come again in the same order. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

someDatabase('orders that are not saved yet', (database) => {
  let app: TestApp;
  let seller: Client;
  let products: Id[];
  let customers: Id[];
  let taxes: Id[];
  let lists: Id[];
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database, demo: true });
    await app.write(async (ctx) => {
      const partner = await ctx.model(Partner).create({ name: 'Sam Seller', email: 'sam@example.com' });
      const group = await ctx.ref('sale.group_sale_user');
      await ctx.model(User).create({ login: 'sam', partner_id: partner, group_ids: [group] });
      const included = await ctx.ref('sale.tax_standard');
      taxes = [included, await ctx.ref('sale.tax_reduced'), await makeTax(ctx, '7.7'), await makeTax(ctx, '2.5')];
      const byPieces = await ctx.model(ProductPricelist).create({
        name: 'By the dozen',
        currency_id: await ctx.ref('base.eur'),
        item_ids: [{ create: { name: '12', min_quantity: 12, compute_price: 'percentage', percent_price: '15' } }],
      });
      lists = [byPieces, await ctx.ref('sale.members'), await ctx.ref('sale.dollars')];
      products = [];
      for (const [place, price] of ['9.99', '0.333', '120', '17.5', '1234.56', '0'].entries())
        products.push(
          await makeProduct(ctx, {
            name: `Thing ${place}`,
            list_price: price as Decimal,
            taxes_id: taxes.slice(place % 3, (place % 3) + 1 + (place % 2)),
          }),
        );
      customers = [];
      for (const [place, code] of ['fr', 'de', 'ch', 'us'].entries()) {
        const id = await ctx.model(Partner).create({
          name: `Customer ${code}`,
          city: 'Town',
          street: 'Street 1',
          country_id: await ctx.ref(`base.${code}`),
          vat: place === 1 ? 'DE123456789' : null,
        });
        await ctx.model(SalePartner).write(id, { property_product_pricelist: lists[place] ?? null });
        customers.push(id);
      }
    });
    seller = await app.as('sam');
  });
  afterAll(() => app.close());

  /** Thousands of orders are more than one may ask for in a minute. */
  const ask = async <T>(client: Client, model: string, method: string, args: unknown[]): Promise<T> => {
    for (;;) {
      try {
        return await client.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
      } catch (error) {
        const seconds = /again in (\d+) second/.exec(String(error))?.[1];
        if (seconds === undefined || ROUNDS < 500) throw error;
        await setTimeout(Number(seconds) * 1000);
      }
    }
  };
  const call = <T>(client: Client, method: string, args: unknown[]): Promise<T> =>
    ask<T>(client, 'sale.order', method, args);
  const preview = (id: Id | false, vals: object, fields: object = asked): Promise<Answer> =>
    call<Answer>(seller, 'preview', [id, vals, fields]);
  const saved = async (id: Id): Promise<{ order: Row; lines: readonly Row[] }> => {
    const [order] = await call<Row[]>(seller, 'read', [[id], [...orderFields, 'order_line']]);
    const lines = await ask<Row[]>(seller, 'sale.order.line', 'read', [order?.order_line, lineFields]);
    return { order: order ?? {}, lines };
  };
  const without = (row: Row, ...names: string[]): Row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
  const expectSame = async (shown: Answer, id: Id): Promise<void> => {
    const { order, lines } = await saved(id);
    expect(without(shown.values, 'id', 'order_line')).toEqual(without(order, 'id', 'order_line'));
    expect(shown.values.order_line.map((line) => without(line, 'id', 'place'))).toEqual(
      lines.map((line) => without(line, 'id')),
    );
  };

  it('are shown as they are then saved, whatever is on them', async () => {
    const random = randomFrom(42);
    const upTo = (most: number): number => 1 + Math.floor(random() * most);
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const now = (share: number): boolean => random() < share;
    const line = (): object => ({
      ...(now(0.95) ? { product_id: one(products) } : { name: 'By hand', price_unit: upTo(900) / 100 }),
      ...(now(0.8) ? { product_uom_qty: now(0.3) ? upTo(30_000) / 1000 : upTo(40) } : {}),
      ...(now(0.2) ? { price_unit: upTo(1_000_000) / 1000 } : {}),
      ...(now(0.2) ? { discount: upTo(10_000) / 100 } : {}),
      ...(now(0.15) ? { tax_id: [[6, false, [one(taxes)]]] } : {}),
    });
    for (let round = 0; round < ROUNDS; round++) {
      const order_line = Array.from({ length: upTo(50) }, () => [0, false, line()]);
      const vals = {
        ...(now(0.9) ? { partner_id: one(customers) } : {}),
        ...(now(0.15) ? { pricelist_id: one(lists) } : {}),
        order_line,
      };
      const shown = await preview(false, vals);
      expect([shown.problems, shown.message]).toEqual([{}, false]);
      const id = await call<Id>(seller, 'create', [vals]);
      await expectSame(shown, id);
      // The same again over what is saved: another customer, other quantities.
      const { lines } = await saved(id);
      const changes = {
        partner_id: one(customers),
        order_line: lines
          .filter(() => now(0.3))
          .map((row) => [1, row.id, now(0.5) ? { product_uom_qty: upTo(40) } : { product_id: one(products) }]),
      };
      const changed = await preview(id, changes);
      await call(seller, 'write', [[id], changes]);
      await expectSame(changed, id);
    }
  }, 1_200_000);

  it('leave nothing behind, and take no number', async () => {
    const count = () => call<number>(seller, 'search_count', [[]]);
    const first = await call<Id>(seller, 'create', [{ partner_id: customers[0] }]);
    const before = await count();
    await preview(false, { partner_id: customers[0], order_line: [[0, false, { product_id: products[0] }]] });
    expect(await count()).toBe(before);
    const next = await call<Id>(seller, 'create', [{ partner_id: customers[0] }]);
    const names = await call<{ name: string }[]>(seller, 'read', [[first, next], ['name']]);
    const [one = 0, other = 0] = names.map(({ name }) => Number(name.replace(/\D/g, '')));
    expect(other).toBe(one + 1);
  });

  it('say at which line what does not fit, and show the rest', async () => {
    const { values, problems } = await preview(false, {
      partner_id: customers[0],
      order_line: [
        [0, false, { product_id: products[0] }],
        [0, false, { product_id: products[1], discount: 130 }],
        [0, false, {}],
        [0, false, { product_id: products[2], product_uom_qty: -1 }],
        [0, false, { product_id: 999_999 }],
      ],
    });
    expect(problems).toEqual({
      'order_line.1.discount': 'A discount is between 0 and 100 %.',
      'order_line.3.product_uom_qty': 'A quantity is not negative.',
      'order_line.4.product_id': 'This product is no longer sold.',
    });
    expect(values.order_line.map(({ id, place, name }) => [id, place, name])).toEqual([
      [false, 0, 'Thing 0'],
      [false, 1, 'Thing 1'],
      [false, 2, ''],
      [false, 3, 'Thing 2'],
      [false, 4, ''],
    ]);
  });

  it('are for whoever may make them, and tell nobody more than reading does', async () => {
    const portal = await app.as('portal');
    await expect(call(portal, 'preview', [false, {}, { amount_total: true }])).resolves.toMatchObject({
      values: false,
    });
    const [own] = await call<Id[]>(portal, 'search', [[]]);
    await expect(call(portal, 'preview', [own, { note: 'Mine' }, { note: true }])).resolves.toMatchObject({
      values: false,
    });
    expect(await call(seller, 'preview', [false, {}, { access_token: true }])).toMatchObject({ values: false });
  });

  it('follow their lines and customer once they are saved: but for what was agreed on by hand', async () => {
    const id = await call<Id>(seller, 'create', [
      {
        partner_id: customers[3],
        pricelist_id: lists[0],
        order_line: [
          [0, false, { product_id: products[0], product_uom_qty: 2 }],
          [0, false, { product_id: products[0], product_uom_qty: 2, price_unit: 99 }],
        ],
      },
    ]);
    const [shops, agreed] = (await saved(id)).lines;
    const order_line = [shops, agreed].map((line) => [1, line?.id, { product_uom_qty: 12 }]);
    await call(seller, 'write', [[id], { order_line }]);
    const dozen = await saved(id);
    const dozenth = expect.closeTo(0.85 * Number(shops?.price_unit));
    expect(dozen.lines.map(({ price_unit }) => price_unit)).toEqual([dozenth, 99]);
    await call(seller, 'write', [[id], { partner_id: customers[1] }]);
    const moved = await saved(id);
    expect(moved.order.pricelist_id).toMatchObject([lists[1], expect.anything()]);
    expect(moved.lines.map(({ price_unit }) => price_unit)).toEqual([expect.any(Number), 99]);
    expect(moved.lines[0]?.tax_id).not.toEqual(dozen.lines[0]?.tax_id);
  });

  it('of 50 lines take 150 ms of CPU time', async () => {
    const order_line = Array.from({ length: 50 }, (_, place) => [
      0,
      false,
      { product_id: products[place % products.length], product_uom_qty: place + 1 },
    ]);
    const id = await call<Id>(seller, 'create', [{ partner_id: customers[0], order_line }]);
    /** Milliseconds of the first attempt that is quick enough, or of the quickest: code gets faster the first few times it runs. */
    const best = async (of: () => Promise<unknown>): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < 60 && least >= 150; tries++) least = Math.min(least, await cpuTime(of));
      return least;
    };
    const fresh = await best(() => preview(false, { partner_id: customers[0], order_line }));
    const moved = await best(() => preview(id, { partner_id: customers[2] }));
    if (process.env.PREVIEW_TIMES)
      process.stdout.write(`${database}: new ${fresh.toFixed(0)}, other customer ${moved.toFixed(0)} ms\n`);
    expect(fresh).toBeLessThan(150);
    expect(moved).toBeLessThan(150);
  });
});
