import { AccountTax, SaleCompany } from '@pergola/sale';
import type { Id } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ShopTemplate } from '../models/product-template.ts';

interface Question {
  readonly text: string;
  readonly yes: string;
}

someDatabase('Publishing products without a tax', (database) => {
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
    await setDefaultTax(tax);
    admin = await app.as('admin');
  });
  afterAll(() => app.close());

  const setDefaultTax = (id: Id | null) =>
    app.write(async (ctx) =>
      ctx.model(SaleCompany).write(await ctx.ref('base.main_company'), { account_sale_tax_id: id }),
    );
  const ask = (ids: readonly Id[], values: object) =>
    admin.rpc<Question[]>('/web/backend/questions', { model: 'product.template', ids, values });
  const texts = async (ids: readonly Id[], values: object) => (await ask(ids, values)).map(({ text }) => text);
  const publish = { website_published: true };

  it('asks nothing while the company has no default tax', async () => {
    await setDefaultTax(null);
    expect(await ask([untaxed], publish)).toEqual([]);
    await setDefaultTax(tax);
  });

  it('asks in forms, lists and on the website before a product goes out, and names it', async () => {
    expect(await ask([untaxed], publish)).toEqual([
      { text: 'No tax is set for “Lamp”. For a tax-free product, choose a 0% tax.', yes: 'Publish without tax' },
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

  const runImport = (csv: string, about: object) =>
    admin.rpc<{ readonly created: number; readonly kept: boolean; readonly questions: readonly Question[] }>(
      '/web/backend/import/run',
      {
        model: 'product.template',
        file: Buffer.from(csv).toString('base64'),
        mapping: ['name', 'website_published', 'taxes_id'],
        ...about,
      },
    );
  const published = (name: string) =>
    app.read((ctx) =>
      ctx.model(ShopTemplate).count([
        ['name', '=', name],
        ['website_published', '=', true],
      ]),
    );

  it('asks in imports: trying one shows the question, and nothing is kept until it is confirmed', async () => {
    const csv = 'Name,Published,Taxes\nSpade,yes,\nBroom,yes,VAT 20 %\nDraft,no,\n';
    expect(await runImport(csv, { dryRun: true })).toMatchObject({
      created: 3,
      kept: false,
      questions: [{ text: expect.stringContaining('No tax is set for “Spade”.') }],
    });
    const [rake = 0] = await app.write((ctx) =>
      ctx.model(ShopTemplate).create([
        { name: 'Rake', taxes_id: [] },
        { name: 'Hoe', taxes_id: [tax] },
      ]),
    );
    const changes = `Number,Published,Taxes\n${rake},yes,\n`;
    const mapping = ['.id', 'website_published', 'taxes_id'];
    const question = { text: expect.stringContaining('“Rake”'), yes: 'Publish without tax' };
    expect(await runImport(changes, { mapping, dryRun: true })).toMatchObject({ kept: false, questions: [question] });
    expect(await runImport(changes, { mapping, dryRun: false })).toMatchObject({ kept: false, questions: [question] });
    expect(await published('Rake')).toBe(0);
    expect(await runImport(changes, { mapping, dryRun: false, confirmed: true })).toMatchObject({
      kept: true,
      questions: [question],
    });
    expect(await published('Rake')).toBe(1);
    const taxed = `Number,Published,Taxes\n${rake},yes,VAT 0 % (exempt)\n`;
    expect(await runImport(taxed, { mapping, dryRun: false })).toMatchObject({ kept: true, questions: [] });
  });

  it('asks before a published product comes out of the archive or is for sale again', async () => {
    const [archived = 0, unsold = 0] = await app.write((ctx) =>
      ctx.model(ShopTemplate).create([
        { name: 'Bucket', taxes_id: [], website_published: true, active: false },
        { name: 'Hose', taxes_id: [], website_published: true, sale_ok: false },
      ]),
    );
    expect(await texts([archived], { active: true })).toEqual([expect.stringContaining('“Bucket”')]);
    expect(await texts([unsold], { sale_ok: true })).toEqual([expect.stringContaining('“Hose”')]);
    expect(await ask([archived], publish)).toEqual([]);
  });

  it('tells on the home page of products that programs have published', async () => {
    const counted = async (): Promise<unknown> => {
      const { widgets } = await admin.rpc<{
        widgets: { id: string; content: { figures: { value: number }[] } | null }[];
      }>('/web/backend/dashboard', {});
      return widgets.find(({ id }) => id === 'website_sale.untaxed')?.content?.figures[0]?.value ?? 0;
    };
    const before = Number(await counted());
    const values = ['Pail', 'Pot'].map((name) => ({ name, taxes_id: [[6, 0, []]], website_published: true }));
    await admin.rpc('/web/dataset/call_kw', {
      model: 'product.template',
      method: 'create',
      args: [values],
      kwargs: {},
    });
    expect(await counted()).toBe(before + 2);
  });

  it('is asked of users alone', async () => {
    await expect(
      app.visitor().rpc('/web/backend/questions', { model: 'product.template', ids: [untaxed], values: publish }),
    ).rejects.toThrow();
  });
});
