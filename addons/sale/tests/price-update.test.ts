import { Partner, User } from '@pergola/base';
import type { Decimal, Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { FiscalPosition } from '../models/account-fiscal-position.ts';
import { ProductProduct } from '../models/product-product.ts';
import { ProductTemplate } from '../models/product-template.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { SaleOrderLine } from '../models/sale-order-line.ts';
import type { PriceChanges } from '../services/orders/price-changes.ts';
import { makeProduct, makeTax } from './kit.ts';

eachDatabase('Update prices', (database, once) => {
  let app: TestApp;
  let seller: Client;
  let tax: Id;
  let other: Id;
  let chair: Id;
  let table: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    await app.write(async (ctx) => {
      const partner_id = await ctx.model(Partner).create({ name: 'Sam Seller', email: 'sam@example.com' });
      await ctx.model(User).create({ login: 'sam', partner_id, group_ids: [await ctx.ref('sale.group_sale_user')] });
      tax = await makeTax(ctx, '20', { price_include: true });
      other = await makeTax(ctx, '10', { price_include: true });
    });
    seller = await app.as('sam');
  });
  afterAll(() => app.close());
  beforeEach(() =>
    app.write(async (ctx) => {
      chair = await makeProduct(ctx, { name: 'Chair', list_price: '100', taxes_id: [tax] });
      table = await makeProduct(ctx, { name: 'Table', list_price: '200', taxes_id: [tax] });
    }),
  );

  const call = <T>(method: string, args: unknown[], kwargs: object = {}): Promise<T> =>
    seller.rpc('/web/dataset/call_kw', { model: 'sale.order', method, args, kwargs }) as Promise<T>;
  const changes = (order: Id, selected?: readonly Id[]) =>
    call<PriceChanges>('priceChanges', [[order]], selected ? { selected } : {});
  const update = (order: Id, version: string, selected: readonly Id[]) =>
    call<unknown>('updatePrices', [[order]], { version, selected });
  const quote = (lines: readonly object[]) =>
    call<Id>('create', [{ invoice_name: 'Ada', order_line: lines.map((line) => [0, 0, line]) }]);
  const linesOf = (order: Id) =>
    app.read(async (ctx) => {
      const { order_line, amount_total } = await ctx.model(SaleOrder).get(order, {
        select: { amount_total: true, order_line: { name: true, price_unit: true, discount: true, tax_id: true } },
      });
      return { total: amount_total, lines: order_line };
    });
  const reprice = (product: Id, list_price: string) =>
    app.write(async (ctx) => {
      const { product_tmpl_id } = await ctx.model(ProductProduct).get(product, { select: { product_tmpl_id: true } });
      await ctx.model(ProductTemplate).write(product_tmpl_id, { list_price: list_price as Decimal });
    });

  it('selects lines that follow the shop, and leaves prices, discounts and taxes that were set by hand', async () => {
    const order = await quote([
      { product_id: chair },
      { product_id: table, price_unit: 0, name: 'Table, included' },
      { product_id: chair, discount: 10 },
      { product_id: table, tax_id: [[6, 0, [other]]] },
      { name: 'Delivery', price_unit: 5 },
    ]);
    expect(await changes(order)).toMatchObject({ rows: expect.arrayContaining([]), total_before: '395.00' });
    await reprice(chair, '120');
    await reprice(table, '250');
    const before = await linesOf(order);
    const [plain, included, discounted, taxed] = before.lines.map(({ id }) => id);
    const review = await changes(order);
    expect(await linesOf(order)).toEqual(before);
    expect(review.changes.map(({ line, is_by_hand, selected }) => [line, is_by_hand, selected])).toEqual([
      [plain, false, true],
      [included, true, false],
      [discounted, true, false],
      [taxed, true, false],
    ]);
    expect(review.changes[0]).toMatchObject({ price_before: '100', price_after: '120', amount_before: '100.00' });
    expect(review.rows.map(({ notes }) => notes)).toEqual([
      [],
      ['Price set manually'],
      ['Discount of 10% would be removed'],
      ['Taxes set manually', 'Taxes: VAT 10 % → VAT 20 %'],
    ]);
    expect([review.total_before, review.total_after]).toEqual(['395.00', '415.00']);
    await update(order, review.version, [plain ?? 0]);
    const { total, lines } = await linesOf(order);
    expect(total).toBe(41_500);
    expect(lines.slice(1)).toEqual(before.lines.slice(1));
    expect(lines[0]).toMatchObject({ price_unit: '120', tax_id: [tax] });
  });

  once('overwrites what the user selects, and tells the new total first', async () => {
    const order = await quote([
      { product_id: table, price_unit: 0, name: 'Included' },
      { product_id: chair, discount: 10 },
    ]);
    const { rows } = await changes(order);
    const all = rows.map(({ id }) => id);
    const review = await changes(order, all);
    expect([review.total_before, review.total_after]).toEqual(['90.00', '300.00']);
    await update(order, review.version, all);
    expect(await linesOf(order)).toMatchObject({
      total: 30_000,
      lines: [
        { name: 'Included', price_unit: '200', discount: '0' },
        { price_unit: '100', discount: '0' },
      ],
    });
    expect((await changes(order)).rows).toEqual([]);
  });

  it('refuses a review that is outdated: the order or a price of the shop changed', async () => {
    const order = await quote([{ product_id: chair }]);
    await reprice(chair, '120');
    const first = await changes(order);
    const all = first.rows.map(({ id }) => id);
    await call('write', [[order], { order_line: [[1, all[0], { product_uom_qty: 2 }]] }]);
    await expect(update(order, first.version, all)).rejects.toThrow('its prices have changed');
    const second = await changes(order);
    await reprice(chair, '130');
    await expect(update(order, second.version, all)).rejects.toThrow('its prices have changed');
    expect((await linesOf(order)).lines[0]?.price_unit).not.toBe('130');
  });

  once('is refused for orders that are confirmed', async () => {
    const order = await quote([{ product_id: chair }]);
    await reprice(chair, '120');
    const { version, rows } = await changes(order);
    await call('confirm', [[order]]);
    await expect(
      update(
        order,
        version,
        rows.map(({ id }) => id),
      ),
    ).rejects.toThrow('no longer a quotation');
  });

  once.each(['reprice', 'setPricelist', 'setAddress'] as const)(
    'keeps what was set by hand on quotations whatever recalculates them: %s',
    async (method) => {
      const order = await quote([{ product_id: chair }, { product_id: table, price_unit: 0, name: 'Included' }]);
      await reprice(chair, '120');
      await app.write(async (ctx) => {
        const orders = ctx.model(SaleOrder);
        if (method === 'reprice') await orders.reprice([order]);
        else if (method === 'setPricelist') await orders.setPricelist(order, await ctx.ref('sale.public_pricelist'));
        else {
          const country = await ctx.ref('base.be');
          await ctx.model(FiscalPosition).create({ name: 'Belgium', auto_apply: true, country_ids: [country] });
          await orders.setAddress(order, { billing: { name: 'Ada', country_id: country } });
        }
      });
      const { lines } = await linesOf(order);
      expect(lines[1]).toMatchObject({ name: 'Included', price_unit: '0' });
      if (method !== 'setAddress') expect(lines[0]?.price_unit).toBe('120');
    },
  );

  once('gives carts the whole offer', async () => {
    const cart = await app.write(async (ctx) => {
      const id = await ctx.model(SaleOrder).openCart({ lang: 'en_US' });
      await ctx.model(SaleOrder).setLine(id, { product: chair, set: 1 });
      return id;
    });
    await reprice(chair, '120');
    await app.write((ctx) => ctx.model(SaleOrder).reprice([cart]));
    expect((await linesOf(cart)).lines).toMatchObject([{ price_unit: '120' }]);
  });

  once('knows the shop’s price of lines from earlier versions by their list price', async () => {
    const order = await quote([{ product_id: chair }, { product_id: table, price_unit: 150 }]);
    await app.write(async (ctx) => {
      const { order_line } = await ctx.model(SaleOrder).get(order, { select: { order_line: true } });
      await ctx.model(SaleOrderLine).write(order_line, { last_offer: null });
    });
    await reprice(chair, '120');
    expect((await changes(order)).changes.map(({ selected }) => selected)).toEqual([true, false]);
  });
});
