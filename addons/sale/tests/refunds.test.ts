import { Partner, User } from '@pergola/base';
import type { Id } from 'pergola';
import type { MigrationTools } from 'pergola/orm';
import {
  type Client,
  createTestApp,
  eachDatabase,
  type Mailbox,
  openMailbox,
  type TestApp,
  until,
} from 'pergola/testing';
import migration from '../migrations/0017-refunds-to-transfer.ts';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';

import { PaymentRefund } from '../models/payment-refund.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { Payments } from '../services/payment/payments.ts';
import { Refunds } from '../services/payment/refunds.ts';
import { testCard, testNotification } from '../services/payment/test-card.ts';
import { acquirerOf, makeCart, makeProduct, offerTestCard } from './kit.ts';

eachDatabase('refunds', (database, once) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let seller: Client;
  let manager: Client;
  let product: Id;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['sale'], database, env: { SMTP_URL: mailbox.url } });
    product = await app.write(async (ctx) => {
      for (const name of ['user', 'manager']) {
        const partner = await ctx.model(Partner).create({ name, email: `${name}@example.com` });
        const group = await ctx.ref(`sale.group_sale_${name}`);
        await ctx.model(User).create({ login: `sale_${name}`, partner_id: partner, group_ids: [group] });
      }
      await offerTestCard(ctx);
      return makeProduct(ctx, { list_price: '100' });
    });
    seller = await app.as('sale_user');
    manager = await app.as('sale_manager');
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  const call = <T>(client: Client, model: string, method: string, args: unknown[]): Promise<T> =>
    client.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} }) as Promise<T>;
  /** An order that is paid by card. */
  const paidOrder = (provider: 'transfer' | 'test_card' = 'test_card') =>
    app.write(async (ctx) => {
      const order = await makeCart(ctx, [product]);
      const { id } = await ctx
        .get(Payments)
        .start({ order, acquirer: await acquirerOf(ctx, provider), returnUrl: '/' });
      await ctx.model(PaymentTransaction).advance([id], { state: 'done' });
      return { order, payment: id };
    });
  const refund = (values: object, client = manager) => call<Id>(client, 'payment.refund', 'create', [values]);
  const orderOf = (order: Id) =>
    app.read((ctx) =>
      ctx.model(SaleOrder).get(order, {
        select: {
          name: true,
          state: true,
          payment_state: true,
          amount_paid: true,
          amount_refunded: true,
          amount_open: true,
          amount_refund_due: true,
          blocked_reason: true,
        },
      }),
    );
  /** What jobs make of it; the node's own worker may have begun one. */
  const settle = async (order: Id): Promise<void> => {
    await until(async () => {
      await app.runJobs();
      return (await refundsOf(order)).every(({ state }) => state !== 'draft');
    });
  };
  const refundsOf = (order: Id) =>
    app.read((ctx) =>
      ctx.model(PaymentRefund).find([['sale_order_id', '=', order]], {
        select: { state: true, amount: true, reference: true, acquirer_reference: true, state_message: true },
        order: 'id',
      }),
    );

  once('go back in parts by the provider; the order follows and the customer gets a mail each', async () => {
    const { order, payment } = await paidOrder();
    const shown = await call(manager, 'payment.refund', 'preview', [
      false,
      { sale_order_id: order },
      { amount: true, transaction_id: true },
    ]);
    expect(shown).toMatchObject({
      values: { amount: 100, transaction_id: [payment, expect.any(String)] },
      problems: {},
    });
    // The money is said before it goes.
    const asked = await call(manager, 'payment.refund', 'preview', [
      false,
      { sale_order_id: order, amount: 20 },
      { amount_there: true, question: true },
    ]);
    const question = expect.stringMatching(/^Refund 20\.00\s€ of 100\.00\s€ to .+ by Test card\?$/);
    expect(asked).toMatchObject({ values: { amount_there: 100, question }, problems: {} });
    await refund({ sale_order_id: order, amount: 20, reason: 'A scratch' });
    expect(await orderOf(order)).toMatchObject({ payment_state: 'paid', amount_refunded: 0 });
    await settle(order);
    expect(await refundsOf(order)).toMatchObject(
      [
        { state: 'done', amount: 2000, reference: expect.stringMatching(/^SO\d+-R1$/), acquirer_reference: /^test-SO/ },
      ].map((row) => ({ ...row, acquirer_reference: expect.stringMatching(row.acquirer_reference) })),
    );
    // The shop gave it back: it is not asked for again.
    expect(await orderOf(order)).toMatchObject({
      state: 'sale',
      payment_state: 'part_refunded',
      amount_paid: 10000,
      amount_refunded: 2000,
      amount_open: 0,
    });
    await refund({ transaction_id: payment });
    await settle(order);
    expect(await orderOf(order)).toMatchObject({ payment_state: 'refunded', amount_refunded: 10000, amount_open: 0 });
    await app.runJobs();
    const { name } = await orderOf(order);
    const mails = mailbox.received().filter(({ subject }) => subject?.endsWith(`refund for your order ${name}`));
    expect(mails.map(({ text }) => /refunded €?([\d.]+)/.exec(text ?? '')?.[1])).toEqual(['20.00', '80.00']);
    expect(mails[0]?.text).toContain('A scratch');
    await expect(refund({ sale_order_id: order })).rejects.toThrow('There’s nothing left to refund');
  });

  it('never take more than is left, however many ask at once and wherever', async () => {
    const second = await app.secondNode();
    const { order, payment } = await paidOrder();
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 ? app : second).write((ctx) =>
          ctx.model(PaymentRefund).create({ transaction_id: payment, amount: 3000 }),
        ),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await second.runJobs();
    await settle(order);
    expect(await orderOf(order)).toMatchObject({ amount_paid: 10000, amount_refunded: 9000 });
    await expect(refund({ sale_order_id: order, amount: 10.01 })).rejects.toThrow('You can refund up to');
    const twice = app.write((ctx) =>
      ctx.model(PaymentRefund).create([
        { transaction_id: payment, amount: 600 },
        { transaction_id: payment, amount: 600 },
      ]),
    );
    await expect(twice).rejects.toThrow('You can refund up to');
    expect(await refundsOf(order)).toHaveLength(3);
  });

  once('are asked for by the same reference until the provider answers, and are shown where it refuses', async () => {
    const { order } = await paidOrder();
    const asked: string[] = [];
    const { refund: real } = testCard;
    Object.assign(testCard, {
      refund: async (ctx: never, facts: { reference: string }) => {
        asked.push(facts.reference);
        if (asked.length === 1) throw new Error('The line is down.');
        return real?.(ctx, facts as never);
      },
    });
    try {
      const id = await refund({ sale_order_id: order, amount: 10 });
      await until(async () => {
        await app.runJobs();
        return (await refundsOf(order)).some(({ state_message }) => state_message !== null);
      });
      expect(await refundsOf(order)).toMatchObject([
        { state: 'draft', state_message: expect.stringContaining('again') },
      ]);
      // Nobody gets the rest twice while nobody knows.
      await expect(refund({ sale_order_id: order, amount: 91 })).rejects.toThrow('You can refund up to');
      await call(manager, 'payment.refund', 'retry', [[id]]);
      await settle(order);
    } finally {
      Object.assign(testCard, { refund: real });
    }
    expect(new Set(asked).size).toBe(1);
    expect(await refundsOf(order)).toMatchObject([{ state: 'done', state_message: null }]);
    await refund({ sale_order_id: order, amount: 10.13 });
    await settle(order);
    expect((await refundsOf(order))[1]).toMatchObject({
      state: 'error',
      state_message: 'The card was declined.',
    });
    expect(await orderOf(order)).toMatchObject({ amount_refunded: 1000, payment_state: 'part_refunded' });
    // What was refused can be asked for again.
    await refund({ sale_order_id: order });
    await settle(order);
    expect(await orderOf(order)).toMatchObject({ amount_refunded: 10000, payment_state: 'refunded' });
  });

  once('are done by hand where no provider does them', async () => {
    const { order } = await paidOrder('transfer');
    const id = await refund({ sale_order_id: order, amount: 40 });
    const other = await refund({ sale_order_id: order, amount: 60 });
    expect(await refundsOf(order)).toMatchObject([{ state: 'to_transfer' }, { state: 'to_transfer' }]);
    expect(await orderOf(order)).toMatchObject({ payment_state: 'refund_due', amount_refund_due: 10000 });
    expect(await orderOf(order)).toMatchObject({ amount_refunded: 0 });
    await call(manager, 'payment.refund', 'markDone', [[id]]);
    await call(manager, 'payment.refund', 'markCancelled', [[other]]);
    expect(await orderOf(order)).toMatchObject({ amount_refunded: 4000, payment_state: 'part_refunded' });
    await expect(call(manager, 'payment.refund', 'markDone', [[other]])).rejects.toThrow('refund in this status');
    // An answer that comes too late changes nothing.
    const notes = () =>
      app.read((ctx) => ctx.model(PaymentRefund).read([id, other], { select: { state_message: true } }));
    const before = await notes();
    await app.write(async (ctx) => {
      for (const done of [id, other]) await ctx.get(Refunds).unreachable(done);
    });
    expect(await notes()).toEqual(before);
  });

  once('leave no other way back: what came is neither taken back, opened again nor deleted', async () => {
    const { order, payment } = await paidOrder();
    const take = (id: Id) => call(manager, 'payment.transaction', 'takeBack', [[id]]);
    await expect(take(payment)).rejects.toThrow('Only payments registered manually');
    await expect(refund({ transaction_id: payment, amount: 100.01 })).rejects.toThrow('You can refund up to 100.00');
    await expect(call(manager, 'sale.order', 'unlink', [[order]])).rejects.toThrow('can be deleted');
    await call(manager, 'sale.cancellation', 'create', [{ order_id: order, refund: false }]);
    await expect(call(manager, 'sale.order', 'reopen', [[order]])).rejects.toThrow('is paid or being paid');
    await expect(call(manager, 'sale.order', 'unlink', [[order]])).rejects.toThrow();
    const byHand = await call<Id>(manager, 'payment.transaction', 'create', [
      { sale_order_id: (await paidOrder()).order, amount: 30 },
    ]);
    const sent = await refund({ transaction_id: byHand, amount: 10 });
    await expect(take(byHand)).rejects.toThrow('This payment was partly refunded');
    await call(manager, 'payment.refund', 'markCancelled', [[sent]]);
    await take(byHand);
    await expect(take(byHand)).rejects.toThrow('Only payments registered manually');
  });

  once('are told of later by signed notifications, each handled once', async () => {
    const { order, payment } = await paidOrder();
    const { refund: real } = testCard;
    Object.assign(testCard, { refund: async () => ({ state: 'pending' }) });
    await refund({ sale_order_id: order, amount: 30 });
    await settle(order);
    Object.assign(testCard, { refund: real });
    const [pending] = await refundsOf(order);
    expect(pending?.state).toBe('pending');
    const card = await app.read((ctx) => acquirerOf(ctx, 'test_card'));
    const tell = (values: object) =>
      app.write(async (ctx) => {
        const { secret_key } = await ctx.model(PaymentAcquirer).get(card, { select: { secret_key: true } });
        const notice = { reference: pending?.reference ?? '', state: 'done' as const, amount: 3000, currency: 'EUR' };
        return ctx.get(Payments).notified(card, testNotification(secret_key, { ...notice, ...values }, ctx.now()));
      });
    await expect(tell({ amount: 3001 })).rejects.toThrow('This isn’t a payment notification');
    await expect(tell({ currency: 'USD' })).rejects.toThrow('This isn’t a payment notification');
    expect(await tell({ event: 'e1' })).toBe(true);
    expect(await tell({ event: 'e1' })).toBe(false);
    expect(await tell({ event: 'e2', state: 'error' })).toBe(false);
    expect(await orderOf(order)).toMatchObject({ amount_refunded: 3000 });
    expect(payment).toBeGreaterThan(0);
  });

  it('are for managers, and written by nobody', async () => {
    const { order } = await paidOrder();
    await expect(refund({ sale_order_id: order }, seller)).rejects.toThrow();
    const id = await refund({ sale_order_id: order, amount: 10, state: 'done' }).catch(() => null);
    expect(id).toBeNull();
    const made = await refund({ sale_order_id: order, amount: 10 });
    await expect(call(manager, 'payment.refund', 'write', [[made], { amount: 20 }])).rejects.toThrow();
    await expect(call(seller, 'payment.refund', 'markDone', [[made]])).rejects.toThrow();
    expect(await call(seller, 'payment.refund', 'read', [[made], ['amount']])).toMatchObject([{ amount: 10 }]);
  });

  it('say what money is there before an order is cancelled, and go back in the same step', async () => {
    const { order } = await paidOrder();
    await expect(call(manager, 'sale.order', 'cancel', [[order]])).rejects.toThrow('This order has been paid for');
    const preview = (client: Client) =>
      call(client, 'sale.cancellation', 'preview', [
        false,
        { order_id: order },
        { amount_there: true, money_there: true, refund: true },
      ]);
    expect(await preview(manager)).toMatchObject({
      values: { amount_there: 100, money_there: expect.stringMatching(/100\.00.*Test card.*SO\d+/), refund: true },
    });
    expect(await preview(seller)).toMatchObject({ values: { amount_there: 100, refund: false } });
    expect((await orderOf(order)).state).toBe('sale');
    await expect(call(seller, 'sale.cancellation', 'create', [{ order_id: order, refund: true }])).rejects.toThrow(
      'can’t refund payments',
    );
    expect((await orderOf(order)).state).toBe('sale');
    await call(manager, 'sale.cancellation', 'create', [{ order_id: order, refund: true, reason: 'Not to be had' }]);
    expect(await orderOf(order)).toMatchObject({ state: 'cancel', amount_open: -10000 });
    await settle(order);
    expect(await orderOf(order)).toMatchObject({ state: 'cancel', payment_state: 'refunded', amount_open: 0 });

    const kept = await paidOrder();
    await call(seller, 'sale.cancellation', 'create', [{ order_id: kept.order }]);
    expect(await orderOf(kept.order)).toMatchObject({
      state: 'cancel',
      payment_state: 'refund_due',
      amount_refunded: 0,
      amount_refund_due: 10000,
      amount_open: -10000,
    });
    await refund({ sale_order_id: kept.order });
    await settle(kept.order);
    expect(await orderOf(kept.order)).toMatchObject({ amount_open: 0 });
  });

  it('that wait by hand since an earlier version are to transfer, and their orders due', async () => {
    const { order } = await paidOrder('transfer');
    await refund({ sale_order_id: order, amount: 40 });
    const cancelled = await paidOrder();
    await app.write((ctx) => ctx.model(SaleOrder).cancel([cancelled.order]));
    await app.write(async (ctx) => {
      await ctx.db('payment_refund').where({ sale_order_id: order }).update({ state: 'pending' });
      await ctx.db('sale_order').whereIn('id', [order, cancelled.order]).update({ payment_state: 'paid' });
      await migration.up({ db: ctx.db } as MigrationTools);
    });
    expect(await refundsOf(order)).toMatchObject([{ state: 'to_transfer' }]);
    expect((await orderOf(order)).payment_state).toBe('refund_due');
    expect((await orderOf(cancelled.order)).payment_state).toBe('refund_due');
  });

  once('settle what was paid too much', async () => {
    const { order } = await paidOrder();
    await app.write(async (ctx) => {
      const late = await ctx.model(PaymentTransaction).create({
        reference: `late-${order}`,
        sale_order_id: order,
        acquirer_id: await acquirerOf(ctx, 'test_card'),
        amount: 10000,
        currency_id: await ctx.ref('base.eur'),
        order_version: (await ctx.model(SaleOrder).get(order, { select: { version: true } })).version,
      });
      await ctx.model(PaymentTransaction).advance([late], { state: 'done' });
    });
    expect(await orderOf(order)).toMatchObject({ payment_state: 'over', amount_open: -10000, blocked_reason: 'twice' });
    await refund({ sale_order_id: order });
    await settle(order);
    expect(await orderOf(order)).toMatchObject({ payment_state: 'paid', amount_open: 0, blocked_reason: null });
  });
});
