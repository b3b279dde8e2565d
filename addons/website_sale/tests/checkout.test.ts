import { Partner } from '@pergola/base';
import {
  orderDocument,
  PaymentAcquirer,
  PaymentTransaction,
  ProductStock,
  SaleOrder,
  SaleOrderLine,
} from '@pergola/sale';
import { WebsitePage } from '@pergola/website';
import type { FieldsOf, Values } from 'pergola';
import { mailServerSetting } from 'pergola/mail';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { sumViews } from '../jobs/sum-views.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { ShopWebsite } from '../models/website.ts';
import { ShopView } from '../models/website-sale-view.ts';
import { countryChoices } from '../services/checkout/places.ts';
import { askVat } from '../settings.ts';
import { address, fill, giveBankAccount, pay, type Shelf, stockUp } from './kit.ts';

eachDatabase('the checkout', (database, once) => {
  let app: TestApp;
  let shelf: Shelf;
  let belgium = 0;
  let usa = 0;
  let transfer = 0;
  let card = 0;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database });
    shelf = await app.write(stockUp);
    [belgium = 0, usa = 0, transfer = 0, card = 0] = await app.read((ctx) =>
      Promise.all(['base.be', 'base.us', 'sale.transfer', 'sale.test_card'].map((name) => ctx.ref(name))),
    );
    // As the demo data does.
    await app.write(async (ctx) => {
      await ctx.model(PaymentAcquirer).write(card, { website_published: true });
      await giveBankAccount(ctx);
    });
  });
  afterAll(() => app.close());

  /** The steps from a page to an order, as the first page of the backend shows them. */
  const funnel = async (client: Client) => {
    interface Shown {
      readonly widgets: readonly { id: string; content: { lines: { count: number; note: string | null }[] } }[];
    }
    const { widgets } = await client.rpc<Shown>('/web/backend/dashboard', {});
    return widgets.find(({ id }) => id === 'website_sale.funnel')?.content.lines ?? [];
  };
  const cart = async (): Promise<Client> => {
    const visitor = app.visitor();
    await visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: 2 });
    return visitor;
  };

  it('countries that orders came from are offered before the others', async () => {
    const usual = async () =>
      (await app.read(countryChoices)).flatMap((country) => (country.usual ? [country.id] : []));
    expect(await usual()).not.toContain(usa);
    await app.write(async (ctx) => {
      const order = await ctx.model(SaleOrder).create({ invoice_name: 'Grace', invoice_country_id: usa });
      const line = { order_id: order, product_id: shelf.ropeVariant, product_uom_qty: '1' };
      await ctx.model(SaleOrderLine).create(line as Values<FieldsOf<SaleOrderLine>>);
      await ctx.model(SaleOrder).confirm([order]);
    });
    expect(await usual()).toContain(usa);
  });

  once('nothing of something makes no cart, and is no error', async () => {
    const visitor = app.visitor();
    for (const add_qty of ['0', '-1', 'two', '2abc'])
      expect((await visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty })).location).toBe(
        '/shop/cart',
      );
    expect(visitor.cookieHeader).not.toContain('session_id');
  });

  once('marks what is missing or wrong beside its field, and keeps the rest', async () => {
    const visitor = await cart();
    const answer = await visitor.form('/shop/confirm_order', { name: 'Ada', email: 'nothing', city: 'Brussels' });
    expect(answer.status).toBe(422);
    const marked = [...answer.text.matchAll(/has-error" data-field="(\w+)"/g)].map(([, name]) => name);
    expect(marked).toEqual(['email', 'phone', 'street2', 'country_id']);
    expect(answer.text).toContain('value="Ada"');
    expect(answer.text).toContain('Enter a valid email address.');
  });

  once('has the states of the chosen country only, for those without scripts, too', async () => {
    const visitor = await cart();
    const { text } = await visitor.form('/shop/confirm_order', { country_id: usa });
    const lists = [...text.matchAll(/(<noscript>)?<select[^>]* name="state_id"[^>]*>(.*?)<\/select>/g)];
    expect(lists.map(([all, noscript]) => [noscript !== undefined, all.includes(' disabled=')])).toEqual([
      [true, false],
      // It would be sent as well.
      [false, true],
    ]);
    const american = await app.read((ctx) => ctx.modelNamed('res.country.state').count([['country_id', '=', usa]]));
    for (const [all] of lists) expect(all.match(/<option/g)).toHaveLength(american + 1);
    const start = await visitor.get('/shop/checkout');
    expect(start.text.length).toBeLessThan(120_000);
    const answer = await visitor.get(`/shop/states/${usa}`);
    expect(JSON.parse(answer.text).states).toHaveLength(american);
    expect(JSON.parse((await visitor.get(`/shop/states/${belgium}`)).text)).toEqual({ states: [] });
  });

  once('shows the states of a newly chosen country once to those without scripts, even if none is needed', async () => {
    const visitor = await cart();
    const japan = await app.read((ctx) => ctx.ref('base.jp'));
    const fields = { ...address, country_id: japan, zip: '100-0001' };
    const again = await visitor.form('/shop/confirm_order', { ...fields, states_of: belgium });
    expect([again.status, again.text.includes('Tokyo')]).toEqual([422, true]);
    expect(again.text).toContain('Choose a state or province, or leave this empty.');
    expect(again.text).toContain(`name="states_of" value="${japan}"`);
    expect((await visitor.form('/shop/confirm_order', { ...fields, states_of: japan })).status).toBe(303);
  });

  once('asks for postal code and state where the country has them, and takes no state of another one', async () => {
    const visitor = await cart();
    const state = await app.read(async (ctx) => {
      const [id] = await ctx.modelNamed('res.country.state').search([['country_id', '=', usa]], { limit: 1 });
      return id ?? 0;
    });
    const fields = (more: object) => ({ ...address, country_id: belgium, ...more });
    const marked = async (more: object) => {
      const { text } = await visitor.form('/shop/confirm_order', fields(more));
      return [...text.matchAll(/has-error" data-field="(\w+)"/g)].map(([, name]) => name);
    };
    expect(await marked({ zip: '' })).toEqual(['zip']);
    expect(await marked({ country_id: usa })).toEqual(['state_id']);
    expect(await marked({ state_id: state })).toEqual(['state_id']);
    expect(await marked({ country_id: 99_999 })).toEqual(['country_id']);
    expect(await marked({ shipping_id: 1 })).toEqual(['shipping_id']);
    expect(await marked({ shipping_id: 987_654 })).toEqual(['shipping_id']);
    expect(await marked({ shipping_id: -1 })).toEqual([
      'shipping_name',
      'shipping_phone',
      'shipping_street',
      'shipping_city',
      'shipping_country_id',
    ]);
  });

  once('a telephone number and a tax number are such', async () => {
    await app.write((ctx) => ctx.settings.set(askVat, true));
    const visitor = await cart();
    const marked = async (more: object) => {
      const { text } = await visitor.form('/shop/confirm_order', { ...address, country_id: belgium, ...more });
      return [...text.matchAll(/has-error" data-field="(\w+)"/g)].map(([, name]) => name);
    };
    for (const phone of ['abc', '+', 'call me 5', '1', '+33', '12 ext. 4567'])
      expect([phone, await marked({ phone })]).toEqual([phone, ['phone']]);
    for (const vat of ['FR12', 'BE 123', 'DE12345678X', '?'])
      expect([vat, await marked({ vat })]).toEqual([vat, ['vat']]);
    for (const vat of ['FR 40 303 265 045', 'be0417.497.106', 'US123456789', 'CHE-123.456.789 MWST'])
      expect([vat, await marked({ vat, phone: '(02) 555/12.12 ext. 4' })]).toEqual([vat, []]);
    await app.write((ctx) => ctx.settings.set(askVat, false));
  });

  once('an e-mail address may have an international domain, and is kept as it was typed', async () => {
    const visitor = await cart();
    const email = 'info@münchen.example';
    expect((await visitor.form('/shop/confirm_order', { ...address, email, country_id: belgium })).location).toBe(
      '/shop/payment',
    );
    expect((await visitor.get('/shop/payment')).text).toContain(email);
    // Browsers send it in ASCII.
    await visitor.form('/shop/confirm_order', {
      ...address,
      email: 'info@xn--mnchen-3ya.example',
      country_id: belgium,
    });
    expect((await visitor.get('/shop/payment')).text).toContain(email);
  });

  once('counts each step to an order once, and no figure is above what it is a part of', async () => {
    await app.write(async (ctx) => ctx.model(ShopView).unlink(await ctx.model(ShopView).search([])));
    const visitor = await cart();
    const beacon = (path: string) => visitor.post(`/stats/ecom/${path}`, { headers: { Origin: app.url } });
    for (let times = 0; times < 3; times += 1) {
      await beacon('customer_checkout');
      await beacon('order_checkout');
      await beacon('order_payment/Test%20card');
    }
    // What was fetched ahead for the visitor stays.
    expect((await beacon('customer_checkout')).headers.get('clear-site-data')).toBeNull();
    expect(await app.read((ctx) => ctx.model(ShopView).count([]))).toBe(3);
    const lines = await funnel(await app.as('admin'));
    expect(lines.map(({ count, note }) => [count, note])).toEqual([
      [1, null],
      [1, '100%'],
      [1, '100%'],
      [1, '100%'],
      [1, '100%'],
      [0, '0%'],
    ]);
    await app.write(async (ctx) => ctx.model(ShopView).unlink(await ctx.model(ShopView).search([])));
  });

  once('copies the address onto the order and stores nothing else that is sent along', async () => {
    const visitor = await cart();
    const contacts = await app.read((ctx) => ctx.model(Partner).count([]));
    await visitor.form('/shop/confirm_order', {
      ...address,
      country_id: belgium,
      id: 1,
      partner_id: 1,
      user_id: 1,
      state: 'sale',
      amount_total: 0,
      price_unit: 0,
      website_published: 'true',
      invoice_name: 'Mallory',
    });
    const order = await app.read((ctx) =>
      ctx.model(SaleOrder).first(
        [
          ['invoice_name', '=', 'Ada Lovelace'],
          ['is_cart', '=', true],
        ],
        {
          select: {
            state: true,
            partner_id: true,
            user_id: true,
            amount_total: true,
            invoice_street: true,
            name: true,
          },
        },
      ),
    );
    expect(order).toMatchObject({ state: 'draft', partner_id: null, user_id: null, amount_total: 2000, name: null });
    expect(order?.invoice_street).toBe('12 Garden Lane');
    expect(await app.read((ctx) => ctx.model(Partner).count([]))).toBe(contacts);
  });

  it('pays by transfer: one payment however often one presses, the status, thanks, the page of the order', async () => {
    const visitor = app.visitor();
    await fill(app, visitor, shelf.ropeVariant, 3);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => visitor.rpc<string>(`/shop/payment/transaction/${transfer}`, {})),
    );
    const tokens = new Set(answers.map((html) => /name="reference" value="([^"]*)"/.exec(html)?.[1]));
    expect(tokens.size).toBe(1);
    expect(await pay(visitor, transfer)).toBe('/shop/payment/validate');
    expect((await visitor.get('/shop/payment/validate')).location).toBe('/shop/confirmation');
    const { text } = await visitor.get('/shop/confirmation');
    expect(text).toContain('Thank you for your order');
    expect(text).toContain('30.00');
    expect(/data-order-part="lines">[\s\S]*?data-order-part=/.exec(text)?.[0]).toContain('Rope');
    expect(text).toMatch(/You’ll get an email at \S+@/);
    expect(text).toContain('data-slot="mails-held"');
    const server = { host: '127.0.0.1', port: 1, security: 'none', user: '', password: '', from: '' } as const;
    await app.write((ctx) => ctx.settings.set(mailServerSetting, server));
    const { text: served } = await visitor.get('/shop/confirmation');
    expect(served).toMatch(/You’ll get an email at \S+@/);
    expect(served).not.toContain('data-slot="mails-held"');
    await app.write((ctx) => ctx.settings.set(mailServerSetting, null));
    const id = Number(/data-order-id="(\d+)"/.exec(text)?.[1]);
    const status = await visitor.rpc<Record<string, unknown>>(`/shop/payment/get_status/${id}`);
    expect(status).toMatchObject({ state: 'pending', validation: 'manual' });
    expect(status.message).toContain([...tokens][0]);
    const payments = await app.read((ctx) => ctx.model(PaymentTransaction).count([['sale_order_id', '=', id]]));
    expect(payments).toBe(1);
    expect((await visitor.get('/shop')).text).toMatch(/my_cart_quantity[^>]* hidden/);
    const link = /href="(\/shop\/order\/[^"]+)"/.exec(text)?.[1] ?? '';
    expect((await app.visitor().get(link)).text).toContain('Ada Lovelace');
    for (const page of [link, `/fr${link}`]) {
      const document = /href="([^"]+\/pdf)"/.exec((await app.visitor().get(page)).text)?.[1] ?? '';
      expect([document, (await app.visitor().get(document)).headers.get('content-type')]).toEqual([
        `${page}/pdf`,
        'application/pdf',
      ]);
    }
    const paper = JSON.stringify(await app.read((ctx) => orderDocument(ctx, id)));
    for (const words of ['Order SO', 'Pay by bank transfer', 'Payment reference']) expect(paper).toContain(words);
    const tracking = await visitor.rpc<{ transaction: object; lines: object[] }>('/shop/tracking_last_order/');
    expect(tracking.transaction).toMatchObject({ id, revenue: 30, currency: 'EUR' });
    expect(tracking.lines).toEqual([expect.objectContaining({ id, name: 'Rope', price: 10, quantity: 3 })]);
  });

  once('orders of others are not there: status, tracking, page, document answer like for what is missing', async () => {
    const owner = app.visitor();
    await fill(app, owner, shelf.ropeVariant);
    await pay(owner, transfer);
    const { text } = await owner.get('/shop/confirmation');
    const id = Number(/data-order-id="(\d+)"/.exec(text)?.[1]);
    const other = await cart();
    const foreign = await other.rpc(`/shop/payment/get_status/${id}`).catch((error) => error.message);
    expect(foreign).toBe(await other.rpc('/shop/payment/get_status/999999').catch((error) => error.message));
    expect(await other.rpc('/shop/tracking_last_order/')).toEqual({});
    const pages = [`/shop/order/${id}/wrong`, '/shop/order/999999/wrong', `/shop/order/${id}/wrong/pdf`];
    for (const path of pages) expect((await other.get(path)).status).toBe(404);
    expect((await other.get('/shop/confirmation')).location).toBe('/shop');
  });

  once('a refused card leaves the cart, and another try pays; the order is confirmed by the notification', async () => {
    const visitor = app.visitor();
    await fill(app, visitor, shelf.rareVariant);
    const outcome = async (name: string) => {
      const to = new URL(await pay(visitor, card), app.url);
      const answer = await visitor.form(to.pathname, { ...Object.fromEntries(to.searchParams), outcome: name });
      return visitor.get(answer.location ?? '');
    };
    const refused = await outcome('refused');
    expect(refused.location).toBe('/shop/payment?note=failed');
    expect((await visitor.get('/shop/payment?note=failed')).text).toContain('You can try again');
    const paid = await outcome('paid');
    expect(paid.location).toBe('/shop/confirmation');
    const { text } = await visitor.get('/shop/confirmation');
    expect(text).toContain('data-state="done"');
    expect(text).toMatch(/You’ll get an email at \S+@/);
    const left = await app.read((ctx) => ctx.model(ProductStock).rowsOf([shelf.rareVariant]));
    expect(left.get(shelf.rareVariant)?.quantity).toBe(2);
  });

  once('what the bank of a card still checks is announced by email', async () => {
    const visitor = app.visitor();
    await fill(app, visitor, shelf.ropeVariant);
    const to = new URL(await pay(visitor, card), app.url);
    const answer = await visitor.form(to.pathname, { ...Object.fromEntries(to.searchParams), outcome: 'pending' });
    await visitor.get(answer.location ?? '');
    const { text } = await visitor.get('/shop/confirmation');
    expect(text).toContain('data-state="pending"');
    expect(text).toMatch(/You’ll get an email at \S+@/);
    expect(text).not.toContain('data-slot="mails-held"');
  });

  once('while a payment is begun the cart stays as it is, until one changes one’s mind', async () => {
    const visitor = app.visitor();
    await fill(app, visitor, shelf.ropeVariant);
    await visitor.rpc(`/shop/payment/transaction/${card}`, {});
    const { text } = await visitor.get('/shop/cart');
    expect(text).toContain('Return to payment');
    const line_id = Number(/data-line-id="(\d+)"/.exec(text)?.[1]);
    const change = () => visitor.rpc('/shop/cart/update_json', { line_id, product_id: shelf.ropeVariant, set_qty: 4 });
    await expect(change()).rejects.toThrow('being paid');
    const again = await visitor.form('/shop/confirm_order', { ...address, country_id: belgium });
    expect(again.location).toBe('/shop/payment?note=paying');
    await visitor.form('/shop/payment/cancel');
    await expect(change()).resolves.toMatchObject({ quantity: 4 });
  });

  once('what was taken from the shop since is told, by name, before anything is paid', async () => {
    const product = await app.write((ctx) =>
      ctx.model(ShopTemplate).create({ name: 'Short-lived', list_price: '7', website_published: true }),
    );
    const variant = await app.read(async (ctx) => {
      const { product_variant_ids } = await ctx
        .model(ShopTemplate)
        .get(product, { select: { product_variant_ids: true } });
      return product_variant_ids[0] ?? 0;
    });
    const visitor = app.visitor();
    await fill(app, visitor, variant);
    await app.write((ctx) => ctx.model(ShopTemplate).write(product, { website_published: false }));
    await expect(visitor.rpc(`/shop/payment/transaction/${transfer}`, {})).rejects.toThrow(
      '“Short-lived” is no longer sold.',
    );
    expect((await visitor.get('/shop/cart')).text).toContain('This item is no longer sold. Please remove it.');
    const lines = await app.read((ctx) => ctx.model(SaleOrderLine).count([['product_id', '=', variant]]));
    expect(lines).toBe(1);
    expect((await visitor.get('/shop/payment')).text).toContain('“Short-lived” is no longer sold.');
    expect((await visitor.form('/shop/cart/refresh')).location).toBe('/shop/cart?note=changed');
    expect((await visitor.get('/shop/cart')).text).toContain('Your cart is empty!');
  });

  once('a price that changed since is told by name, taken over when asked for, and paid as it was seen', async () => {
    const product = await app.write((ctx) =>
      ctx.model(ShopTemplate).create({ name: 'Dearer', list_price: '7', website_published: true }),
    );
    const [variant = 0] = await app.read(
      async (ctx) =>
        (await ctx.model(ShopTemplate).get(product, { select: { product_variant_ids: true } })).product_variant_ids,
    );
    const visitor = app.visitor();
    await fill(app, visitor, variant);
    await app.write((ctx) => ctx.model(ShopTemplate).write(product, { list_price: '9' }));
    for (const path of ['/shop/cart', '/shop/payment'])
      expect((await visitor.get(path)).text).toContain('The price of “Dearer” has changed.');
    const back = (await visitor.form('/shop/cart/refresh')).location ?? '';
    const { text } = await visitor.get(back);
    expect(text).toContain('“Dearer” has a new price.');
    expect(text).not.toContain('The price of “Dearer”');
    expect(text).toContain('9.00');
    expect(await pay(visitor, transfer)).toBe('/shop/payment/validate');
  });

  once('the terms are named before the button that orders, free or not, where visitors may read them', async () => {
    const free = await app.write((ctx) =>
      ctx.model(ShopTemplate).create({ name: 'Sticker', list_price: '0', website_published: true }),
    );
    const [sticker = 0] = await app.read(
      async (ctx) =>
        (await ctx.model(ShopTemplate).get(free, { select: { product_variant_ids: true } })).product_variant_ids,
    );
    const said = async (product: number) => {
      const visitor = app.visitor();
      await fill(app, visitor, product);
      const { text } = await visitor.get('/fr/shop/payment');
      return /<main[\s\S]*href="[^"]*\/sales-terms">[^<]*<\/a>[\s\S]*type="submit"[\s\S]*<\/main>/.test(text);
    };
    expect([await said(shelf.ropeVariant), await said(sticker)]).toEqual([false, false]);
    const page = await app.write(async (ctx) => {
      const terms = await ctx
        .model(WebsitePage)
        .create({ name: 'Terms', url: '/sales-terms', website_published: true, content: '<p>Two years</p>' });
      await ctx.model(ShopWebsite).write(await ctx.ref('website.default_website'), { shop_terms_page_id: terms });
      return terms;
    });
    expect([await said(shelf.ropeVariant), await said(sticker)]).toEqual([true, true]);
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { website_published: false }));
    expect(await said(shelf.ropeVariant)).toBe(false);
  });

  once('what costs nothing is ordered without paying, and what costs something is not', async () => {
    const free = await app.write((ctx) =>
      ctx.model(ShopTemplate).create({ name: 'Leaflet', list_price: '0', website_published: true }),
    );
    const variant = await app.read(async (ctx) => {
      const { product_variant_ids } = await ctx
        .model(ShopTemplate)
        .get(free, { select: { product_variant_ids: true } });
      return product_variant_ids[0] ?? 0;
    });
    const visitor = app.visitor();
    await fill(app, visitor, variant);
    expect((await visitor.form('/shop/payment/validate')).location).toBe('/shop/confirmation');
    expect((await visitor.get('/shop/confirmation')).text).toContain('Thank you for your order');
    const cheat = app.visitor();
    await fill(app, cheat, shelf.ropeVariant);
    expect((await cheat.form('/shop/payment/validate')).status).toBe(409);
  });

  once('customers see their own orders, and keep new delivery addresses', async () => {
    const customer = await app.as('admin');
    await customer.form('/shop/cart/update', { product_id: shelf.ropeVariant });
    const shipping = {
      shipping_id: -1,
      shipping_name: 'Garden shed',
      shipping_phone: '+32 2 555 12 12',
      shipping_street: '3 Path',
      shipping_city: 'Namur',
      shipping_zip: '5000',
      shipping_country_id: belgium,
    };
    await customer.form('/shop/confirm_order', { ...address, country_id: belgium, ...shipping });
    await pay(customer, transfer);
    const { text } = await customer.get('/my/orders');
    expect(text).toContain('Awaiting payment');
    expect(text).toMatch(/>SO\d+<\/a>\s*<div[^>]*>Rope<\/div>/);
    await customer.form('/shop/cart/update', { product_id: shelf.ropeVariant });
    expect((await customer.get('/shop/checkout')).text).toContain('Garden shed, 3 Path, Namur');
    expect((await app.visitor().get('/my/orders')).location).toMatch(/^\/web\/login/);
    expect((await app.visitor().get('/shop/orders')).location).toBe('/my/orders');
    await customer.rpc('/shop/cart/clean');
  });

  it('counts what is told by its own pages only, and adds days up at night', async () => {
    const beacon = (path: string, headers: Record<string, string> = { Origin: app.url }) =>
      app.visitor().post(`/stats/ecom/${path}`, { headers });
    const paths = [
      `product_view/${shelf.ropeVariant}`,
      `product_view/${shelf.ropeVariant}`,
      `product_add_to_cart/${shelf.ropeVariant}`,
      'customer_checkout',
      'customer_signin',
      'customer_signup',
      'order_checkout',
      'order_payment/Wire%20Transfer',
      'order_confirmed/999999',
      `product_view/${shelf.secretVariant}`,
    ];
    for (const path of paths) expect((await beacon(path)).status).toBe(204);
    expect((await beacon('customer_checkout', { Origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await beacon('customer_checkout', {})).status).toBe(403);
    const count = () => app.read((ctx) => ctx.model(ShopView).count([]));
    expect(await count()).toBe(8);
    const admin = await app.as('admin');
    const kwargs = { domain: [['kind', '=', 'order_payment']], fields: ['count'], groupby: ['method'], lazy: false };
    const call = { model: 'website.sale.view', method: 'read_group', args: [], kwargs };
    expect(await admin.rpc('/web/dataset/call_kw', call)).toMatchObject([{ method: 'Wire Transfer', count: 1 }]);
    const before = await admin.get('/web/shop/figures');
    expect(before.location).toBe('/web/m/website.sale.view?menu=website_sale.menu_figures');
    await app.write(async (ctx) => {
      const ids = await ctx.model(ShopView).search([]);
      const yesterday = new Date(ctx.now().getTime() - 86_400_000).toISOString().slice(0, 10);
      await ctx.model(ShopView).write(ids, { day: yesterday });
      await ctx.jobs.enqueue(sumViews, {});
    });
    await app.runJobs();
    expect(await count()).toBe(7);
    const [views] = await app.read((ctx) =>
      ctx.model(ShopView).find([['kind', '=', 'product_view']], { select: { count: true } }),
    );
    expect(views?.count).toBe(2);
  });
});
