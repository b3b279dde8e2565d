import { Group, Partner, User } from '@pergola/base';
import { SaleOrder, SaleOrderLine } from '@pergola/sale';
import { CallError, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { type Shelf, stockUp, type Updated } from './kit.ts';

eachDatabase('the cart', (database, once) => {
  let app: TestApp;
  let shelf: Shelf;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database, demo: false });
    shelf = await app.write(stockUp);
  });
  afterAll(() => app.close());
  const update = (visitor: Pick<TestApp, 'rpc'>, params: object) =>
    visitor.rpc<Updated>('/shop/cart/update_json', params);
  const orders = () => app.read((ctx) => ctx.model(SaleOrder).count([]));

  once('is made by the first thing in it, and by nothing else', async () => {
    const before = await orders();
    const visitor = app.visitor();
    for (const path of ['/shop/cart', '/shop/checkout', '/shop/payment', '/shop/confirmation', '/shop'])
      await visitor.get(path);
    await visitor.rpc('/shop/cart/clean');
    expect(await orders()).toBe(before);
    expect(visitor.cookie('session_id')).toBeUndefined();
    const answer = await update(visitor, { product_id: shelf.ropeVariant, add_qty: 2 });
    expect(answer).toMatchObject({ quantity: 2, cart_quantity: 2, amount_total: 20 });
    expect(answer['website_sale.total']).toContain('id="cart_total"');
    expect(await orders()).toBe(before + 1);
    expect((await visitor.get('/shop')).text).toMatch(/my_cart_quantity[^>]*>2</);
  });

  once.each([
    ['/shop', '/shop'],
    ['/shop?search=rope', '/shop?search=rope'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/%2f%2fevil.example/', '/'],
    ['https://evil.example/', '/'],
  ])('asks before it is emptied, with a way back to %s at %s', async (page, back) => {
    const Referer = URL.canParse(page) ? page : app.url + page;
    const { text } = await app.visitor().form('/shop/cart/clean/form', {}, { Accept: 'text/html', Referer });
    expect(/<a [^>]*href="([^"]*)">Cancel<\/a>/.exec(text)?.[1]).toBe(back);
  });

  it('has one line for a form that is sent twice at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const visitor = app.visitor();
      await update(visitor, { product_id: shelf.ropeVariant, add_qty: 1 });
      const before = await orders();
      const send = () => visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, set_qty: 3 });
      const answers = await Promise.all([send(), send()]);
      expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(2).fill([303, '/shop/cart']));
      expect(await visitor.rpc('/shop/cart/lines')).toMatchObject({ lines: [{ quantity: 3 }] });
      expect(await orders()).toBe(before);
    }
  });

  once('is looked into by its owner alone, from any page', async () => {
    const [visitor, other] = [app.visitor(), app.visitor()];
    await update(visitor, { product_id: shelf.ropeVariant, add_qty: 2 });
    expect(await visitor.rpc('/shop/cart/lines')).toMatchObject({
      lines: [{ name: 'Rope', url: `/shop/product/rope-${shelf.rope}`, quantity: 2, amount: { value: 20 } }],
      total: { value: 20 },
    });
    expect(await other.rpc('/shop/cart/lines')).toEqual({ lines: [], total: null });
    expect(other.cookie('session_id')).toBeUndefined();
  });

  once.each([
    [3, 3],
    ['4', 4],
    ['5abc', 0],
    ['', 0],
    [true, 0],
    [[2], 0],
    [{}, 0],
    [2.7, 2],
    [-1, 0],
    [1e9, 100_000],
    [2 ** 53, 100_000],
  ])('a quantity of %p becomes %p', async (set_qty, expected) => {
    const visitor = app.visitor();
    const { line_id } = await update(visitor, { product_id: shelf.ropeVariant, add_qty: 1 });
    const answer = await update(visitor, { line_id, product_id: shelf.ropeVariant, set_qty });
    expect(answer.quantity).toBe(expected);
    expect(answer.amount_total).toBe(expected * 10);
  });

  once.each([
    [2.7, 2, 'Enter a whole number.'],
    [0.5, 0, 'Enter a whole number.'],
    [1e9, 100_000, 'You can order up to 100,000 of each product.'],
    [2 ** 53, 100_000, 'You can order up to 100,000 of each product.'],
    [100_000, 100_000, undefined],
    [3, 3, undefined],
    ['abc', 0, undefined],
  ])('says so when a quantity of %p is cut to %p', async (set_qty, quantity, warning) => {
    const visitor = app.visitor();
    const { line_id } = await update(visitor, { product_id: shelf.ropeVariant, add_qty: 1 });
    const answer = await update(visitor, { line_id, product_id: shelf.ropeVariant, set_qty });
    expect([answer.quantity, answer.warning]).toEqual([quantity, warning]);
  });

  once('says so on the page when a form asks for too many', async () => {
    const visitor = app.visitor();
    const reply = await visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: 200_000 });
    expect(reply.location).toBe('/shop/cart?note=most');
    expect((await visitor.get('/shop/cart?note=most')).text).toContain('You can order up to 100,000 of each product');
  });

  once('a line of another cart does not exist, and stays as it was', async () => {
    const owner = app.visitor();
    const { line_id } = await update(owner, { product_id: shelf.ropeVariant, add_qty: 2 });
    const other = app.visitor();
    await update(other, { product_id: shelf.lampSmall, add_qty: 1 });
    const foreign = await update(other, { line_id, product_id: shelf.ropeVariant, set_qty: 9 }).catch((e) => e);
    const missing = await update(other, { line_id: 999_999, product_id: shelf.ropeVariant, set_qty: 9 }).catch(
      (e) => e,
    );
    expect(foreign).toBeInstanceOf(CallError);
    expect([foreign.code, foreign.message]).toEqual([missing.code, missing.message]);
    expect((await owner.get('/shop/cart')).text).toMatch(/my_cart_quantity[^>]*>2</);
  });

  once('takes the server’s price, whatever is sent along', async () => {
    const visitor = app.visitor();
    const answer = await update(visitor, {
      product_id: shelf.ropeVariant,
      add_qty: 1,
      price_unit: 0.01,
      amount_total: 0,
      order_id: 1,
      discount: 100,
      partner_id: 1,
    });
    expect(answer.amount_total).toBe(10);
  });

  it('sells nothing that is not published, and no more than there is', async () => {
    const visitor = app.visitor();
    await expect(update(visitor, { product_id: shelf.secretVariant, add_qty: 1 })).rejects.toThrow('no longer sold');
    await expect(update(visitor, { product_id: 999_999, add_qty: 1 })).rejects.toThrow('no longer sold');
    const answer = await update(visitor, { product_id: shelf.rareVariant, add_qty: 5 });
    expect(answer).toMatchObject({ quantity: 3, warning: expect.stringContaining('Only 3 left') });
    const page = `/shop/product/rare-vase-${shelf.rare}`;
    expect((await visitor.get(page)).text).toContain('The last ones are in your cart');
    expect((await app.visitor().get(page)).text).toContain('Sold out');
    const other = await app.visitor().form('/shop/cart/update', { product_id: shelf.rareVariant });
    expect(other.location).toBe('/shop/cart?note=out');
    await visitor.rpc('/shop/cart/clean');
    expect((await app.visitor().form('/shop/cart/update', { product_id: shelf.rareVariant })).location).toBe(
      '/shop/cart',
    );
  });

  once('finds the variant of the values that were chosen, without scripts', async () => {
    const visitor = app.visitor();
    const name = `attribute-${shelf.lamp}-${shelf.attribute}`;
    await visitor.form('/shop/cart/update', {
      product_id: 0,
      product_template_id: shelf.lamp,
      [name]: shelf.large,
      add_qty: 2,
    });
    const { text } = await visitor.get('/shop/cart');
    expect(text).toContain('Desk lamp (Large)');
    expect(text).toContain('90.00');
    const none = await visitor.form('/shop/cart/update', { product_id: 0, product_template_id: shelf.lamp, [name]: 7 });
    expect(none.status).toBe(409);
    const line = /name="line_id" value="(\d+)"/.exec(text)?.[1] ?? '';
    await visitor.form('/shop/cart/update_json/form', { line_id: line, set_qty: 1 });
    expect((await visitor.get('/shop/cart')).text).toContain('45.00');
    await visitor.form('/shop/cart/clean/form');
    expect((await visitor.get('/shop/cart')).text).toContain('Your cart is empty!');
  });

  once('speaks French, amounts too', async () => {
    const visitor = app.visitor();
    await update(visitor, { product_id: shelf.ropeVariant, add_qty: 9 });
    const { text } = await visitor.get('/fr/shop/cart');
    expect(text).toMatch(/<td class="shop-line-total td-total">.*?90,00/);
    expect(text).toContain('<span>Commander</span>');
    expect(text).toContain('action="/fr/shop/cart/update_json/form"');
  });

  once('is brought together with the customer’s own at sign-in, and kept at sign-out', async () => {
    const credentials = { login: 'admin', password: 'a first password' };
    const elsewhere = await app.as('admin');
    await update(elsewhere, { product_id: shelf.lampSmall, add_qty: 1 });
    const visitor = app.visitor();
    await update(visitor, { product_id: shelf.lampSmall, add_qty: 2 });
    await update(visitor, { product_id: shelf.ropeVariant, add_qty: 1 });
    await visitor.form('/web/login', credentials);
    expect((await visitor.get('/shop')).text).toMatch(/my_cart_quantity[^>]*>4</);
    expect((await elsewhere.get('/shop')).text).toMatch(/my_cart_quantity[^>]*>4</);
    await visitor.form('/web/logout');
    expect((await visitor.get('/shop')).text).toMatch(/my_cart_quantity[^>]*>4</);
    await visitor.form('/web/login', credentials);
    expect((await visitor.get('/shop')).text).toMatch(/my_cart_quantity[^>]*>4</);
    await visitor.rpc('/shop/cart/clean');
  });

  once('is brought together also for who signs in by choosing a new password', async () => {
    const group = await app.read((ctx) => ctx.model(Group).search([['code', '=', 'base.group_portal']]));
    await app.write(async (ctx) => {
      const partner_id = await ctx.model(Partner).create({ name: 'Ada', email: 'ada@example.com' });
      await ctx.model(User).create({ login: 'ada', partner_id, group_ids: group, email_verified: true });
    });
    const visitor = app.visitor();
    await update(visitor, { product_id: shelf.ropeVariant, add_qty: 3 });
    await visitor.form('/web/reset_password', { login: 'ada' });
    await app.runJobs();
    const { knex, reader } = app.database;
    const { rows } = await reader.query(knex('core_outbox').select('html').orderBy('id', 'desc').toSQL().toNative());
    const link = /href="[^"]*?(\/web\/reset_password\/[^"]*)"/.exec(String(rows[0]?.html))?.[1] ?? '';
    const chosen = { password: 'quite a new password', confirm: 'quite a new password' };
    expect((await visitor.form(link, chosen)).status).toBe(303);
    expect((await visitor.get('/shop')).text).toMatch(/my_cart_quantity[^>]*>3</);
    const other = app.visitor();
    await other.form('/web/login', { login: 'ada', password: chosen.password });
    expect((await other.get('/shop')).text).toMatch(/my_cart_quantity[^>]*>3</);
  });

  once('a page kept for visitors is the same while others buy', async () => {
    const first = await app.get('/shop');
    const again = await app.get('/shop');
    await update(app.visitor(), { product_id: shelf.ropeVariant, add_qty: 1 });
    const later = await app.get('/shop', { headers: { 'If-None-Match': again.headers.get('etag') ?? '' } });
    expect(first.status).toBe(200);
    expect(again.headers.get('etag')).toBeTruthy();
    expect(later.status).toBe(304);
  });

  it('clicks at the same time end with what was asked for last, and one line', async () => {
    const visitor = app.visitor();
    const { line_id } = await update(visitor, { product_id: shelf.ropeVariant, add_qty: 1 });
    const wanted = [2, 3, 4, 5, 6, 7];
    await Promise.all(wanted.map((set_qty) => update(visitor, { line_id, product_id: shelf.ropeVariant, set_qty })));
    const rows = await app.read((ctx) =>
      ctx.model(SaleOrderLine).find([['id', '=', Number(line_id)]], {
        select: { product_uom_qty: true, order_id: { amount_total: true, order_line: true } },
      }),
    );
    const quantity = Number(rows[0]?.product_uom_qty);
    expect(wanted).toContain(quantity);
    expect(rows[0]?.order_id).toMatchObject({ amount_total: quantity * 1000, order_line: [line_id] });
  });

  once('what was taken out with the last change can be put back', async () => {
    const visitor = app.visitor();
    await visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: 3 });
    const line = Number(/data-line-id="(\d+)"/.exec((await visitor.get('/shop/cart')).text)?.[1]);
    // What is no number is 0, and 0 takes the line away.
    const answer = await visitor.rpc<Updated>('/shop/cart/update_json', {
      line_id: line,
      product_id: shelf.ropeVariant,
      set_qty: 'abc',
    });
    expect(answer.quantity).toBe(0);
    expect((await visitor.get('/shop/cart')).text).toContain('“Rope” was removed from your cart.');
    expect((await app.visitor().form('/shop/cart/undo', {})).location).toBe('/shop/cart');
    await visitor.form('/shop/cart/undo', {});
    const back = (await visitor.get('/shop/cart')).text;
    expect(back).toMatch(/name="set_qty" value="3"/);
    expect(back).not.toContain('was removed from');
    // Once.
    await visitor.form('/shop/cart/undo', {});
    expect((await visitor.get('/shop/cart')).text).toMatch(/name="set_qty" value="3"/);
  });
});
