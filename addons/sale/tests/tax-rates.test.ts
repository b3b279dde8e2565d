import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { AccountTax } from '../models/account-tax.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { Payments } from '../services/payment/payments.ts';
import { makeCart, makeProduct, makeTax, offerTestCard, totalsOf } from './kit.ts';

someDatabase('The rate of a tax that is changed', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
  });
  afterAll(() => app.close());

  it.each([
    ['raised', { amount: '50' }, { amount_untaxed: 10_000, amount_total: 15_000 }],
    ['from then on included in prices', { price_include: true }, { amount_untaxed: 8333, amount_total: 10_000 }],
  ])('is told of in a cart once it is %s, and charged after that', async (_, values, totals) => {
    const { cart, tax, card } = await app.write(async (ctx) => {
      const tax = await makeTax(ctx, '20');
      const product = await makeProduct(ctx, { list_price: '100', taxes_id: [tax] });
      return { cart: await makeCart(ctx, [product]), tax, card: await offerTestCard(ctx) };
    });
    const problems = () =>
      app.read(async (ctx) => (await ctx.model(SaleOrder).problems(cart)).map(({ code, remedy }) => [code, remedy]));
    expect(await problems()).toEqual([]);
    await app.write((ctx) => ctx.model(AccountTax).write(tax, values));
    expect(await problems()).toEqual([['sale.price_changed', 'renew']]);
    const start = () => app.write((ctx) => ctx.get(Payments).start({ order: cart, acquirer: card, returnUrl: '/' }));
    await expect(start()).rejects.toMatchObject({ code: 'sale.price_changed' });
    await app.write((ctx) => ctx.model(SaleOrder).reprice([cart]));
    expect(await problems()).toEqual([]);
    expect(await app.read((ctx) => totalsOf(ctx, cart))).toMatchObject(totals);
    await start();
  });

  it('changes nothing of an order that was placed', async () => {
    const { order, tax, card } = await app.write(async (ctx) => {
      const tax = await makeTax(ctx, '20');
      const product = await makeProduct(ctx, { list_price: '100', taxes_id: [tax] });
      return { order: await makeCart(ctx, [product]), tax, card: await offerTestCard(ctx) };
    });
    await app.write(async (ctx) => {
      const { id } = await ctx.get(Payments).start({ order, acquirer: card, returnUrl: '/' });
      await ctx.model(AccountTax).write(tax, { amount: '50' });
      await ctx.model('payment.transaction').advance([id], { state: 'done' });
    });
    expect(await app.read((ctx) => totalsOf(ctx, order))).toMatchObject({ state: 'sale', amount_total: 12_000 });
  });
});
