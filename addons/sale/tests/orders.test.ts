import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { sweepCarts } from '../jobs/sweep-carts.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { makeCart, makeProduct, makeTax, refusal, totalsOf } from './kit.ts';

someDatabase('orders', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
  });
  afterAll(() => app.close());

  it('is deleted as a cart untouched for a year, and kept as an order', async () => {
    const [cart, order, fresh] = await app.write(async (ctx) => {
      const product = await makeProduct(ctx);
      const [cart, order, fresh] = [
        await makeCart(ctx, [product]),
        await makeCart(ctx, [product]),
        await makeCart(ctx),
      ];
      await ctx.model(SaleOrder).confirm([order]);
      return [cart, order, fresh];
    });
    await app.write(async (ctx) => {
      const old = app.database.codec.encode('datetime', new Date(Date.now() - 400 * 86_400_000));
      await ctx.db('sale_order').whereIn('id', [cart, order]).update({ write_date: old });
      await ctx.jobs.enqueue(sweepCarts, {});
    });
    await app.runJobs();
    expect(
      await app.read((ctx) => ctx.model(SaleOrder).search([['id', 'in', [cart, order, fresh]]], { order: 'id' })),
    ).toEqual([order, fresh]);
  });

  it('adds up lines, taxes and pieces as they come and go', async () => {
    await app.write(async (ctx) => {
      const tax = await makeTax(ctx, '20', { price_include: true });
      const chair = await makeProduct(ctx, { list_price: '12', taxes_id: [tax] });
      const bench = await makeProduct(ctx, { name: 'Bench', list_price: '99.90', taxes_id: [tax] });
      const id = await makeCart(ctx, [chair], 2);
      const orders = ctx.model(SaleOrder);
      expect(await totalsOf(ctx, id)).toMatchObject({
        amount_untaxed: 2000,
        amount_tax: 400,
        amount_total: 2400,
        cart_quantity: 2,
        name: null,
      });
      const added = await orders.setLine(id, { product: bench, add: 1 });
      expect(await totalsOf(ctx, id)).toMatchObject({
        amount_untaxed: 10325,
        amount_tax: 2065,
        amount_total: 12390,
        cart_quantity: 3,
      });
      expect(await orders.setLine(id, { product: bench, line: added.line, set: 0 })).toEqual({
        line: null,
        quantity: 0,
      });
      expect(await totalsOf(ctx, id)).toMatchObject({ amount_total: 2400, cart_quantity: 2 });
    });
  });

  it('is sent to the address it is billed to, unless it has another one', async () => {
    await app.write(async (ctx) => {
      const orders = ctx.model(SaleOrder);
      const id = await makeCart(ctx, [await makeProduct(ctx)]);
      const addresses = () =>
        orders.get(id, {
          select: { invoice_name: true, shipping_same: true, shipping_name: true, shipping_city: true },
        });
      const billing = { name: 'Ada', city: 'Paris' };
      await orders.setAddress(id, { billing, shipping: { name: 'Grace', city: 'Lyon' } });
      expect(await addresses()).toMatchObject({
        invoice_name: 'Ada',
        shipping_same: false,
        shipping_name: 'Grace',
        shipping_city: 'Lyon',
      });
      await orders.setAddress(id, { billing });
      expect(await addresses()).toMatchObject({
        invoice_name: 'Ada',
        shipping_same: true,
        shipping_name: null,
        shipping_city: null,
      });
    });
  });

  it('does not know a line of another cart', async () => {
    await app.write(async (ctx) => {
      const chair = await makeProduct(ctx);
      const mine = await makeCart(ctx, [chair]);
      const theirs = await makeCart(ctx, [chair]);
      const line = (await totalsOf(ctx, theirs)).order_line[0]?.id ?? 0;
      const refused = await refusal(
        ctx.savepoint(() => ctx.model(SaleOrder).setLine(mine, { product: chair, line, set: 0 })),
      );
      expect(refused.code).toBe('sale.no_line');
      expect((await totalsOf(ctx, theirs)).cart_quantity).toBe(1);
    });
  });
});
