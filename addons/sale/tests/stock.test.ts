import { type Ctx, type Id, Unavailable } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleHold } from '../models/sale-hold.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { SaleOrderLine } from '../models/sale-order-line.ts';
import { Payments } from '../services/payment/payments.ts';
import { Stock } from '../services/stock/stock.ts';
import { makeCart, makeProduct, offerTestCard, refusal, totalsOf } from './kit.ts';

eachDatabase('stock and holds', (database) => {
  let app: TestApp;
  let card: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    card = await app.write((ctx) => offerTestCard(ctx));
  });
  afterAll(() => app.close());

  const cartOf = (price = '10', stock?: number) =>
    app.write(async (ctx) => {
      const product = await makeProduct(ctx, { list_price: price }, stock);
      return { product, order: await makeCart(ctx, [product]) };
    });
  const start = (ctx: Ctx, order: Id) =>
    ctx.get(Payments).start({ order, acquirer: card, returnUrl: '/shop/payment/validate' });
  const stateOf = (order: Id) => app.read((ctx) => totalsOf(ctx, order));
  const count = (product: Id) =>
    app.read(async (ctx) => ({
      free: (await ctx.get(Stock).available('product.product', [product])).get(product),
      sold: await ctx.model(SaleOrder).count([
        ['state', '=', 'sale'],
        ['order_line.product_id', '=', product],
      ]),
    }));

  it('is sold in whole pieces', async () => {
    await app.write(async (ctx) => {
      const cable = await makeProduct(ctx, { name: 'Cable' });
      const chair = await makeProduct(ctx, { name: 'Chair' }, 5);
      const order = await ctx.model(SaleOrder).create({ invoice_name: 'Ada' });
      const lines = ctx.model(SaleOrderLine);
      const line = await lines.create({ order_id: order, product_id: cable, product_uom_qty: '1.5' });
      await expect(lines.write(line, { product_id: chair })).rejects.toMatchObject({ code: 'sale.not_whole' });
      const half = { order_id: order, product_id: chair, product_uom_qty: '2.5' };
      await expect(lines.create(half)).rejects.toThrow('tracked in whole units');
      await lines.create({ ...half, product_uom_qty: '2' });
      await ctx.model(SaleOrder).confirm([order]);
      expect((await ctx.get(Stock).available('product.product', [chair])).get(chair)).toBe(3);
    });
  });

  it('is held no longer because the clock was a day ahead when it was put in the cart', async () => {
    const { order, product } = await cartOf('10', 5);
    await app.write((ctx) => ctx.model(SaleOrder).setLine(order, { product, set: 4 }));
    const stored = (moment: Date) => (database === 'sqlite' ? moment.getTime() : moment);
    const holdOf = async (ctx: Ctx) => {
      const [hold] = await ctx
        .model(SaleHold)
        .find([['order_id', '=', order]], { select: { until: true, write_date: true } });
      if (!hold) throw new Error('Nothing is held.');
      return hold;
    };
    const before = await app.read(holdOf);
    await app.write(async (ctx) => {
      const later = (moment: Date) => stored(new Date(moment.getTime() + 86_400_000));
      const values = { until: later(before.until), write_date: later(before.write_date) };
      await ctx.db('sale_hold').where({ id: before.id }).update(values);
      const job = { name: 'core.clock_repair', input: '{}', state: 'waiting', attempt: 0 };
      await ctx.db('core_job').insert({ ...job, run_at: stored(ctx.now()), create_date: stored(ctx.now()) });
    });
    await app.runJobs();
    const minutes = ({ until, write_date }: Awaited<ReturnType<typeof holdOf>>) =>
      Math.round((until.getTime() - write_date.getTime()) / 60_000);
    const after = await app.read(holdOf);
    expect(minutes(after)).toBe(minutes(before));
    expect(after.write_date.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('is held by a cart for a time, counted against others only, and given back', async () => {
    const { order, product } = await cartOf('10', 5);
    const orders = (ctx: Ctx) => ctx.model(SaleOrder);
    expect(await app.write((ctx) => orders(ctx).setLine(order, { product, set: 4 }))).toMatchObject({ quantity: 4 });
    expect(await app.write((ctx) => orders(ctx).setLine(order, { product, set: 5 }))).toMatchObject({ quantity: 5 });
    expect(await app.write((ctx) => orders(ctx).setLine(order, { product, set: 6 }))).toMatchObject({
      quantity: 5,
      warning: 'Only 5 left of “Garden chair”.',
    });
    const other = await app.write((ctx) => makeCart(ctx));
    expect(await app.write((ctx) => orders(ctx).setLine(other, { product, set: 1 }))).toEqual({
      line: null,
      quantity: 0,
      warning: '“Garden chair” is sold out.',
    });
    expect((await stateOf(other)).order_line).toEqual([]);
    await app.write((ctx) => orders(ctx).setLine(order, { product, set: 3 }));
    expect(await app.write((ctx) => orders(ctx).setLine(other, { product, set: 9 }))).toMatchObject({ quantity: 2 });
    await app.write((ctx) => orders(ctx).clean(order));
    expect(await app.write((ctx) => orders(ctx).setLine(other, { product, set: 9 }))).toMatchObject({ quantity: 5 });
    await app.write(async (ctx) => {
      const holds = ctx.model(SaleHold);
      await holds.write(await holds.search([['order_id', '=', other]]), { until: new Date(Date.now() - 1000) });
    });
    expect(await count(product)).toEqual({ free: 5, sold: 0 });
    expect(await app.write((ctx) => orders(ctx).setLine(order, { product, set: 5 }))).toMatchObject({ quantity: 5 });
    expect((await refusal(app.write((ctx) => start(ctx, other)))).code).toBe('sale.short');
    await app.write((ctx) => orders(ctx).confirm([order]));
    expect(await count(product)).toEqual({ free: 0, sold: 1 });
    await app.write((ctx) => orders(ctx).cancel([order]));
    expect(await count(product)).toEqual({ free: 5, sold: 0 });
  });

  it('never sells more than there is to many buyers at once, on two nodes, in any order of lines', async () => {
    const second = await app.secondNode();
    const [a, b] = await app.write(async (ctx) => [
      await makeProduct(ctx, { name: 'A' }, 6),
      await makeProduct(ctx, { name: 'B' }, 6),
    ]);
    // Whoever is told that the site is busy comes again, as browsers are told to.
    const patiently = async <T>(node: TestApp, work: (ctx: Ctx) => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await node.write(work);
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error;
        }
      }
    };
    const buy = async (node: TestApp, number: number): Promise<'bought' | 'refused'> => {
      const wanted = number % 2 ? [a, b] : [b, a];
      const order = await patiently(node, (ctx) => makeCart(ctx));
      const got = await patiently(node, async (ctx) => {
        const answers = [];
        for (const product of wanted) answers.push(await ctx.model(SaleOrder).setLine(order, { product, set: 1 }));
        return answers;
      });
      if (got.some(({ quantity }) => quantity === 0)) return 'refused';
      const payment = await patiently(node, (ctx) => start(ctx, order));
      await patiently(node, (ctx) => ctx.model(PaymentTransaction).advance([payment.id], { state: 'done' }));
      return 'bought';
    };
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, number) => buy(number % 2 ? app : second, number)),
    );
    const bought = outcomes.filter((one) => one === 'bought').length;
    for (const product of [a, b]) {
      const { sold, free = 0 } = await count(product);
      expect([sold, free]).toEqual([6, 0]);
    }
    expect(bought).toBe(6);
    expect(await app.read((ctx) => ctx.model(SaleOrder).count([['blocked_reason', '!=', null]]))).toBe(
      await app.read((ctx) =>
        ctx.model(SaleOrder).count([['blocked_reason', 'in', ['cancelled', 'changed', 'twice']]]),
      ),
    );
  });
});
