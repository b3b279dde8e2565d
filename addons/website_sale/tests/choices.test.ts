import { Group, Partner, Passwords, User } from '@pergola/base';
import { PricelistItem, ProductPricelist, ProductProduct, SaleOrder, SalePartner } from '@pergola/sale';
import type { Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { ShopPricelist } from '../models/product-pricelist.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { address, giveBankAccount } from './kit.ts';

const password = 'choices of visitors';

eachDatabase('what a visitor chose', (database, once) => {
  let app: TestApp;
  let product: Id;
  let page: string;
  let vase: Id;
  let dollars: Id;
  let members: Id;
  let belgium: Id;
  let euro: Id;
  let transfer: Id;
  let people = 0;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database, demo: false });
    await app.write(async (ctx) => {
      belgium = await ctx.ref('base.be');
      euro = await ctx.ref('base.eur');
      transfer = await ctx.ref('sale.transfer');
      await giveBankAccount(ctx);
      const usd = await ctx.ref('base.usd');
      await ctx.modelNamed('res.currency').write([usd], { rate: '1.2', active: true });
      const template = (name: object, values: object = {}) =>
        ctx.model(ShopTemplate).create({ name, list_price: '100', website_published: true, ...values } as never);
      const bench = await template({ en_US: 'Bench', fr_FR: 'Banc' });
      const { product_variant_ids } = await ctx
        .model(ShopTemplate)
        .get(bench, { select: { product_variant_ids: true } });
      product = product_variant_ids[0] ?? 0;
      page = `/shop/product/bench-${bench}`;
      const rare = await template({ en_US: 'Vase', fr_FR: 'Vase' }, { inventory: 'kept' });
      const [row] = await ctx.model(ShopTemplate).read([rare], { select: { product_variant_ids: true } });
      vase = row?.product_variant_ids[0] ?? 0;
      const list = async (values: object, percent?: string) => {
        const id = await ctx.model(ShopPricelist).create({ currency_id: euro, ...values } as never);
        if (percent)
          await ctx
            .model(PricelistItem)
            .create({ pricelist_id: id, compute_price: 'percentage', percent_price: percent } as never);
        return id;
      };
      await list({ name: 'Arbour', code: 'TONNELLE', sequence: 50 }, '10');
      await list({ name: 'Spring', code: 'SPRING', sequence: 60 }, '20');
      dollars = await list({ name: 'Dollars', currency_id: usd, selectable: true, sequence: 70 });
      members = await list({ name: 'Members', sequence: 80 }, '30');
    });
  });
  afterAll(() => app.close());

  /** A customer with an account, and the contact. */
  const customer = async (values: object = {}): Promise<{ login: string; partner: Id }> => {
    const login = `visitor${++people}@example.com`;
    const partner = await app.write(async (ctx) => {
      const group_ids = await ctx.model(Group).search([['code', '=', 'base.group_portal']]);
      const partner_id = await ctx.model(Partner).create({ name: login, email: login, ...values } as never);
      const password_hash = await ctx.get(Passwords).hash(password);
      await ctx.model(User).create({ login, partner_id, group_ids, email_verified: true, password_hash } as never);
      return partner_id;
    });
    return { login, partner };
  };
  const signIn = (client: Client, login: string) => client.form('/web/login', { login, password });
  const add = (client: Client, add_qty = 1, product_id = product) =>
    client.rpc<{ amount_total: number }>('/shop/cart/update_json', { product_id, add_qty });
  /** The cart as its page shows it: code, and whether texts are there. */
  const shown = async (client: Client, path = '/shop/cart') => (await client.get(path)).text;
  const cartOf = (partner: Id) =>
    app.read((ctx) =>
      ctx.model(SaleOrder).first(
        [
          ['partner_id', '=', partner],
          ['is_cart', '=', true],
        ],
        {
          select: {
            amount_total: true,
            lang: true,
            currency_id: { name: true },
            pricelist_id: { name: true },
            order_line: { name: true, product_uom_qty: true },
            invoice_name: true,
            invoice_email: true,
            invoice_city: true,
          },
          order: 'id desc',
        },
      ),
    );
  /** A customer who left a cart with one bench. */
  const returning = async (values: object = {}) => {
    const { login, partner } = await customer(values);
    const before = app.visitor();
    await signIn(before, login);
    await add(before);
    return { login, partner, before };
  };

  once('a promo code holds in the cart and on all pages after signing in with an older cart', async () => {
    const { login, partner } = await returning();
    const guest = app.visitor();
    await add(guest);
    await guest.form('/shop/pricelist', { promo: 'tonnelle' });
    await signIn(guest, login);
    expect(await cartOf(partner)).toMatchObject({ amount_total: 18_000, pricelist_id: { name: 'Arbour' } });
    const cart = await shown(guest);
    for (const text of ['TONNELLE', '180.00', 'We added the items from your last visit']) expect(cart).toContain(text);
    expect(await shown(guest, page)).toContain('90.00');
    // Taken off, it is gone from both.
    await guest.form('/shop/pricelist', { promo: '' });
    expect(await cartOf(partner)).toMatchObject({ amount_total: 20_000 });
    expect(await shown(guest, page)).not.toContain('90.00');
  });

  once('a currency holds in the cart and on all pages after signing in with an older cart', async () => {
    const { login, partner } = await returning();
    const guest = app.visitor();
    await add(guest);
    await guest.form('/shop/change_pricelist', { pricelist: dollars });
    await signIn(guest, login);
    expect(await cartOf(partner)).toMatchObject({ amount_total: 24_000, currency_id: { name: 'USD' } });
    expect(await shown(guest)).toContain('$240.00');
    expect(await shown(guest, page)).toMatch(/\$[^€]{0,60}120\.00/);
    // Without a cart of their own as guest, too.
    const other = await returning();
    const visitor = app.visitor();
    await visitor.form('/shop/change_pricelist', { pricelist: dollars });
    await signIn(visitor, other.login);
    expect(await cartOf(other.partner)).toMatchObject({ amount_total: 12_000, currency_id: { name: 'USD' } });
  });

  once(
    'the code of an earlier cart holds until another choice is made, and the page says when it does not',
    async () => {
      const left = async () => {
        const { login, partner, before } = await returning();
        await before.form('/shop/pricelist', { promo: 'SPRING' });
        return { login, partner };
      };
      const first = await left();
      const here = app.visitor();
      await add(here);
      await signIn(here, first.login);
      expect(await cartOf(first.partner)).toMatchObject({ amount_total: 16_000 });
      expect(await shown(here)).toContain('SPRING');
      expect(await shown(here, page)).toContain('80.00');
      await add(here);
      expect(await cartOf(first.partner)).toMatchObject({ amount_total: 24_000 });
      const second = await left();
      const chose = app.visitor();
      await add(chose);
      await chose.form('/shop/pricelist', { promo: 'TONNELLE' });
      await signIn(chose, second.login);
      expect(await cartOf(second.partner)).toMatchObject({ amount_total: 18_000 });
      expect(await shown(chose)).toContain('The promo code SPRING from your earlier cart no longer applies.');
      expect(await shown(chose, '/fr/shop/cart')).toContain('SPRING');
      // It is said until the cart is changed.
      await add(chose);
      expect(await shown(chose)).not.toContain('SPRING');
    },
  );

  once('a code that is no longer given out is taken off, and the page says so', async () => {
    const { login, partner, before } = await returning();
    const list = await app.write((ctx) =>
      ctx.model(ShopPricelist).create({ name: 'Gone', code: 'GONE', currency_id: euro, sequence: 90 } as never),
    );
    await before.form('/shop/pricelist', { promo: 'GONE' });
    await app.write((ctx) => ctx.model(ProductPricelist).write(list, { active: false }));
    const here = app.visitor();
    await signIn(here, login);
    expect(await shown(here)).toContain('The promo code GONE from your earlier cart no longer applies.');
    expect(await cartOf(partner)).toMatchObject({ amount_total: 10_000 });
  });

  once('customers with prices of their own see them in the cart and on pages, unless they chose others', async () => {
    const { login, partner } = await customer();
    await app.write((ctx) => ctx.model(SalePartner).write(partner, { property_product_pricelist: members }));
    const guest = app.visitor();
    await add(guest);
    await signIn(guest, login);
    const both = async () => [
      (await cartOf(partner))?.amount_total,
      /(?:70|100|90|120)\.00/.exec(await shown(guest, page))?.[0],
    ];
    expect(await both()).toEqual([7_000, '70.00']);
    await guest.form('/shop/change_pricelist', { pricelist: dollars });
    expect(await both()).toEqual([12_000, '120.00']);
    const usual = await app.read(async (ctx) => (await ctx.model(ProductPricelist).search([], { limit: 1 }))[0] ?? 0);
    await guest.form('/shop/change_pricelist', { pricelist: usual });
    expect(await both()).toEqual([7_000, '70.00']);
    await guest.form('/shop/pricelist', { promo: 'TONNELLE' });
    expect(await both()).toEqual([9_000, '90.00']);
    await guest.form('/shop/pricelist', { promo: '' });
    expect(await both()).toEqual([7_000, '70.00']);
  });

  once('a list with a code is opened by nothing but the code', async () => {
    const secret = await app.write((ctx) =>
      ctx
        .model(ShopPricelist)
        .create({ name: 'Secret', code: 'SECRET', selectable: true, currency_id: euro, sequence: 95 } as never),
    );
    for (const cookie of [`l${secret}`, `c${secret}`, 'cSECRET', `l${members}`]) {
      const { text } = await app.visitor().get('/shop/cart', { headers: { cookie: `shop_pricelist=${cookie}` } });
      expect([cookie, text.includes('SECRET')]).toEqual([cookie, false]);
      const guest = await app.visitor().get(page, { headers: { cookie: `shop_pricelist=${cookie}` } });
      expect(guest.text).toContain('100.00');
    }
    const chosen = await app.visitor().form('/shop/change_pricelist', { pricelist: secret });
    expect(chosen.status).toBe(422);
  });

  once('the address typed for an order stays after signing in on the payment page, the e-mail too', async () => {
    const { login, partner } = await returning({ street: '99 Old Road', city: 'Oldtown', country_id: belgium });
    const guest = app.visitor();
    await add(guest);
    await guest.form('/shop/confirm_order', { ...address, country_id: belgium, note: 'Ring twice' });
    await signIn(guest, login);
    const text = await shown(guest, '/shop/payment');
    for (const words of ['Ada Lovelace', '12 Garden Lane', 'ada@example.org', 'We kept the address you entered'])
      expect(text).toContain(words);
    expect(text).not.toContain('99 Old Road');
    expect(await cartOf(partner)).toMatchObject({
      invoice_name: 'Ada Lovelace',
      invoice_email: 'ada@example.org',
      amount_total: 20_000,
    });
  });

  once('without a typed address that of the earlier cart counts, unless the account was changed since', async () => {
    const { login, partner, before } = await returning({ street: '99 Old Road', city: 'Oldtown', country_id: belgium });
    await before.form('/shop/confirm_order', { ...address, country_id: belgium });
    const first = app.visitor();
    await add(first);
    await signIn(first, login);
    expect(await cartOf(partner)).toMatchObject({ invoice_city: 'Brussels' });
    await app.write((ctx) => ctx.model(Partner).write(partner, { city: 'Newtown' }));
    const second = app.visitor();
    await add(second);
    await signIn(second, login);
    expect(await cartOf(partner)).toMatchObject({ invoice_city: 'Newtown' });
  });

  once('texts of the lines are in the language of the checkout, and of each change before it', async () => {
    const visitor = app.visitor();
    await add(visitor);
    const line = async () => {
      const [order] = await app.read((ctx) =>
        ctx
          .model(SaleOrder)
          .find([], { select: { lang: true, order_line: { name: true } }, order: 'id desc', limit: 1 }),
      );
      return [order?.lang, order?.order_line[0]?.name];
    };
    expect(await line()).toEqual(['en_US', 'Bench']);
    // Looking at a page writes nothing.
    await visitor.get('/fr/shop/cart');
    expect(await line()).toEqual(['en_US', 'Bench']);
    expect((await visitor.form('/fr/shop/confirm_order', { ...address, country_id: belgium })).location).toBe(
      '/fr/shop/payment',
    );
    expect(await line()).toEqual(['fr_FR', 'Banc']);
    await visitor.get('/website/lang/default?r=/shop');
    await add(visitor);
    expect(await line()).toEqual(['en_US', 'Bench']);
    await visitor.form('/fr/shop/cart/update', { product_id: product });
    expect(await line()).toEqual(['fr_FR', 'Banc']);
  });

  const setStock = (pieces: number) => app.write((ctx) => ctx.model(ProductProduct).setStock(vase, pieces));

  once('what is short after merging is told by name', async () => {
    const { login } = await customer();
    const before = app.visitor();
    await signIn(before, login);
    await setStock(3);
    await add(before, 2, vase);
    const guest = app.visitor();
    await add(guest, 1, vase);
    await setStock(2);
    await signIn(guest, login);
    expect(await shown(guest)).toMatch(/“Vase”: only \d could be kept/);
  });

  once('a payment under way goes on while its visitor signs in; the earlier cart waits', async () => {
    const { login, partner } = await returning();
    const guest = app.visitor();
    await add(guest, 2);
    await guest.form('/shop/confirm_order', { ...address, country_id: belgium });
    await guest.rpc(`/shop/payment/transaction/${transfer}`, {});
    await signIn(guest, login);
    expect(await shown(guest)).toContain('Return to payment');
    expect(await cartOf(partner)).toMatchObject({ amount_total: 10_000 });
  });

  describe('of a visitor without a session, whose first requests arrive together', () => {
    const openCarts = () =>
      app.read((ctx) => ctx.model(SaleOrder).find([['is_cart', '=', true]], { select: { cart_quantity: true } }));
    const begun = async (work: () => Promise<unknown>) => {
      const before = new Set((await openCarts()).map(({ id }) => id));
      await work();
      return (await openCarts()).filter(({ id }) => !before.has(id));
    };

    it.each([2, 5])('%i calls come to one cart with all of it, on the page that is opened next', async (calls) => {
      const visitor = app.visitor();
      const carts = await begun(async () => {
        await Promise.all(Array.from({ length: calls }, () => add(visitor)));
        expect(await shown(visitor)).toMatch(new RegExp(`name="set_qty" value="${calls}"`));
      });
      expect(carts).toMatchObject([{ cart_quantity: calls }]);
    });

    it('forms without scripts do so, too, and the next change brings them together as well', async () => {
      const visitor = app.visitor();
      const carts = await begun(async () => {
        await Promise.all([
          visitor.form('/shop/cart/update', { product_id: product }),
          visitor.form('/shop/cart/update', { product_id: product }),
        ]);
        await add(visitor);
      });
      expect(carts).toMatchObject([{ cart_quantity: 3 }]);
      expect(Object.keys(visitor.cookies).filter((name) => name.startsWith('shop_cart_'))).toHaveLength(0);
    });

    once('nobody gets the cart of another visitor by naming it', async () => {
      const [mine, other] = [app.visitor(), app.visitor()];
      await add(other, 4);
      const [theirs] = await app.read((ctx) => ctx.model(SaleOrder).search([], { order: 'id desc', limit: 1 }));
      await add(mine);
      for (const value of ['', '1', '9999999999.x', `9999999999.${'A'.repeat(43)}`])
        await mine.get('/shop/cart', { headers: { cookie: `${mine.cookieHeader}; shop_cart_${theirs}=${value}` } });
      expect(await shown(other)).toMatch(/name="set_qty" value="4"/);
      expect(await shown(mine)).toMatch(/name="set_qty" value="1"/);
    });
  });
});
