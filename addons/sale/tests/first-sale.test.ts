import { Company, Country, Partner, User } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { FiscalPosition } from '../models/account-fiscal-position.ts';
import { AccountTax } from '../models/account-tax.ts';
import { TaxSetup } from '../models/account-tax-setup.ts';
import { ProductProduct } from '../models/product-product.ts';
import { ProductTemplate } from '../models/product-template.ts';
import { SaleCompany } from '../models/res-company.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { Payments } from '../services/payment/payments.ts';
import { countryPacks, union } from '../services/tax/country-packs.ts';
import { firstSteps } from '../widgets.ts';
import { acquirerOf, makeCart, makeProduct, makeTax } from './kit.ts';

type Rows = readonly { readonly cells: readonly string[] }[];

someDatabase('A first sale', (database) => {
  let app: TestApp;
  let manager: Client;
  let main: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    main = await app.write(async (ctx) => {
      const partner_id = await ctx.model(Partner).create({ name: 'Mia', email: 'mia@example.com' });
      await ctx.model(User).create({ login: 'mia', partner_id, group_ids: [await ctx.ref('sale.group_sale_manager')] });
      return ctx.ref('base.main_company');
    });
    manager = await app.as('mia');
  });
  afterAll(() => app.close());

  const call = <T>(model: string, method: string, args: unknown[]): Promise<T> =>
    manager.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} }) as Promise<T>;
  const newCompany = (ctx: Ctx, name: string): Promise<Id> =>
    ctx
      .model(Partner)
      .create({ name })
      .then(async (partner_id) =>
        ctx.model(Company).create({ name, partner_id, currency_id: await ctx.ref('base.eur') }),
      );
  const taxesOf = (product: Id) =>
    app.read(async (ctx) => (await ctx.model(ProductTemplate).get(product, { select: { taxes_id: true } })).taxes_id);

  it('is not paid by transfer before the company has a bank account, and staff see why', async () => {
    const offered = () => app.read(async (ctx) => (await ctx.get(Payments).offered()).map(({ provider }) => provider));
    const [transfer, done] = await app.read(async (ctx) => {
      const [id = 0] = await ctx.model('payment.acquirer').search([['provider', '=', 'transfer']]);
      return [id, firstSteps.find(({ id: step }) => step === 'sale.step_paid')] as const;
    });
    expect(await offered()).toEqual([]);
    expect(await app.read(async (ctx) => done?.done(ctx) ?? false)).toBe(false);
    const order = await app.write(async (ctx) => makeCart(ctx, [await makeProduct(ctx)]));
    const start = () => app.write((ctx) => ctx.get(Payments).start({ order, acquirer: transfer, returnUrl: '/' }));
    await expect(start()).rejects.toMatchObject({ code: 'sale.no_acquirer' });
    const read = () =>
      call<[{ not_offered: string | false }]>('payment.acquirer', 'read', [[transfer], ['not_offered']]);
    expect(await read()).toMatchObject([
      { not_offered: expect.stringContaining('My Company has no bank account. Add one to offer wire transfer.') },
    ]);
    expect(await call('payment.acquirer', 'openCompany', [[transfer]])).toEqual({
      url: `/web/m/res.company/${main}?menu=web.menu_companies`,
    });
    await app.write((ctx) => acquirerOf(ctx, 'transfer'));
    expect(await offered()).toEqual(['transfer']);
    expect(await app.read(async (ctx) => done?.done(ctx) ?? false)).toBe(true);
    expect(await start()).toMatchObject({ state: 'draft' });
    expect(String((await read())[0].not_offered)).not.toContain('My Company');
    // Of another company that sells, the account is missing.
    const other = await app.write((ctx) => newCompany(ctx, 'No account'));
    expect(await app.read(async (ctx) => (await ctx.get(Payments).offered(other)).length)).toBe(0);
    expect((await read())[0].not_offered).toContain('No account has no bank account');
  });

  it('keeps the default sales tax of a company until another one is chosen', async () => {
    const [tax = 0, next = 0] = await app.write(async (ctx) => {
      const taxes = [await makeTax(ctx, '20'), await makeTax(ctx, '21')];
      await ctx.model(SaleCompany).write(main, { account_sale_tax_id: taxes[0] ?? null });
      return taxes;
    });
    await expect(call('account.tax', 'write', [[next, tax], { active: false }])).rejects.toThrow(
      'This is the default sales tax of My Company.',
    );
    await expect(call('account.tax', 'unlink', [[tax]])).rejects.toThrow('can’t be deleted');
    await app.write((ctx) => ctx.model(SaleCompany).write(main, { account_sale_tax_id: next }));
    await call('account.tax', 'write', [[tax], { active: false }]);
    await app.write((ctx) => ctx.model(SaleCompany).write(main, { account_sale_tax_id: null }));
  });

  it('has no archived default sales tax, also when a tax is archived and chosen at once', async () => {
    for (let round = 0; round < 20; round++) {
      const tax = await app.write((ctx) => makeTax(ctx, '20'));
      await Promise.allSettled([
        app.write((ctx) => ctx.model(AccountTax).write(tax, { active: false })),
        app.write((ctx) => ctx.model(SaleCompany).write(main, { account_sale_tax_id: tax })),
      ]);
      const { account_sale_tax_id: chosen } = await app.read((ctx) =>
        ctx.model(SaleCompany).get(main, { select: { account_sale_tax_id: { active: true } } }),
      );
      expect(chosen?.active).not.toBe(false);
      await app.write((ctx) => ctx.model(SaleCompany).write(main, { account_sale_tax_id: null }));
    }
  });

  it('gives new products the default sales tax of their company; an explicit choice stays', async () => {
    const { tax, foreign, other } = await app.write(async (ctx) => {
      const tax = await makeTax(ctx, '20', { price_include: true });
      const foreign = await makeTax(ctx, '19', { price_include: true });
      const other = await newCompany(ctx, 'Zweite');
      await ctx.model(SaleCompany).write(main, { account_sale_tax_id: tax });
      await ctx.model(SaleCompany).write(other, { account_sale_tax_id: foreign });
      return { tax, foreign, other };
    });
    const create = (values: object) => call<Id>('product.template', 'create', [{ name: 'Chair', ...values }]);
    expect(await taxesOf(await create({}))).toEqual([tax]);
    expect(await taxesOf(await create({ taxes_id: [[6, 0, []]] }))).toEqual([]);
    expect(await taxesOf(await create({ taxes_id: [[6, 0, [foreign]]] }))).toEqual([foreign]);
    expect(await taxesOf(await create({ company_id: other }))).toEqual([foreign]);
    const [named] = await call<[Id, string]>('product.template', 'name_create', ['Quick']);
    expect(await taxesOf(named)).toEqual([tax]);
    const shown = await call('product.template', 'preview', [false, { name: 'Chair' }, { taxes_id: true }]);
    expect(shown).toMatchObject({ values: { taxes_id: [tax] } });
    // Users of the other company sell with its tax.
    await app.write(async (ctx) => {
      const partner_id = await ctx.model(Partner).create({ name: 'Otto', email: 'otto@example.com' });
      const group_ids = [await ctx.ref('sale.group_sale_manager')];
      await ctx.model(User).create({ login: 'otto', partner_id, company_id: other, group_ids });
    });
    const theirs = await app.as('otto');
    const made = (await theirs.rpc('/web/dataset/call_kw', {
      model: 'product.template',
      method: 'create',
      args: [{ name: 'Stuhl' }],
      kwargs: {},
    })) as Id;
    expect(await taxesOf(made)).toEqual([foreign]);
    await app.write(async (ctx) => {
      await ctx.model(AccountTax).write(foreign, { company_id: other });
      await expect(ctx.model(SaleCompany).write(main, { account_sale_tax_id: foreign })).rejects.toMatchObject({
        code: 'sale.foreign_tax',
      });
      await ctx.model(SaleCompany).write(main, { account_sale_tax_id: null });
      await ctx.model(AccountTax).write(tax, { active: false });
    });
    expect(await taxesOf(await create({}))).toEqual([]);
  });

  it('gives lines without a product the default tax under the fiscal position of the order', async () => {
    const { order, tax, zero } = await app.write(async (ctx) => {
      const tax = await makeTax(ctx, '20', { price_include: true, company_id: main });
      const zero = await makeTax(ctx, '0', { company_id: main });
      await ctx.model(SaleCompany).write(main, { account_sale_tax_id: tax });
      const position = await ctx
        .model(FiscalPosition)
        .create({ name: 'Export', tax_ids: [{ create: { tax_src_id: tax, tax_dest_id: zero } }] });
      const line = { name: 'Delivery', price_unit: '12' } as const;
      const orders = ctx.model(SaleOrder);
      const order = await orders.create({
        order_line: [{ create: line }, { create: { ...line, tax_id: [] } }],
      });
      const abroad = await orders.create({ fiscal_position: position, order_line: [{ create: line }] });
      return { order: [order, abroad], tax, zero };
    });
    const taxes = await app.read(async (ctx) =>
      (await ctx.model(SaleOrder).read(order, { select: { order_line: { tax_id: true } } })).map(({ order_line }) =>
        order_line.map(({ tax_id }) => tax_id),
      ),
    );
    expect(taxes).toEqual([[[tax], []], [[zero]]]);
    await app.write((ctx) => ctx.model(SaleCompany).write(main, { account_sale_tax_id: null }));
  });

  it('asks before variants with a reference or stock go', async () => {
    const product = await app.write(async (ctx) => {
      const variant = await makeProduct(ctx, { name: 'Shirt' }, 3);
      return (await ctx.model(ProductProduct).get(variant, { select: { product_tmpl_id: true } })).product_tmpl_id;
    });
    const ask = (commands: unknown[]) =>
      manager.rpc<{ text: string }[]>('/web/backend/questions', {
        model: 'product.template',
        ids: [product],
        values: { attribute_line_ids: commands },
      });
    expect(await ask([[2, 1, false]])).toMatchObject([
      { text: expect.stringContaining('reference, barcode and stock') },
    ]);
    expect(await ask([[0, 0, { attribute_id: 1 }]])).toEqual([]);
  });

  it.each(countryPacks.map(({ country }) => country))('sets up the taxes of %s once', async (country) => {
    const pack = countryPacks.find((one) => one.country === country);
    const company = await app.write((ctx) => newCompany(ctx, `Company in ${country}`));
    const setUp = () => call<Id>('account.tax.setup', 'create', [{ company_id: company, country }]);
    const preview = async (): Promise<Rows> => {
      const answer = await call<{ values: { plan: { rows: Rows } } }>('account.tax.setup', 'preview', [
        false,
        { company_id: company, country },
        { plan: true },
      ]);
      return answer.values.plan.rows;
    };
    const state = () =>
      app.read(async (ctx) => ({
        taxes: await ctx.model(AccountTax).find([['company_id', '=', company]], {
          select: { name: true, amount: true, price_include: true },
        }),
        positions: await ctx.model(FiscalPosition).find([['company_id', '=', company]], {
          select: {
            name: true,
            note: true,
            vat_required: true,
            auto_apply: true,
            country_ids: { code: true },
            tax_ids: { tax_src_id: { amount: true }, tax_dest_id: { amount: true } },
          },
        }),
        company: await ctx
          .model(SaleCompany)
          .get(company, { select: { tax_country: true, account_sale_tax_id: { amount: true, name: true } } }),
      }));
    const planned = await preview();
    expect((await state()).taxes).toEqual([]);
    await setUp();
    const { taxes, positions, company: row } = await state();
    expect(row.tax_country).toBe(country);
    if (country === 'US') {
      expect([taxes, positions, row.account_sale_tax_id]).toEqual([[], [], null]);
      return;
    }
    expect(planned.length).toBe(taxes.length + positions.length + 1); // The default tax has a row too.
    const charged = taxes.filter(({ amount }) => Number(amount) > 0);
    const rates = (pack?.rates ?? []).map(([, percent]) => Number(percent)).filter((rate) => rate > 0);
    expect(charged.map(({ amount }) => Number(amount))).toEqual(rates);
    expect(charged.every(({ price_include }) => price_include)).toBe(true);
    expect(Number(row.account_sale_tax_id?.amount)).toBe(rates[0]);
    const [domestic, ...rest] = positions;
    expect(domestic?.country_ids.map(({ code }) => code)).toContain(country);
    expect(domestic?.tax_ids).toEqual([]);
    for (const { note, tax_ids, auto_apply } of rest) {
      expect([auto_apply, note]).toEqual([true, expect.stringMatching(/VAT/)]);
      expect(tax_ids.map((line) => Number(line.tax_src_id?.amount))).toEqual(rates);
      expect(tax_ids.every((line) => Number(line.tax_dest_id?.amount) === 0)).toBe(true);
    }
    const abroad = positions.at(-1)?.country_ids.map(({ code }) => code) ?? [];
    expect(abroad).toContain('JP');
    expect(abroad).not.toContain(country);
    expect(abroad.some((code) => union.includes(code))).toBe(!pack?.isInUnion);
    expect(rest.filter(({ vat_required }) => vat_required).length).toBe(pack?.isInUnion ? 1 : 0);
    await setUp();
    expect(await state()).toMatchObject({ taxes, positions, company: row });
  });

  it('keeps what exists, and adds new taxes to fiscal positions that exist', async () => {
    const { company, own, position } = await app.write(async (ctx) => {
      const company = await newCompany(ctx, 'Handmade');
      const own = await makeTax(ctx, '21', { price_include: true, company_id: company, name: 'My VAT' });
      const zero = await makeTax(ctx, '0', { company_id: company, name: 'My reverse charge' });
      const codes = union.filter((code) => code !== 'BE');
      const countries = await ctx.model(Country).search([['code', 'in', codes]]);
      const position = await ctx.model(FiscalPosition).create({
        name: 'My businesses',
        auto_apply: true,
        vat_required: true,
        country_ids: countries,
        company_id: company,
        tax_ids: [{ create: { tax_src_id: own, tax_dest_id: zero } }],
      });
      await ctx.model(SaleCompany).write(company, { account_sale_tax_id: own });
      return { company, own, position };
    });
    await call('account.tax.setup', 'create', [{ company_id: company, country: 'BE' }]);
    const after = await app.read(async (ctx) => ({
      rates: await ctx.model(AccountTax).find(
        [
          ['company_id', '=', company],
          ['amount', '>', '0'],
        ],
        { select: { name: true, amount: true } },
      ),
      mapped: (
        await ctx
          .model(FiscalPosition)
          .get(position, { select: { name: true, tax_ids: { tax_src_id: { amount: true } } } })
      ).tax_ids.map(({ tax_src_id }) => Number(tax_src_id?.amount)),
      row: await ctx.model(SaleCompany).get(company, { select: { account_sale_tax_id: true } }),
    }));
    expect(after.rates.map(({ amount }) => Number(amount)).toSorted((a, b) => a - b)).toEqual([6, 12, 21]);
    expect(after.rates.find(({ id }) => id === own)?.name).toBe('My VAT');
    expect(after.mapped.toSorted((a, b) => a - b)).toEqual([6, 12, 21]);
    expect(after.row.account_sale_tax_id).toBe(own);
    await expect(call('account.tax.setup', 'create', [{ company_id: company, country: 'DE' }])).rejects.toThrow(
      'already set up',
    );
    await expect(call('account.tax.setup', 'create', [{ company_id: company, country: 'XX' }])).rejects.toThrow();
  });

  it('offers exactly the countries with a pack', async () => {
    const fields = await call<{ country: { selection: [string, string][] } }>('account.tax.setup', 'fields_get', [
      ['country'],
    ]);
    expect(fields.country.selection.map(([code]) => code)).toEqual(countryPacks.map(({ country }) => country));
    expect(await app.read((ctx) => ctx.model(TaxSetup).count([]))).toBeGreaterThan(0);
  });

  it('crosses out its first steps only for what the shopkeeper did', async () => {
    const isDone = (id: string) =>
      app.read(async (ctx) => (await firstSteps.find((step) => step.id === id)?.done(ctx)) ?? false);
    await app.write(async (ctx) => {
      const made = await ctx.model(ProductTemplate).search([]);
      await ctx.model(ProductTemplate).write(made, { active: false });
      await makeProduct(ctx, { name: 'Shipped with an app' });
      await ctx.model(SaleCompany).write(main, { account_sale_tax_id: null, tax_country: null });
    });
    expect(await isDone('sale.step_product')).toBe(false);
    expect(await isDone('sale.step_taxes')).toBe(false);
    await call('product.template', 'create', [{ name: 'Mine' }]);
    await call('account.tax.setup', 'create', [{ company_id: main, country: 'US' }]);
    expect(await isDone('sale.step_product')).toBe(true);
    expect(await isDone('sale.step_taxes')).toBe(true);
  });
});
