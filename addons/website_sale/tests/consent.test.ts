import {
  AccountTax,
  orderDocument,
  PaymentAcquirer,
  PaymentTransaction,
  ProductUom,
  SaleCompany,
  SaleOrder,
} from '@pergola/sale';
import { WebsitePage } from '@pergola/website';
import { CallError, type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ShopTemplate } from '../models/product-template.ts';
import { ShopWebsite } from '../models/website.ts';
import { fill, giveBankAccount, pay, type Shelf, stockUp } from './kit.ts';

someDatabase('what the payment page showed', (database) => {
  let app: TestApp;
  let shelf: Shelf;
  let transfer = 0;
  let card = 0;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database });
    shelf = await app.write(stockUp);
    await app.write(giveBankAccount);
    [transfer = 0, card = 0] = await app.read((ctx) =>
      Promise.all(['sale.transfer', 'sale.test_card'].map((name) => ctx.ref(name))),
    );
    await app.write((ctx) => ctx.model(PaymentAcquirer).write(card, { website_published: true }));
  });
  afterAll(() => app.close());

  const versionIn = (html: string): string => /name="version" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const openPage = async (visitor: Client, language = '') => {
    await fill(app, visitor, shelf.ropeVariant);
    return versionIn((await visitor.get(`${language}/shop/payment`)).text);
  };
  const payments = () => app.read((ctx) => ctx.model(PaymentTransaction).count([]));
  const more = (visitor: Client) => visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: 4 });
  const plain = (html: string) => html.replace(/<[^>]*>|&nbsp;|\s+/g, ' ').replace(/\s+/g, ' ');

  it('is what is paid: another tab that adds to the cart starts nothing, and is named', async () => {
    const visitor = app.visitor();
    const version = await openPage(visitor);
    await more(visitor);
    const before = await payments();
    for (const method of [card, transfer]) {
      const refused = await visitor
        .rpc(`/shop/payment/transaction/${method}`, { version })
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(CallError);
      expect((refused as CallError).data).toMatchObject({ code: 'sale.order_changed' });
      expect((refused as CallError).data.message).toContain('Rope, Quantity: 1 → 5');
    }
    expect(await payments()).toBe(before);
    // The page without scripts says what has changed, and asks again with the new content.
    const page = await visitor.form(`/shop/payment/transaction/${card}/form`, { version });
    expect(page.status).toBe(409);
    expect(plain(page.text)).toContain('Rope, Quantity: 1 → 5');
    expect(plain(page.text)).toMatch(/Total: 10\.00.*, incl\. 1\.67.* → 50\.00/);
    expect(page.text).toContain('data-slot="payment"');
    expect(await payments()).toBe(before);
    const fresh = versionIn(page.text);
    expect(fresh).not.toBe(version);
    expect((await visitor.form(`/shop/payment/transaction/${card}/form`, { version: fresh })).status).toBe(200);
    expect(await payments()).toBe(before + 1);
  });

  it('is not needed: the empty payload begins a payment as before', async () => {
    const visitor = app.visitor();
    await openPage(visitor);
    await more(visitor);
    expect(await pay(visitor, transfer)).toBe('/shop/payment/validate');
  });

  it('is in the visitor’s language when it changed', async () => {
    const visitor = app.visitor();
    const version = await openPage(visitor, '/fr');
    await more(visitor);
    const { text } = await visitor.form(`/fr/shop/payment/transaction/${card}/form`, { version });
    expect(plain(text)).toMatch(/Quantité : 1 → 5/);
    expect(plain(text)).toContain('Votre commande a changé');
  });

  it('covers the terms of sale that the button names', async () => {
    const page = await app.write(async (ctx) => {
      const content = '<p>Two years</p>';
      const id = await ctx
        .model(WebsitePage)
        .create({ name: 'Terms', url: '/terms-now', website_published: true, content });
      await ctx.model(ShopWebsite).write(await ctx.ref('website.default_website'), { shop_terms_page_id: id });
      return id;
    });
    const visitor = app.visitor();
    const version = await openPage(visitor);
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { content: '<p>No warranty</p>' }));
    const { status, text } = await visitor.form(`/shop/payment/transaction/${card}/form`, { version });
    expect([
      status,
      plain(text).includes('Terms of sale: <p>Two years</p>') || plain(text).includes('Terms of sale'),
    ]).toEqual([409, true]);
    await visitor.form(`/shop/payment/transaction/${transfer}/form`, { version: versionIn(text) });
    const [payment] = await app.read((ctx) =>
      ctx
        .model(PaymentTransaction)
        .find([], { select: { content: true, sale_order_id: true }, order: 'id desc', limit: 1 }),
    );
    expect(JSON.stringify(payment?.content?.context)).toContain('No warranty');
    // Terms of the shop that change while money is on its way are no other order.
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { content: '<p>Newer terms</p>' }));
    const order = payment?.sale_order_id ?? 0;
    await app.write(async (ctx) => {
      const tries = await ctx.model(PaymentTransaction).search([['sale_order_id', '=', order]]);
      await ctx.model(PaymentTransaction).advance(tries, { state: 'done' });
    });
    expect(
      await app.read((ctx) => ctx.model(SaleOrder).get(order, { select: { state: true, blocked_reason: true } })),
    ).toMatchObject({
      state: 'sale',
      blocked_reason: null,
    });
  });

  it('is what is ordered when there is nothing to pay', async () => {
    const [sticker = 0] = await app.write(async (ctx) => {
      const id = await ctx.model(ShopTemplate).create({ name: 'Sticker', list_price: '0', website_published: true });
      return (await ctx.model(ShopTemplate).get(id, { select: { product_variant_ids: true } })).product_variant_ids;
    });
    const visitor = app.visitor();
    await fill(app, visitor, sticker);
    const version = versionIn((await visitor.get('/shop/payment')).text);
    await visitor.form('/shop/cart/update', { product_id: sticker, add_qty: 2 });
    const page = await visitor.form('/shop/payment/validate', { version });
    expect([page.status, plain(page.text).includes('Sticker, Quantity: 1 → 3')]).toEqual([409, true]);
    expect((await visitor.form('/shop/payment/validate', { version: versionIn(page.text) })).location).toBe(
      '/shop/confirmation',
    );
  });

  it('is what the address form orders when nothing is paid and nothing is sent', async () => {
    const [seat = 0] = await app.write(async (ctx) => {
      const values = { name: 'Free seat', list_price: '0', type: 'service', website_published: true } as const;
      const id = await ctx.model(ShopTemplate).create(values);
      return (await ctx.model(ShopTemplate).get(id, { select: { product_variant_ids: true } })).product_variant_ids;
    });
    const visitor = app.visitor();
    await visitor.form('/shop/cart/update', { product_id: seat, add_qty: 1 });
    const version = versionIn((await visitor.get('/shop/checkout')).text);
    expect(version).not.toBe('');
    await visitor.form('/shop/cart/update', { product_id: seat, add_qty: 2 });
    const form = { name: 'Ada Lovelace', email: 'ada@example.com' };
    const page = await visitor.form('/shop/confirm_order', { ...form, version });
    expect([page.status, plain(page.text).includes('Free seat, Quantity: 1')]).toEqual([409, true]);
    expect(page.text).toContain('value="Ada Lovelace"');
    const again = await visitor.form('/shop/confirm_order', { ...form, version: versionIn(page.text) });
    expect(again.location).toBe('/shop/confirmation');
  });

  it('is what the page of an order asks to pay', async () => {
    const { id, token } = await app.write(async (ctx) => {
      const orders = ctx.model(SaleOrder);
      const order = await orders.create({
        invoice_name: 'Ada',
        invoice_email: 'ada@example.com',
        order_line: [{ create: { name: 'Work', price_unit: '80' } }],
      });
      await orders.send([order]);
      return { id: order, token: (await orders.get(order, { select: { access_token: true } })).access_token };
    });
    const visitor = app.visitor();
    const version = versionIn((await visitor.get(`/shop/order/${id}/${token}`)).text);
    await app.write((ctx) => ctx.model(SaleOrder).write(id, { note: 'In advance' }));
    const path = `/payment/order/${id}/${token}/transaction/${card}`;
    await expect(visitor.rpc(path, { version, amount: 8000 })).rejects.toMatchObject({
      data: { code: 'sale.order_changed' },
    });
    const page = await visitor.form(`${path}/form`, { version, amount: 8000 });
    expect([page.status, plain(page.text).includes('Terms: (none) → In advance')]).toEqual([409, true]);
    expect(page.text).toContain(`/shop/order/${id}/${token}`);
    const fresh = versionIn((await visitor.get(`/shop/order/${id}/${token}`)).text);
    expect(await visitor.rpc<string>(path, { version: fresh, amount: 8000 })).toContain('<form');
  });

  it('is what documents and pages of the order print, whatever its things are called later', async () => {
    const visitor = app.visitor();
    await openPage(visitor);
    expect(await pay(visitor, transfer)).toBe('/shop/payment/validate');
    const order = await app.read(async (ctx) => {
      const [id = 0] = await ctx.model(SaleOrder).search([], { order: 'id desc', limit: 1 });
      return ctx.model(SaleOrder).get(id, { select: { access_token: true, name: true } });
    });
    const printed = () => app.read(async (ctx) => JSON.stringify(await orderDocument(ctx.sudo(), order.id)));
    const page = async () => plain((await visitor.get(`/shop/order/${order.id}/${order.access_token}`)).text);
    const before = await printed();
    expect(before).toContain('Rope');
    await app.write(async (ctx) => {
      await ctx.model(ShopTemplate).write(shelf.rope, { name: 'Cord' });
      const taxes = await ctx.model(AccountTax).search([]);
      await ctx.model(AccountTax).write(taxes, { name: 'Levy', amount: '50' });
      const company = await ctx.ref('base.main_company');
      await ctx.model(SaleCompany).write(company, { phone: '+33 1 99 00 99 99' });
      await ctx.model(ProductUom).write(await ctx.model(ProductUom).search([]), { name: 'Coil' });
    });
    expect(await printed()).toBe(before);
    expect(await page()).toContain('Rope');
    expect(await page()).not.toContain('Cord');
    // What staff change is printed.
    await app.write(async (ctx) => {
      await ctx.model(SaleOrder).cancel([order.id]);
      await ctx.model(SaleOrder).reopen([order.id]);
    });
    expect(await printed()).toContain('+33 1 99 00 99 99');
    await app.write(async (ctx) => {
      await ctx.model(ShopTemplate).write(shelf.rope, { name: 'Rope' });
      await ctx.model(AccountTax).write(await ctx.model(AccountTax).search([]), { amount: '20' });
    });
  });
});
