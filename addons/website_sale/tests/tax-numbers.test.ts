import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Partner } from '@pergola/base';
import { AccountTax, FiscalPosition, reverseCharge, SaleOrder, VatCheck, viesUrl } from '@pergola/sale';
import type { Id } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ShopTemplate } from '../models/product-template.ts';
import { askVat } from '../settings.ts';
import { address } from './kit.ts';

/** The EU register: numbers in `known` are valid, all others are not; nobody answers while `isDown`. */
class RegisterStub {
  readonly known = new Set<string>();
  readonly asked: string[] = [];
  isDown = false;
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { countryCode, vatNumber } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
      const number = `${countryCode}${vatNumber}`;
      this.asked.push(number);
      response.setHeader('content-type', 'application/json');
      const body = this.isDown
        ? { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }
        : { valid: this.known.has(number), requestIdentifier: this.known.has(number) ? `WAPI-${number}` : '' };
      response.end(JSON.stringify(body));
    });
  });

  start(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/rest-api`),
      );
    });
  }

  close(): void {
    this.#server.close();
  }
}

someDatabase('tax numbers at checkout', (database) => {
  const register = new RegisterStub();
  let app: TestApp;
  let product: Id;
  let template: Id;
  let position: Id;
  const countries: Record<string, Id> = {};
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database, demo: false });
    const base = await register.start();
    await app.write(async (ctx) => {
      for (const code of ['fr', 'de', 'at', 'be', 'gr', 'gb', 'ch', 'us'])
        countries[code] = await ctx.ref(`base.${code}`);
      const tax = await ctx.model(AccountTax).create({ name: 'VAT 20 %', amount: '20', price_include: true });
      template = await ctx
        .model(ShopTemplate)
        .create({ name: 'Bench', list_price: '120', taxes_id: [tax], website_published: true });
      position = await ctx.model(FiscalPosition).create({
        name: 'Businesses in the EU',
        auto_apply: true,
        vat_required: true,
        country_ids: ['de', 'at', 'be', 'gr', 'gb'].map((code) => countries[code] ?? 0),
        tax_ids: [{ create: { tax_src_id: tax } }],
      });
      const { product_variant_ids } = await ctx
        .model(ShopTemplate)
        .get(template, { select: { product_variant_ids: true } });
      product = product_variant_ids[0] ?? 0;
      await ctx.settings.set(askVat, true);
      await ctx.settings.set(viesUrl, base);
    });
  });
  afterAll(async () => {
    register.close();
    await app.close();
  });

  const forgetChecks = () => app.write(async (ctx) => ctx.model(VatCheck).unlink(await ctx.model(VatCheck).search([])));
  beforeEach(async () => {
    register.known.clear();
    register.asked.length = 0;
    await forgetChecks();
  });

  /** A guest's cart with the product, and the id of the order. */
  const cart = async (): Promise<{ visitor: Client; order: Id }> => {
    const visitor = app.visitor();
    await visitor.form('/shop/cart/update', { product_id: product });
    const [order = 0] = await app.read((ctx) => ctx.model(SaleOrder).search([], { order: 'id desc', limit: 1 }));
    return { visitor, order };
  };
  const send = (visitor: Client, vat: string, country: string, more: object = {}) =>
    visitor.form('/shop/confirm_order', { ...address, vat, country_id: countries[country] ?? 0, ...more });
  const stateOf = (order: Id) =>
    app.read((ctx) =>
      ctx.model(SaleOrder).get(order, {
        select: {
          amount_total: true,
          fiscal_position: true,
          invoice_vat_state: true,
          invoice_vat_consultation: true,
          invoice_vat_checked: true,
        },
      }),
    );

  it.each([
    ['BUTTERFLY', 'This VAT number isn’t valid for Germany.'],
    ['12345678', 'This VAT number isn’t valid for Germany.'],
    ['DE136695975', 'This VAT number isn’t valid for Germany.'],
    ['NOTAXPLEASE', 'This VAT number isn’t valid for Germany.'],
    ['FR12345678901', 'This VAT number isn’t valid for France.'],
    ['GB123456789', 'This VAT number isn’t valid for United Kingdom.'],
  ])('%s is refused next to its field, and the order keeps its tax', async (vat, message) => {
    const { visitor, order } = await cart();
    const { status, text } = await send(visitor, vat, 'de');
    expect([status, text.includes(message)]).toEqual([422, true]);
    expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, fiscal_position: null });
  });

  it('numbers that no register of the EU knows of take no tax off', async () => {
    for (const [vat, country, more] of [
      ['US99999999', 'de'],
      // The seller's own country.
      ['FR40303265045', 'de'],
      ['FR40303265045', 'fr'],
      // Another member state than that of the invoice address.
      ['ATU13585627', 'de'],
      ['GB980780684', 'gb'],
      ['XI980780684', 'gb', { zip: 'SW1A 1AA' }],
      ['CHE107787577', 'ch'],
    ] as const) {
      const { visitor, order } = await cart();
      const { location } = await send(visitor, vat, country, more);
      const state = await stateOf(order);
      expect([vat, location, state.amount_total, state.invoice_vat_state]).toEqual([
        vat,
        '/shop/payment',
        12_000,
        'other',
      ]);
    }
    expect(register.asked).toEqual([]);
  });

  it('a confirmed number of another member state takes the tax off, and the proof is kept', async () => {
    for (const [vat, country, number] of [
      ['DE 136 695 976', 'de', 'DE136695976'],
      ['GR094259216', 'gr', 'EL094259216'],
    ] as const) {
      register.known.add(number);
      const { visitor, order } = await cart();
      await send(visitor, vat, country);
      expect(await stateOf(order)).toMatchObject({
        amount_total: 10_000,
        fiscal_position: position,
        invoice_vat_state: 'valid',
        invoice_vat_consultation: `WAPI-${number}`,
        invoice_vat_checked: expect.any(Date),
      });
    }
    // The answer is kept: the same number again asks nobody.
    register.asked.length = 0;
    const { visitor } = await cart();
    await send(visitor, 'DE136695976', 'de');
    expect(register.asked).toEqual([]);
  });

  it('a number that the register does not know is charged with tax, and the page says so', async () => {
    const { visitor, order } = await cart();
    await send(visitor, 'BE0411905847', 'be');
    expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, invoice_vat_state: 'invalid' });
    expect((await visitor.get('/shop/payment')).text).toContain('doesn’t list the VAT number BE0411905847');
  });

  it('while the register gives no answer the order has its tax, until it answers', async () => {
    register.isDown = true;
    register.known.add('ATU13585627');
    const { visitor, order } = await cart();
    await send(visitor, 'ATU13585627', 'at');
    expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, invoice_vat_state: 'unverified' });
    expect((await visitor.get('/shop/payment')).text).toContain('couldn’t confirm the VAT number ATU13585627 yet');
    register.isDown = false;
    await forgetChecks();
    await app.runJobs();
    expect(await stateOf(order)).toMatchObject({
      amount_total: 10_000,
      invoice_vat_state: 'valid',
      invoice_vat_consultation: 'WAPI-ATU13585627',
    });
  });

  it('orders may be sold without tax at once, marked “To be checked”, where a setting says so', async () => {
    await app.write((ctx) => ctx.settings.set(reverseCharge, 'unverified'));
    register.isDown = true;
    const { visitor, order } = await cart();
    await send(visitor, 'ATU13585627', 'at');
    expect(await stateOf(order)).toMatchObject({ amount_total: 10_000, invoice_vat_state: 'unverified' });
    const wrong = await cart();
    expect((await send(wrong.visitor, 'ATU13585626', 'at')).status).toBe(422);
    register.isDown = false;
    await forgetChecks();
    await app.runJobs();
    expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, invoice_vat_state: 'invalid' });
    await app.write((ctx) => ctx.settings.set(reverseCharge, 'confirmed'));
  });

  it('staff get no reverse charge by what they write either, unless they choose the position', async () => {
    register.known.add('DE136695976');
    const admin = await app.as('admin');
    const call = <T>(model: string, method: string, ...args: unknown[]) =>
      admin.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
    const order_line = [[0, false, { product_id: product }]];
    for (const vat of ['BUTTERFLY', 'NOTAXPLEASE', '12345678', 'US99999999', 'FR12345678901', 'GB123456789']) {
      const partner_id = await call<Id>('res.partner', 'create', { name: 'Nettle', country_id: countries.de, vat });
      const order = await call<Id>('sale.order', 'create', { partner_id, order_line });
      expect([vat, await stateOf(order)]).toMatchObject([vat, { amount_total: 12_000, invoice_vat_state: 'other' }]);
      await call('sale.order', 'write', [order], { invoice_vat: 'ATU13585627' });
      expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, fiscal_position: null });
    }
    const partner_id = await call<Id>('res.partner', 'create', {
      name: 'Birch GmbH',
      country_id: countries.de,
      vat: 'DE136695976',
    });
    const order = await call<Id>('sale.order', 'create', { partner_id, order_line });
    expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, invoice_vat_state: 'unverified' });
    await app.runJobs();
    expect(await stateOf(order)).toMatchObject({ amount_total: 10_000, invoice_vat_state: 'valid' });
    // Another number, or another country, and the tax is back.
    await call('sale.order', 'write', [order], { invoice_vat: 'BUTTERFLY' });
    expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, invoice_vat_state: 'other' });
    await call('sale.order', 'write', [order], { invoice_vat: 'DE136695976' });
    expect(await stateOf(order)).toMatchObject({ amount_total: 10_000, invoice_vat_state: 'valid' });
    await call('sale.order', 'write', [order], { invoice_country_id: countries.at });
    expect(await stateOf(order)).toMatchObject({ amount_total: 12_000, invoice_vat_state: 'other' });
    // Staff decide: on the order, or for good on the contact.
    await call('sale.order', 'write', [order], { fiscal_position: position });
    expect(await stateOf(order)).toMatchObject({ amount_total: 10_000, invoice_vat_state: 'other' });
    await call('res.partner', 'write', [partner_id], { vat: 'BUTTERFLY', property_account_position: position });
    const agreed = await call<Id>('sale.order', 'create', { partner_id, order_line });
    expect(await stateOf(agreed)).toMatchObject({ amount_total: 10_000, invoice_vat_state: 'other' });
  });

  it('nobody writes what the register said', async () => {
    const admin = await app.as('admin');
    const { visitor, order } = await cart();
    const write = (model: string, id: Id, values: object) =>
      admin.rpc('/web/dataset/call_kw', { model, method: 'write', args: [[id], values], kwargs: {} });
    await write('sale.order', order, { invoice_vat_state: 'valid' }).catch(() => {});
    expect(await stateOf(order)).toMatchObject({ invoice_vat_state: null });
    await send(visitor, 'ATU13585627', 'at');
    const [check = 0] = await app.read((ctx) => ctx.model(VatCheck).search([], { limit: 1 }));
    await expect(write('sale.vat.check', check, { state: 'valid' })).rejects.toThrow();
  });

  it('a customer’s own account refuses wrong numbers, and their carts go by the number', async () => {
    register.known.add('DE136695976');
    const [partner = 0] = await app.read((ctx) => ctx.model(Partner).search([['user_ids.login', '=', 'admin']]));
    const customer = await app.as('admin');
    const home = { name: 'Ada', street2: '1 Weg', city: 'Bonn', zip: '53111', country_id: countries.de ?? 0 };
    const refused = await customer.form('/my/addresses/invoice', { ...home, vat: 'BUTTERFLY' });
    expect([refused.status, refused.text.includes('isn’t valid for Germany')]).toEqual([422, true]);
    expect((await customer.form('/my/addresses/invoice', { ...home, vat: 'DE136695976' })).status).toBe(303);
    await app.write((ctx) => ctx.model(Partner).write(partner, { email: 'ada@example.org' }));
    await customer.form('/shop/cart/update', { product_id: product });
    const [order = 0] = await app.read((ctx) => ctx.model(SaleOrder).search([], { order: 'id desc', limit: 1 }));
    await app.runJobs();
    expect(await stateOf(order)).toMatchObject({ amount_total: 10_000, invoice_vat_state: 'valid' });
  });
});
