import { AccountTax, SaleCompany } from '#addons/sale';
import type { Id } from '#core';
import { type Client, createTestApp, eachDatabase, type TestApp } from '#core/testing';
import { ShopTemplate } from '../models/product-template.ts';

interface Question {
  readonly text: string;
  readonly yes: string;
}

eachDatabase('Publishing products without a tax', (database) => {
  let app: TestApp;
  let admin: Client;
  let tax: Id;
  let exempt: Id;
  let untaxed: Id;
  let taxed: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database });
    await app.write(async (ctx) => {
      tax = await ctx.model(AccountTax).create({ name: 'VAT 20 %', amount: '20', price_include: true });
      exempt = await ctx.model(AccountTax).create({ name: 'VAT 0 % (exempt)', amount: '0' });
      untaxed = await ctx.model(ShopTemplate).create({ name: 'Lamp', taxes_id: [] });
      taxed = await ctx.model(ShopTemplate).create({ name: 'Rope', taxes_id: [tax] });
    });
    admin = await app.as('admin');
  }, 120_000);
  afterAll(() => app.close());

  const ask = (ids: readonly Id[], values: object) =>
    admin.rpc<Question[]>('/web/backend/questions', { model: 'product.template', ids, values });
  const texts = async (ids: readonly Id[], values: object) => (await ask(ids, values)).map(({ text }) => text);
  const publish = { website_published: true };

  it('asks nothing while the company has no default tax', async () => {
    expect(await ask([untaxed], publish)).toEqual([]);
    await app.write(async (ctx) =>
      ctx.model(SaleCompany).write(await ctx.ref('base.main_company'), { account_sale_tax_id: tax }),
    );
  });

  it('asks in forms, lists and on the website before a product goes out, and names it', async () => {
    expect(await ask([untaxed], publish)).toEqual([
      { text: 'No tax is set for “Lamp”. If it should be tax free, choose a 0 % tax.', yes: 'Publish without tax' },
    ]);
    expect(await texts([untaxed, taxed], publish)).toEqual([expect.stringContaining('“Lamp”')]);
    expect(await ask([taxed], publish)).toEqual([]);
    expect(await ask([untaxed], { website_published: false })).toEqual([]);
    expect(await ask([untaxed], { name: 'Other' })).toEqual([]);
    const more = await app.write((ctx) =>
      ctx.model(ShopTemplate).create(['A', 'B', 'C', 'D'].map((name) => ({ name, taxes_id: [] }))),
    );
    expect(await texts(more, publish)).toEqual([expect.stringContaining('4 products have no tax.')]);
  });

  it('looks at the taxes that are chosen in the same form, and at products that are published', async () => {
    expect(await ask([untaxed], { ...publish, taxes_id: [[6, 0, [exempt]]] })).toEqual([]);
    expect(await ask([untaxed], { ...publish, taxes_id: [[4, exempt, false]] })).toEqual([]);
    expect(await texts([taxed], { ...publish, taxes_id: [[6, 0, []]] })).toEqual([expect.stringContaining('“Rope”')]);
    await app.write((ctx) => ctx.model(ShopTemplate).write(taxed, { website_published: true }));
    expect(await texts([taxed], { taxes_id: [[3, tax, false]] })).toEqual([expect.stringContaining('“Rope”')]);
    expect(await ask([taxed], { taxes_id: [[6, 0, [exempt]]] })).toEqual([]);
    // A new product has the default tax unless it is taken out.
    expect(await ask([], { ...publish, name: 'New' })).toEqual([]);
    expect(await texts([], { ...publish, name: 'New', taxes_id: [[6, 0, []]] })).toEqual([
      expect.stringContaining('“New”'),
    ]);
  });

  it('leaves calls of programs alone: the answer of the toggle is a boolean', async () => {
    expect(await admin.rpc('/website/publish', { id: untaxed, object: 'product.template' })).toBe(true);
    expect(await admin.rpc('/website/publish', { id: untaxed, object: 'product.template' })).toBe(false);
  });

  it('is asked of users alone', async () => {
    await expect(
      app.visitor().rpc('/web/backend/questions', { model: 'product.template', ids: [untaxed], values: publish }),
    ).rejects.toThrow();
  });
});
