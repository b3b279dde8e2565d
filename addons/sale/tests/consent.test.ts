import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { changesSince, contentToken, contentVersion, OrderChanged } from '../services/orders/order-content.ts';
import { Payments } from '../services/payment/payments.ts';
import { acquirerOf, makeCart, makeProduct, makeTax, offerTestCard, totalsOf } from './kit.ts';

someDatabase('Consent to the content of an order', (database) => {
  let app: TestApp;
  let card: number;
  let product: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    await app.write(async (ctx) => {
      card = await offerTestCard(ctx);
      product = await makeProduct(ctx, { taxes_id: [await makeTax(ctx, '20')] });
    });
  });
  afterAll(() => app.close());

  const cart = () => app.write((ctx) => makeCart(ctx, [product]));
  const shown = (id: number) => app.read(async (ctx) => contentToken(await ctx.model('sale.order').content(id)));
  const pay = (order: number, version?: string, key?: string) =>
    app
      .write((ctx) => ctx.get(Payments).start({ order, acquirer: card, version, key, returnUrl: '/' }))
      .then(
        () => [] as readonly string[],
        (error: unknown) => {
          if (error instanceof OrderChanged) return error.changes;
          throw error;
        },
      );
  const payments = (order: number) =>
    app.read((ctx) =>
      ctx.model(PaymentTransaction).find([['sale_order_id', '=', order]], {
        select: { state: true, amount: true, order_version: true, content: true },
      }),
    );

  it.each([
    ['a quantity', { order_line: 'set' }, 'Garden chair, Quantity: 1 → 5'],
    ['the terms', { note: 'You pay in advance.' }, 'Terms: (none) → You pay in advance.'],
    [
      'the address',
      { invoice_city: 'Paris' },
      'Billing address: Ada Lovelace, 12 Rue du Lac, 69001 Lyon → Ada Lovelace, 12 Rue du Lac, 69001 Paris',
    ],
    ['the delivery', { shipping_same: false, shipping_name: 'Bob' }, 'Shipping address: (none) → Bob'],
    ['the reference', { client_order_ref: 'PO 7' }, 'Your reference: (none) → PO 7'],
    ['the email', { invoice_email: 'eve@example.com' }, 'Email: ada@example.com → eve@example.com'],
  ])('is asked for again after a change of %s, and names the change', async (_, values, change) => {
    const order = await cart();
    const seen = await shown(order);
    await app.write(async (ctx) => {
      const orders = ctx.model(SaleOrder);
      if ('order_line' in values) await orders.setLine(order, { product, set: 5 });
      else await orders.write(order, values);
    });
    expect(await pay(order, seen)).toContain(change);
    expect(await payments(order)).toEqual([]);
    expect(await app.read((ctx) => totalsOf(ctx, order))).toMatchObject({ state: 'draft', name: null });
    expect(await pay(order, await shown(order))).toEqual([]);
  });

  it('is not asked for by clients that send no version', async () => {
    const order = await cart();
    await app.write((ctx) => ctx.model(SaleOrder).setLine(order, { product, set: 3 }));
    expect(await pay(order)).toEqual([]);
  });

  it('is stored with the payment: what is charged is what was agreed', async () => {
    const order = await cart();
    expect(await pay(order, await shown(order))).toEqual([]);
    const [payment] = await payments(order);
    const { name, amount_total } = await app.read((ctx) => totalsOf(ctx, order));
    expect(payment).toMatchObject({ amount: amount_total, content: { number: name, lang: 'en_US' } });
    expect(payment?.content && contentVersion(payment.content)).toBe(payment?.order_version);
    expect(payment?.content?.sums.at(-1)?.text).toContain('12.00');
    expect(payment?.content?.lines[0]?.name).toContain('Garden chair');
  });

  it('a version alone is compared, too; what is no version of ours only fails to match', async () => {
    const order = await cart();
    const [version = ''] = (await shown(order)).split('.');
    for (const wrong of ['x', `${version}x`, 'x.eNoDAA', '..', 'a.%%%'])
      expect(await pay(order, wrong)).toEqual(['The order has changed since you last saw it']);
    expect(await pay(order, version)).toEqual([]);
  });

  it('is the same in all languages, and changes are told in the reader’s', async () => {
    const order = await cart();
    const [en, fr] = await app.read(async (ctx) => [
      await ctx.as({ lang: 'en_US' }).model('sale.order').content(order),
      await ctx.as({ lang: 'fr_FR' }).model('sale.order').content(order),
    ]);
    if (!en || !fr) throw new Error('There is no content.');
    expect(contentVersion(fr)).toBe(contentVersion(en));
    expect(await app.read(async (ctx) => changesSince(ctx, contentToken(en), fr))).toEqual([]);
  });

  it('what a customer pays for stays as it is by every way of writing', async () => {
    const order = await cart();
    expect(await pay(order)).toEqual([]);
    for (const values of [
      { note: 'New terms' },
      { client_order_ref: 'x' },
      { lang: 'fr_FR' },
      { date_order: new Date(0) },
      { invoice_city: 'Paris' },
    ])
      await expect(app.write((ctx) => ctx.model(SaleOrder).write(order, values))).rejects.toThrow();
  });

  it('a transfer can’t be announced for terms that were changed on the way to it', async () => {
    const order = await app.write(async (ctx) => {
      const id = await makeCart(ctx, [product]);
      await ctx.get(Payments).start({ order: id, acquirer: await acquirerOf(ctx, 'test_card'), returnUrl: '/' });
      return id;
    });
    const [payment] = await payments(order);
    expect(await app.write((ctx) => ctx.get(Payments).endIfChanged(payment?.id ?? 0))).toEqual([]);
    // The name of who sells is no part of what is agreed; the note of the fiscal position is.
    await app.write(async (ctx) => {
      await ctx.db('sale_order').where({ id: order }).update({ note: 'Other terms' });
    });
    expect(await app.write((ctx) => ctx.get(Payments).endIfChanged(payment?.id ?? 0))).toEqual([
      'Terms: (none) → Other terms',
    ]);
    expect(await payments(order)).toMatchObject([{ state: 'cancel' }]);
  });
});
