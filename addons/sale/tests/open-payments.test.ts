import { Partner, User } from '@pergola/base';
import type { Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { moneyHistory } from '../services/payment/money-history.ts';
import { Payments } from '../services/payment/payments.ts';
import { acquirerOf, makeProduct, offerTestCard } from './kit.ts';

eachDatabase('what is open of an order', (database, once) => {
  let app: TestApp;
  let second: TestApp;
  let product: Id;
  let card: Id;
  let transfer: Id;
  let seller: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    second = await app.secondNode();
    await app.write(async (ctx) => {
      product = await makeProduct(ctx, { list_price: '100' });
      card = await offerTestCard(ctx);
      transfer = await acquirerOf(ctx, 'transfer');
      const partner = await ctx.model(Partner).create({ name: 'Sam', email: 'sam@example.com' });
      const group = await ctx.ref('sale.group_sale_user');
      await ctx.model(User).create({ login: 'sam', partner_id: partner, group_ids: [group] });
    });
    seller = await app.as('sam');
  });
  afterAll(() => app.close());

  /** An order as staff make it; it never went through checkout. */
  const makeOrder = (values: object = {}, confirmed = true) =>
    app.write(async (ctx) => {
      const orders = ctx.model(SaleOrder);
      const id = await orders.create({
        invoice_name: 'Ada Lovelace',
        invoice_email: 'ada@example.com',
        order_line: [{ create: { product_id: product, tax_id: [] } }],
        ...values,
      });
      if (confirmed) await orders.confirm([id]);
      else await orders.send([id]);
      const { access_token: token } = await orders.get(id, { select: { access_token: true } });
      return { id, path: `/payment/order/${id}/${token}` };
    });
  const byHand = (order: Id, amount: number) =>
    seller.rpc('/web/dataset/call_kw', {
      model: 'payment.transaction',
      method: 'create',
      args: [{ sale_order_id: order, amount }],
      kwargs: {},
    });
  const begin = (path: string, acquirer = card, input: object = {}, client: Pick<Client, 'rpc'> = app.visitor()) =>
    client.rpc<string>(`${path}/transaction/${acquirer}`, input);
  const end = (order: Id, state: 'done' | 'pending' | 'error') =>
    app.write(async (ctx) => {
      const [open = 0] = await ctx
        .model(PaymentTransaction)
        .search([['sale_order_id', '=', order]], { order: 'id desc', limit: 1 });
      return ctx.model(PaymentTransaction).advance([open], { state });
    });
  const orderOf = (id: Id) =>
    app.read((ctx) =>
      ctx.model(SaleOrder).get(id, {
        select: { state: true, payment_state: true, amount_paid: true, amount_open: true, blocked_reason: true },
      }),
    );
  const tries = (order: Id) =>
    app.read((ctx) =>
      ctx
        .model(PaymentTransaction)
        .find([['sale_order_id', '=', order]], { select: { state: true, amount: true, is_manual: true }, order: 'id' }),
    );

  it('is paid by the link, once, however often and wherever it is asked for', async () => {
    const { id, path } = await makeOrder();
    const forms = await Promise.all(
      Array.from({ length: 20 }, (_, at) => begin(path, card, { key: 'k' }, (at % 2 ? app : second).visitor())),
    );
    expect(new Set(forms).size).toBe(1);
    expect(await tries(id)).toMatchObject([{ state: 'draft', amount: 10000 }]);
    await end(id, 'done');
    expect(await orderOf(id)).toMatchObject({ state: 'sale', payment_state: 'paid', amount_open: 0 });
    await expect(begin(path)).rejects.toThrow('already paid');
  });

  once('is the rest where a part was paid by hand, and another sum than was shown is refused', async () => {
    const { id, path } = await makeOrder();
    await byHand(id, 40);
    await expect(begin(path, card, { amount: 10000 })).rejects.toThrow('The amount due has changed');
    expect(await tries(id)).toHaveLength(1);
    await begin(path, card, { amount: 6000 });
    await end(id, 'done');
    expect(await tries(id)).toMatchObject([{ amount: 4000 }, { amount: 6000, state: 'done' }]);
    expect(await orderOf(id)).toMatchObject({ payment_state: 'paid', amount_open: 0, blocked_reason: null });
  });

  it('is paid once though staff and customer pay at the same time: what is too much is kept to be looked at', async () => {
    const { id, path } = await makeOrder();
    await begin(path);
    await byHand(id, 30);
    // The try was for the whole: it ended, and the customer begins one for the rest.
    expect(await tries(id)).toMatchObject([{ state: 'cancel' }, { state: 'done', amount: 3000 }]);
    await begin(path);
    const rest = (await tries(id))[2];
    expect(rest).toMatchObject({ state: 'draft', amount: 7000 });
    const told = () => app.write((ctx) => ctx.model(PaymentTransaction).advance([rest?.id ?? 0], { state: 'done' }));
    await Promise.all([byHand(id, 70), told()]);
    expect(await orderOf(id)).toMatchObject({ amount_paid: 17000, payment_state: 'over', amount_open: -7000 });
  });

  once('may be told of late: money of a try that had ended counts, and is looked at where it is too much', async () => {
    const { id, path } = await makeOrder();
    await begin(path);
    const [late] = await tries(id);
    await byHand(id, 100);
    expect(await orderOf(id)).toMatchObject({ payment_state: 'paid', blocked_reason: null });
    await app.write((ctx) => ctx.model(PaymentTransaction).advance([late?.id ?? 0], { state: 'done' }));
    expect(await orderOf(id)).toMatchObject({ payment_state: 'over', blocked_reason: 'twice' });
    await expect(begin(path)).rejects.toThrow();
  });

  once('waits for a transfer of the rest, and goes on where it does not come', async () => {
    const { id, path } = await makeOrder();
    await begin(path, transfer);
    await end(id, 'pending');
    await byHand(id, 25);
    expect(await tries(id)).toMatchObject([{ state: 'pending', amount: 7500 }, { amount: 2500 }]);
    const later = new Date(Date.now() + 8 * 24 * 3600_000);
    for (const overdue of await app.read((ctx) => ctx.get(Payments).overdue(later)))
      await app.write((ctx) => ctx.get(Payments).endOverdue(overdue));
    expect(await orderOf(id)).toMatchObject({ state: 'sale', payment_state: 'part', amount_open: 7500 });
    await begin(path, transfer);
    await end(id, 'pending');
    await byHand(id, 75);
    expect(await tries(id)).toMatchObject([{ state: 'cancel' }, {}, { state: 'cancel' }, { amount: 7500 }]);
    expect(await orderOf(id)).toMatchObject({ payment_state: 'paid', blocked_reason: null });
  });

  it('is paid by card though a transfer was promised, which is waited for until the money is there', async () => {
    const { id, path } = await makeOrder({}, false);
    await begin(path, transfer);
    await end(id, 'pending');
    const forms = await Promise.all(
      Array.from({ length: 10 }, (_, at) => begin(path, card, {}, (at % 2 ? app : second).visitor())),
    );
    expect(new Set(forms).size).toBe(1);
    await end(id, 'error');
    expect(await tries(id)).toMatchObject([{ state: 'pending' }, { state: 'error' }]);
    const change = {
      model: 'sale.order',
      method: 'write',
      args: [[id], { order_line: [[0, 0, { name: 'More', price_unit: 5 }]] }],
      kwargs: {},
    };
    await expect(seller.rpc('/web/dataset/call_kw', change)).rejects.toThrow(
      'can’t be changed while Payments / Status is Started or Pending',
    );
    // The transfer is still there to be chosen, and ends the card that was tried; what waits is not overdue while somebody pays.
    await begin(path);
    const later = new Date(Date.now() + 8 * 24 * 3600_000);
    const expire = async (): Promise<void> => {
      for (const overdue of await app.read((ctx) => ctx.get(Payments).overdue(later)))
        if (overdue.state === 'pending') await app.write((ctx) => ctx.get(Payments).endOverdue(overdue));
    };
    await expire();
    expect(await orderOf(id)).toMatchObject({ state: 'sent', payment_state: 'pending' });
    await begin(path, transfer);
    expect(await tries(id)).toMatchObject([{ state: 'pending' }, {}, { state: 'cancel' }]);
    await begin(path);
    await end(id, 'pending');
    await expect(begin(path)).rejects.toThrow('being processed');
    await end(id, 'done');
    expect(await tries(id)).toMatchObject([{ state: 'cancel' }, {}, {}, { state: 'done', amount: 10_000 }]);
    expect(await orderOf(id)).toMatchObject({ state: 'sale', amount_open: 0, blocked_reason: null });
    const [cancelled] = await app.read((ctx) => moneyHistory(ctx, id));
    expect(cancelled?.note).toContain('another way');
  });

  once(
    'is paid once though the transfer comes while a card is tried on both nodes; what comes twice is looked at',
    async () => {
      const { id, path } = await makeOrder();
      await begin(path, transfer);
      await end(id, 'pending');
      const [promised] = await app.read((ctx) => ctx.model(PaymentTransaction).search([['sale_order_id', '=', id]]));
      const told = () => app.write((ctx) => ctx.model(PaymentTransaction).advance([promised ?? 0], { state: 'done' }));
      const begun = await Promise.allSettled([
        ...Array.from({ length: 6 }, (_, at) => begin(path, card, {}, (at % 2 ? app : second).visitor())),
        told(),
      ]);
      for (const one of begun)
        if (one.status === 'rejected') expect(String(one.reason)).toMatch(/already paid|amount due has changed/);
      const all = await tries(id);
      expect(all.filter(({ state }) => state === 'done')).toHaveLength(1);
      expect(all.filter(({ state }) => state === 'draft' || state === 'pending')).toEqual([]);
      expect(await orderOf(id)).toMatchObject({ payment_state: 'paid', amount_paid: 10_000, blocked_reason: null });
      if (all.length === 1) return;
      await end(id, 'done');
      expect(await orderOf(id)).toMatchObject({ payment_state: 'over', blocked_reason: 'twice' });
    },
  );

  once('makes an order of an offer, and can be tried again after a refusal', async () => {
    const { id, path } = await makeOrder({}, false);
    await begin(path);
    await end(id, 'error');
    expect(await orderOf(id)).toMatchObject({ state: 'sent', payment_state: 'none' });
    await begin(path);
    await end(id, 'done');
    expect(await orderOf(id)).toMatchObject({ state: 'sale', payment_state: 'paid' });
  });

  once('is nobody’s without the token, and nothing of a cart, a draft or what is cancelled', async () => {
    const { id, path } = await makeOrder();
    await expect(begin(path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).rejects.toThrow(
      'We can’t find that page',
    );
    const cart = await app.write(async (ctx) => {
      const order = await ctx.model(SaleOrder).openCart();
      const { access_token } = await ctx.model(SaleOrder).get(order, { select: { access_token: true } });
      return `/payment/order/${order}/${access_token}`;
    });
    await expect(begin(cart)).rejects.toThrow('We can’t find that page');
    await app.write((ctx) => ctx.model(SaleOrder).cancel([id]));
    await expect(begin(path)).rejects.toThrow('can no longer be paid');
    const draft = await makeOrder({}, false);
    await app.write((ctx) => ctx.model(SaleOrder).reopen([draft.id]));
    await expect(begin(draft.path)).rejects.toThrow('can no longer be paid');
    expect(await tries(draft.id)).toEqual([]);
  });

  once('is a QR code for banking apps where a transfer is waited for', async () => {
    const { id, path } = await makeOrder();
    await app.write(async (ctx) => {
      await ctx
        .modelNamed('res.company')
        .write([await ctx.ref('base.main_company')], { bank_account: 'FR7630006000011234567890189' });
    });
    const code = await app.get(`${path}/transfer.svg`);
    expect([code.status, code.headers.get('content-type')]).toEqual([200, expect.stringContaining('image/svg+xml')]);
    await byHand(id, 100);
    expect((await app.get(`${path}/transfer.svg`)).status).toBe(404);
  });
});
