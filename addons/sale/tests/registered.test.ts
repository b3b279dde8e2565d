import { Partner, User } from '@pergola/base';
import type { Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { SaleOrder } from '../models/sale-order.ts';
import { makeProduct, refusal } from './kit.ts';

eachDatabase('payments that staff register', (database, once) => {
  let app: TestApp;
  let seller: Client;
  let manager: Client;
  let product: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database, demo: true });
    product = await app.write(async (ctx) => {
      for (const name of ['user', 'manager']) {
        const partner = await ctx.model(Partner).create({ name, email: `${name}@example.com` });
        const group = await ctx.ref(`sale.group_sale_${name}`);
        await ctx.model(User).create({ login: `sale_${name}`, partner_id: partner, group_ids: [group] });
      }
      return makeProduct(ctx, { list_price: '100' });
    });
    seller = await app.as('sale_user');
    manager = await app.as('sale_manager');
  });
  afterAll(() => app.close());

  const call = <T>(client: Client, model: string, method: string, args: unknown[]): Promise<T> =>
    client.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} }) as Promise<T>;
  const quotation = async (): Promise<Id> =>
    app.write(async (ctx) =>
      ctx.model(SaleOrder).create({
        partner_id: await ctx.ref('base.demo_delft'),
        order_line: [{ create: { product_id: product, tax_id: [] } }],
      }),
    );
  const pay = (order: Id, values: object = {}, client = seller) =>
    call<Id>(client, 'payment.transaction', 'create', [{ sale_order_id: order, ...values }]);
  const stateOf = (order: Id) =>
    app.read((ctx) =>
      ctx.model(SaleOrder).get(order, {
        select: { state: true, payment_state: true, amount_paid: true, amount_open: true },
      }),
    );

  it('come in parts; the last one makes an order of the quotation', async () => {
    const order = await quotation();
    await pay(order, { amount: 40, acquirer_reference: 'Receipt 7', date_validate: '2026-11-02 10:00:00' });
    expect(await stateOf(order)).toMatchObject({
      state: 'draft',
      payment_state: 'part',
      amount_paid: 4000,
      amount_open: 6000,
    });
    const shown = await call(seller, 'payment.transaction', 'preview', [
      false,
      { sale_order_id: order },
      { amount: true, acquirer_id: true, currency_id: true },
    ]);
    expect(shown).toMatchObject({ values: { amount: 60 }, problems: {} });
    const rest = await pay(order);
    expect(await stateOf(order)).toMatchObject({ state: 'sale', payment_state: 'paid', amount_open: 0 });
    const [row] = await call<object[]>(seller, 'payment.transaction', 'read', [
      [rest],
      ['reference', 'amount', 'state'],
    ]);
    expect(row).toMatchObject({ amount: 60, state: 'done', reference: expect.stringMatching(/^SO\d{5}-1$/) });
  });

  it('count in the currency of their order, also one without cents', async () => {
    const order = await app.write(async (ctx) => {
      const yen = await ctx.ref('base.jpy');
      const pricelist_id = await ctx.modelNamed('product.pricelist').create({ name: 'Yen', currency_id: yen });
      return ctx.model(SaleOrder).create({
        pricelist_id,
        partner_id: await ctx.ref('base.demo_delft'),
        order_line: [{ create: { product_id: product, price_unit: '5000', tax_id: [] } }],
      });
    });
    await pay(order, { amount: 1500 });
    expect(await stateOf(order)).toMatchObject({ payment_state: 'part', amount_paid: 1500, amount_open: 3500 });
    for (const payment of [{}, { transaction_id: false }]) {
      const values = { sale_order_id: order, amount: 15, ...payment };
      const refund = await call<Id>(manager, 'payment.refund', 'create', [values]);
      expect(await call(manager, 'payment.refund', 'read', [[refund], ['amount']])).toMatchObject([{ amount: 15 }]);
    }
  });

  once('keep the order in their currency, whoever changes its pricelist or customer', async () => {
    const order = await quotation();
    const { dollars, abroad } = await app.write(async (ctx) => {
      const usd = await ctx.ref('base.usd');
      const list = await ctx.modelNamed('product.pricelist').create({ name: 'Dollars', currency_id: usd });
      const partner = { name: 'Boston', property_product_pricelist: list };
      return { dollars: list, abroad: await ctx.modelNamed('res.partner').create(partner) };
    });
    const write = (values: object) => call(seller, 'sale.order', 'write', [[order], values]);
    const { euros } = await app.read(async (ctx) => {
      const row = await ctx.model(SaleOrder).get(order, { select: { pricelist_id: true } });
      return { euros: row.pricelist_id };
    });
    await write({ pricelist_id: dollars });
    await pay(order, { amount: 5 });
    const before = await stateOf(order);
    expect((await refusal(write({ pricelist_id: euros }))).message).toContain('This order has a payment in USD');
    const shown = await call(seller, 'sale.order', 'preview', [order, { pricelist_id: euros }, { amount_total: true }]);
    expect(shown).toMatchObject({ problems: { pricelist_id: expect.stringContaining('in USD') } });
    expect(await stateOf(order)).toEqual(before);
    // A customer with the same currency may still take it over.
    await write({ partner_id: abroad });
    expect((await stateOf(order)).payment_state).toBe('part');
    const home = await app.read((ctx) => ctx.ref('base.demo_delft'));
    expect((await refusal(write({ partner_id: home }))).message).toContain('Choose a pricelist');
    await write({ partner_id: home, pricelist_id: dollars });
  });

  once('may be more than was asked for, which is shown, and are taken back by managers alone', async () => {
    const order = await quotation();
    const id = await pay(order, { amount: 120 });
    expect(await stateOf(order)).toMatchObject({ state: 'sale', payment_state: 'over', amount_open: -2000 });
    await expect(call(seller, 'payment.transaction', 'takeBack', [[id]])).rejects.toThrow('Only sales managers');
    await call(manager, 'payment.transaction', 'takeBack', [[id]]);
    expect(await stateOf(order)).toMatchObject({ state: 'sale', payment_state: 'none', amount_open: 10000 });
  });

  it('are added up under the lock of the order, however many come at once', async () => {
    const order = await quotation();
    await Promise.all([25, 25, 25, 25].map((amount) => pay(order, { amount })));
    expect(await stateOf(order)).toMatchObject({ state: 'sale', payment_state: 'paid', amount_paid: 10000 });
  });

  once('are for salespeople, say what is wrong at the field, and are changed by nobody', async () => {
    const order = await quotation();
    const portal = await app.as('portal');
    await expect(pay(order, {}, portal)).rejects.toThrow();
    await expect(pay(order, { amount: 0 })).rejects.toThrow('Enter an amount greater than 0.');
    await expect(pay(order, { amount: 10, state: 'done' })).rejects.toThrow();
    const id = await pay(order, { amount: 10 });
    await expect(call(manager, 'payment.transaction', 'write', [[id], { amount: 90 }])).rejects.toThrow();
    await app.write((ctx) => ctx.model(SaleOrder).cancel([order]));
    await expect(pay(order, { amount: 10 })).rejects.toThrow(
      'You can only register payments for quotations and orders.',
    );
  });
});
