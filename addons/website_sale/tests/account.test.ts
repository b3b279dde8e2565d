import { Partner } from '@pergola/base';
import { SaleOrder } from '@pergola/sale';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ShopPartner } from '../models/res-partner.ts';
import { type Shelf, stockUp } from './kit.ts';

someDatabase('one’s own account', (database) => {
  let app: TestApp;
  let shelf: Shelf;
  let portal: Client;
  let france = 0;
  let partner = 0;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale', 'quote', 'mass_mailing', 'forum'], database, demo: true });
    portal = await app.as('portal');
    shelf = await app.write(stockUp);
    [france = 0, partner = 0] = await app.read((ctx) =>
      Promise.all(['base.fr', 'base.demo_portal_partner'].map((name) => ctx.ref(name))),
    );
  });
  afterAll(() => app.close());

  const deliveries = () =>
    app.read((ctx) =>
      ctx.model(Partner).find([['parent_id', '=', partner]], {
        select: { name: true, city: true, country_id: true },
        order: 'id',
      }),
    );
  const home = { name: 'Jo at work', street2: '3 quai du Port', zip: '69001', city: 'Lyon' };

  it('leads to what each addon has for a customer, who has signed in', async () => {
    expect(await app.visitor().get('/my/account')).toMatchObject({ status: 303 });
    const { text } = await portal.get('/fr/my/account');
    for (const path of [
      '/my/orders',
      '/my/quotations',
      '/my/addresses',
      '/my/newsletter',
      '/web/account',
      '/web/account#account-sessions',
    ])
      expect(text).toContain(`href="/fr${path}"`);
    expect(text).toMatch(/href="\/fr\/forum\/[\w-]+\/user\/\d+"/);
    await using alone = await createTestApp({ addons: ['web'], database });
    const page = (await (await alone.as('admin')).get('/my/account')).text;
    expect([...page.matchAll(/data-entry="([\w.]+)"/g)].map(([, id]) => id)).toEqual(['web.profile', 'web.sessions']);
  });

  it('shows quotations apart from orders, until they are accepted', async () => {
    const [quotation] = await app.write(async (ctx) => {
      const ids = await ctx.model(SaleOrder).create([
        {
          partner_id: partner,
          invoice_name: 'Jo',
          invoice_email: 'portal@example.com',
          order_line: [{ create: { product_id: shelf.ropeVariant, product_uom_qty: '1' } }],
        },
      ]);
      await ctx.model(SaleOrder).send(ids);
      return ids;
    });
    const name = await app.read(
      async (ctx) => (await ctx.model(SaleOrder).get(quotation ?? 0, { select: { name: true } })).name,
    );
    expect((await portal.get('/fr/my/quotations')).text).toContain(`>${name}</a>`);
    expect((await portal.get('/fr/my/orders')).text).not.toContain(`>${name}</a>`);
    await app.write((ctx) => ctx.model(SaleOrder).confirm([quotation ?? 0]));
    expect((await portal.get('/fr/my/quotations')).text).not.toContain(`>${name}</a>`);
    expect((await portal.get('/fr/my/orders')).text).toContain(`>${name}</a>`);
  });

  it('keeps addresses: one adds, changes and removes them, and says where parcels go', async () => {
    expect((await portal.get('/fr/my/addresses/new')).text).toMatch(
      new RegExp(`<option value="${france}" selected="">France</option>`),
    );
    const refused = await portal.form('/fr/my/addresses/new', { ...home, city: '', country_id: france });
    expect(refused.status).toBe(422);
    expect([...refused.text.matchAll(/has-error" data-field="(\w+)"/g)].map(([, name]) => name)).toEqual(['city']);
    expect(refused.text).toContain('value="3 quai du Port"');

    await portal.form('/fr/my/addresses/new', { ...home, country_id: france });
    const [made] = await deliveries();
    expect(made).toMatchObject({ name: 'Jo at work', city: 'Lyon', country_id: france });
    const path = `/fr/my/addresses/${made?.id}`;
    expect((await portal.form(path, { ...home, city: 'Villeurbanne', country_id: france })).status).toBe(303);
    expect(await deliveries()).toMatchObject([{ city: 'Villeurbanne' }]);

    await portal.form('/fr/my/addresses/usual', { address: made?.id ?? 0 });
    await portal.form('/fr/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: 1 });
    const checkout = (await portal.get('/fr/shop/checkout')).text;
    expect(checkout).toMatch(new RegExp(`<option value="${made?.id}" selected="">Jo at work`));

    expect((await portal.form(`${path}/remove`, {})).status).toBe(303);
    expect(await deliveries()).toEqual([]);
    expect(
      await app.read((ctx) => ctx.model(ShopPartner).get(partner, { select: { default_delivery_id: true } })),
    ).toMatchObject({ default_delivery_id: null });
  });

  it('changes no address of anybody else', async () => {
    const other = await app.write(async (ctx) => {
      const parent = await ctx.model(Partner).create({ name: 'Bob' });
      return ctx.model(Partner).create({ name: 'Bob at home', parent_id: parent, type: 'delivery' });
    });
    for (const answer of [
      await portal.get(`/fr/my/addresses/${other}`),
      await portal.form(`/fr/my/addresses/${other}`, { ...home, country_id: france }),
      await portal.form(`/fr/my/addresses/${other}/remove`, {}),
      await portal.form('/fr/my/addresses/usual', { address: other }),
    ])
      expect(answer.status).toBe(404);
    await expect(
      app.write((ctx) => ctx.model(ShopPartner).write(partner, { default_delivery_id: other })),
    ).rejects.toThrow('Choose one of the contact’s shipping addresses');
  });

  it('names a state only where addresses have one', async () => {
    const [usa, france] = await app.read((ctx) => Promise.all(['base.us', 'base.fr'].map((name) => ctx.ref(name))));
    const form = async (country_id: number | undefined) =>
      (await portal.form('/fr/my/addresses/new', { country_id: country_id ?? 0 })).text;
    expect(await form(usa)).toContain('>Texas</option>');
    expect(await form(france)).not.toMatch(/>(Texas|Bourgogne)/);
    expect((await portal.get(`/shop/states/${usa}`)).text).toContain('Texas');
    expect((await portal.get(`/shop/states/${france}`)).json()).toEqual({ states: [] });
  });

  it('keeps what one gets by mail', async () => {
    const page = (await portal.get('/fr/my/newsletter')).text;
    const [list = ''] = [...page.matchAll(/name="list" value="(\d+)"/g)].map(([, id]) => id ?? '');
    expect((await portal.form('/fr/my/newsletter', { list })).location).toContain('saved=1');
    expect((await portal.get('/fr/my/newsletter')).text).toMatch(new RegExp(`value="${list}"[^>]*checked`));
    await portal.form('/fr/my/newsletter', {});
    expect((await portal.get('/fr/my/newsletter')).text).not.toMatch(new RegExp(`value="${list}"[^>]*checked`));
  });
});
