import type { Ctx, Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { PaymentRefund } from '../models/payment-refund.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleHold } from '../models/sale-hold.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { paymentMethods } from '../services/payment/methods.ts';
import { moneyHistory } from '../services/payment/money-history.ts';
import { Payments } from '../services/payment/payments.ts';
import { Stock } from '../services/stock/stock.ts';
import { acquirerOf, makeCart, makeProduct, offerTestCard, refusal, totalsOf } from './kit.ts';

eachDatabase('payments', (database, once) => {
  let app: TestApp;
  let transfer: Id;
  let card: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    await app.write(async (ctx) => {
      transfer = await acquirerOf(ctx, 'transfer');
      card = await offerTestCard(ctx);
    });
  });
  afterAll(() => app.close());

  const cartOf = (price = '10', stock?: number) =>
    app.write(async (ctx) => {
      const product = await makeProduct(ctx, { list_price: price }, stock);
      return { product, order: await makeCart(ctx, [product]) };
    });
  const start = (ctx: Ctx, order: Id, acquirer = card, key?: string) =>
    ctx.get(Payments).start({ order, acquirer, returnUrl: '/shop/payment/validate', key });
  const stateOf = (order: Id) => app.read((ctx) => totalsOf(ctx, order));
  const payments = (order: Id) =>
    app.read((ctx) =>
      ctx
        .model(PaymentTransaction)
        .find([['sale_order_id', '=', order]], { select: { state: true, is_open: true, reference: true } }),
    );

  once('numbers the order, freezes it, and takes another method while nothing was sent', async () => {
    const { order, product } = await cartOf();
    const first = await app.write((ctx) => start(ctx, order, transfer));
    const name = (await stateOf(order)).name ?? '';
    expect(name).toMatch(/^SO\d{5}$/);
    expect(first).toMatchObject({
      reference: name,
      state: 'draft',
      form: { action: '/payment/transfer/feedback', method: 'post' },
    });
    const frozen = await refusal(app.write((ctx) => ctx.model(SaleOrder).setLine(order, { product, add: 1 })));
    expect(frozen).toEqual({ code: 'sale.being_paid', message: expect.stringContaining('being paid') });
    expect(
      (await refusal(app.write((ctx) => ctx.model(SaleOrder).write(order, { invoice_city: 'Elsewhere' })))).code,
    ).toBe('core.invalid_values');

    const methods = await app.read((ctx) => paymentMethods(ctx.as({ lang: 'fr_FR' }), order));
    expect(methods.map(({ id, counted, chosen }) => [id, counted, chosen])).toContainEqual([
      transfer,
      (await app.read((ctx) => ctx.model(PaymentAcquirer).get(transfer, { select: { name: true } }))).name,
      true,
    ]);

    const second = await app.write((ctx) => start(ctx, order, card));
    expect(second.reference).toBe(`${name}-1`);
    expect(await payments(order)).toMatchObject([
      { state: 'draft', is_open: true },
      { state: 'cancel', is_open: false },
    ]);
    await app.write((ctx) => ctx.model(SaleOrder).reopen([order]));
    expect(await app.write((ctx) => ctx.model(SaleOrder).setLine(order, { product, add: 1 }))).toMatchObject({
      quantity: 2,
    });
    const third = await app.write((ctx) => start(ctx, order, card));
    expect(third.reference).toBe(`${name}-2`);
    expect(await stateOf(order)).toMatchObject({ name, state: 'sent', amount_total: 2000 });
  });

  it('begins once, however often and from wherever it is asked for at once', async () => {
    const second = await app.secondNode();
    const { order } = await cartOf();
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        (number % 2 ? app : second).write((ctx) => start(ctx, order, card, 'key-1')),
      ),
    );
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    expect(await payments(order)).toHaveLength(1);
    expect((await refusal(app.write((ctx) => start(ctx, order, transfer, 'key-1')))).code).toBe('sale.key_reused');
    expect(await payments(order)).toHaveLength(1);
  });

  it('lets the database refuse a second open payment', async () => {
    const { order } = await cartOf();
    const { id } = await app.write((ctx) => start(ctx, order, card));
    const twice = app.write(async (ctx) => {
      const row = await ctx.model(PaymentTransaction).get(id, { select: { amount: true, currency_id: true } });
      await ctx.model(PaymentTransaction).create({
        reference: 'another',
        sale_order_id: order,
        acquirer_id: card,
        amount: row.amount,
        currency_id: row.currency_id,
      });
    });
    expect((await refusal(twice)).message).toContain('already in progress');
  });

  once('refuses what cannot be paid, with all reasons', async () => {
    const { order, product } = await cartOf();
    const none = await app.write((ctx) => makeCart(ctx));
    expect((await refusal(app.write((ctx) => start(ctx, none)))).code).toBe('sale.empty');
    await app.write(async (ctx) => {
      const { product_tmpl_id } = (await ctx
        .modelNamed('product.product')
        .get(product, { select: { product_tmpl_id: true } })) as unknown as { product_tmpl_id: Id };
      await ctx.modelNamed('product.template').write([product_tmpl_id], { list_price: '11' });
    });
    expect((await refusal(app.write((ctx) => start(ctx, order)))).code).toBe('sale.price_changed');
    await app.write((ctx) => ctx.model(SaleOrder).reprice([order]));
    await app.write((ctx) => start(ctx, order));
    expect((await stateOf(order)).amount_total).toBe(1100);
    const free = await cartOf('0');
    expect((await refusal(app.write((ctx) => start(ctx, free.order)))).code).toBe('sale.nothing_to_pay');
    await app.write((ctx) => ctx.get(Payments).confirmFree(free.order));
    expect((await stateOf(free.order)).state).toBe('sale');
    const costly = await cartOf();
    expect((await refusal(app.write((ctx) => ctx.get(Payments).confirmFree(costly.order)))).code).toBe('sale.to_pay');
    await app.write((ctx) => ctx.model(PaymentAcquirer).write(transfer, { website_published: false }));
    expect((await refusal(app.write((ctx) => start(ctx, costly.order, transfer)))).code).toBe('sale.no_acquirer');
    await app.write((ctx) => ctx.model(PaymentAcquirer).write(transfer, { website_published: true }));
  });

  once('only moves forward', async () => {
    const { order } = await cartOf();
    const { id } = await app.write((ctx) => start(ctx, order));
    const advance = (state: 'pending' | 'done' | 'error' | 'cancel') =>
      app.write((ctx) => ctx.model(PaymentTransaction).advance([id], { state }));
    await app.write((ctx) => ctx.model(PaymentAcquirer).write(card, { post_msg: 'Thank you.' }));
    const said = () => app.read(async (ctx) => (await ctx.get(Payments).status(order)).postMessage);
    expect(await said()).toBeNull();
    const seen: string[] = [];
    for (const state of ['pending', 'pending', 'done', 'pending', 'error', 'cancel', 'done'] as const) {
      await advance(state);
      seen.push((await payments(order))[0]?.state ?? '');
      expect(await said()).toBe('Thank you.');
    }
    expect(seen).toEqual(['pending', 'pending', 'done', 'done', 'done', 'done', 'done']);
    expect(await stateOf(order)).toMatchObject({
      state: 'sale',
      payment_state: 'paid',
      blocked_reason: null,
      is_cart: false,
    });
    expect((await refusal(app.write((ctx) => start(ctx, order)))).code).toBe('sale.paid');
  });

  once('gives a refused cart back to its customer', async () => {
    const { order, product } = await cartOf();
    const { id } = await app.write((ctx) => start(ctx, order));
    await app.write((ctx) => ctx.model(PaymentTransaction).advance([id], { state: 'error' }));
    expect(await stateOf(order)).toMatchObject({ state: 'draft', is_cart: true });
    await app.write((ctx) => ctx.model(SaleOrder).setLine(order, { product, add: 1 }));
    expect((await app.write((ctx) => start(ctx, order))).state).toBe('draft');
  });

  describe('paid but blocked', () => {
    const pay = (id: Id) => app.write((ctx) => ctx.model(PaymentTransaction).advance([id], { state: 'done' }));

    once('when the order was cancelled', async () => {
      const { order } = await cartOf();
      const { id } = await app.write((ctx) => start(ctx, order));
      await app.write((ctx) => ctx.model(SaleOrder).cancel([order]));
      await pay(id);
      expect(await stateOf(order)).toMatchObject({
        state: 'cancel',
        payment_state: 'refund_due',
        blocked_reason: 'cancelled',
      });
    });

    once('when it is another order by now', async () => {
      const { order, product } = await cartOf();
      const { id } = await app.write((ctx) => start(ctx, order));
      await app.write((ctx) => ctx.model(SaleOrder).reopen([order]));
      await app.write((ctx) => ctx.model(SaleOrder).setLine(order, { product, add: 1 }));
      await pay(id);
      expect(await stateOf(order)).toMatchObject({
        state: 'draft',
        payment_state: 'part',
        blocked_reason: 'changed',
        is_cart: false,
      });
      // Staff see what it was paid for.
      const { blocked_note } = await app.read((ctx) =>
        ctx.model(SaleOrder).get(order, { select: { blocked_note: true } }),
      );
      expect(blocked_note).toMatch(/Quantity: 1 → 2\n/);
    });

    once('when it was asked for in another currency', async () => {
      const { order } = await cartOf('10');
      const { id } = await app.write((ctx) => start(ctx, order));
      await app.write(async (ctx) => {
        const dollars = await ctx.ref('base.usd');
        await ctx.model(SaleOrder).reopen([order]);
        const list = await ctx.modelNamed('product.pricelist').create({ name: 'Dollars', currency_id: dollars });
        await ctx.model(SaleOrder).setPricelist(order, list);
      });
      await pay(id);
      const money = () =>
        app.read((ctx) =>
          ctx.model(SaleOrder).get(order, {
            select: {
              blocked_reason: true,
              amount_total: true,
              amount_paid: true,
              amount_open: true,
              amount_refunded: true,
            },
          }),
        );
      const before = await money();
      expect(before).toMatchObject({ blocked_reason: 'changed', amount_paid: 0, amount_open: before.amount_total });
      const refund = await app.write(async (ctx) => {
        const made = await ctx.model(PaymentRefund).create({ sale_order_id: order });
        await ctx.model(PaymentRefund).advance([made], { state: 'done' });
        return made;
      });
      // Euros that went back are owed by nobody in dollars.
      expect(await money()).toMatchObject({ amount_open: before.amount_total, amount_refunded: 0 });
      const { moves, euro, row } = await app.read(async (ctx) => ({
        moves: await moneyHistory(ctx, order),
        euro: await ctx.ref('base.eur'),
        row: await ctx.model(PaymentRefund).get(refund, { select: { currency_id: true } }),
      }));
      expect(row.currency_id).toBe(euro);
      expect(moves.map(({ amount, currency }) => [amount, currency])).toEqual([
        [1000, euro],
        [-1000, euro],
      ]);
    });

    once('when there are none left', async () => {
      const { order, product } = await cartOf('10', 1);
      const { id } = await app.write((ctx) => start(ctx, order));
      await app.write(async (ctx) => {
        await ctx.model(SaleHold).unlink(await ctx.model(SaleHold).search([['order_id', '=', order]]));
        const other = await makeCart(ctx, [product]);
        await ctx.model(SaleOrder).confirm([other]);
      });
      await pay(id);
      expect(await stateOf(order)).toMatchObject({ state: 'sent', payment_state: 'paid', blocked_reason: 'short' });
      await app.write((ctx) =>
        ctx
          .modelNamed('product.stock')
          .write([1], {})
          .catch(() => {}),
      );
      await app.write(async (ctx) => {
        await (ctx.modelNamed('product.product') as unknown as { setStock(id: Id, n: number): Promise<void> }).setStock(
          product,
          3,
        );
        await ctx.model(SaleOrder).confirm([order]);
      });
      expect(await stateOf(order)).toMatchObject({ state: 'sale', blocked_reason: null });
    });

    once('tells of the money that came, whatever was tried after', async () => {
      const { order } = await cartOf();
      const first = await app.write((ctx) => start(ctx, order, card));
      await app.write((ctx) => start(ctx, order, transfer));
      await pay(first.id);
      expect(await stateOf(order)).toMatchObject({ state: 'sale', blocked_reason: null });
      expect(await app.read((ctx) => ctx.get(Payments).status(order))).toMatchObject({ state: 'done' });
    });

    once('when it is paid twice', async () => {
      const { order } = await cartOf();
      const first = await app.write((ctx) => start(ctx, order, transfer));
      const second = await app.write((ctx) => start(ctx, order, card));
      await pay(second.id);
      await pay(first.id);
      expect(await stateOf(order)).toMatchObject({ state: 'sale', payment_state: 'over', blocked_reason: 'twice' });
    });
  });

  once('cancels orders whose transfer does not come in time, and payments nobody finished', async () => {
    const waiting = await cartOf('10', 1);
    const begun = await cartOf();
    const { id } = await app.write((ctx) => start(ctx, waiting.order, transfer));
    const unfinished = await app.write((ctx) => start(ctx, begun.order, card));
    await app.write((ctx) => ctx.model(PaymentTransaction).advance([id], { state: 'pending' }));
    const status = await app.read((ctx) => ctx.get(Payments).status(waiting.order));
    expect(status).toMatchObject({
      state: 'pending',
      validation: 'manual',
      bank: { reference: (await stateOf(waiting.order)).name },
    });
    const hours = 3600_000;
    const run = async (after: number): Promise<void> => {
      const later = new Date(Date.now() + after);
      for (const overdue of await app.read((ctx) => ctx.get(Payments).overdue(later)))
        await app.write((ctx) => ctx.get(Payments).endOverdue(overdue));
    };
    // What is not limited takes nothing from anybody, and waits for days.
    const plain = await cartOf('10');
    const paying = await app.write((ctx) => start(ctx, plain.order, transfer));
    await app.write((ctx) => ctx.model(PaymentTransaction).advance([paying.id], { state: 'pending' }));
    expect(status.waiting).toEqual([expect.stringContaining('confirm your email address'), expect.any(String)]);
    await run(0);
    expect([(await stateOf(waiting.order)).state, (await stateOf(begun.order)).state]).toEqual(['sent', 'sent']);
    await app.write((ctx) => ctx.model(SaleOrder).confirmAddress(waiting.order));
    await run(71.9 * hours);
    expect((await stateOf(waiting.order)).state).toBe('sent');
    expect((await stateOf(begun.order)).state).toBe('draft');
    expect((await payments(begun.order)).find((one) => one.id === unfinished.id)?.state).toBe('cancel');
    expect(await app.read((ctx) => ctx.get(Stock).available('product.product', [waiting.product]))).toEqual(
      new Map([[waiting.product, 0]]),
    );
    await run(72.1 * hours);
    expect((await stateOf(waiting.order)).state).toBe('cancel');
    await run(6.9 * 24 * hours);
    expect((await stateOf(plain.order)).state).toBe('sent');
    await run(7.1 * 24 * hours);
    expect((await stateOf(plain.order)).state).toBe('cancel');
    expect(await app.read((ctx) => ctx.get(Stock).available('product.product', [waiting.product]))).toEqual(
      new Map([[waiting.product, 1]]),
    );
  });
});
