import { Company, Partner } from '@pergola/base';
import type { Ctx, FieldsOf, Id, Values } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { FiscalPosition, type Supply } from '../models/account-fiscal-position.ts';
import { SalePartner } from '../models/res-partner.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { makeProduct, makeTax } from './kit.ts';

eachDatabase('Automatic fiscal positions', (database, once) => {
  let app: TestApp;
  let company: Id;
  let chair: Id;
  const country: Record<string, Id> = {};
  const position: Record<string, Id> = {};

  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database, demo: false });
    await app.write(async (ctx) => {
      company = await ctx.ref('base.main_company');
      for (const code of ['fr', 'mc', 'be', 'ch', 'us']) country[code] = await ctx.ref(`base.${code}`);
      await setSellerCountry(ctx, 'fr');
      const tax = await makeTax(ctx, '20', { price_include: true });
      chair = await makeProduct(ctx, { list_price: '12', taxes_id: [{ set: [tax] }] });
      const exempt = { auto_apply: true, tax_ids: [{ create: { tax_src_id: tax } }] };
      const positions = ctx.model(FiscalPosition);
      position.abroad = await positions.create({ ...exempt, name: 'Abroad', sequence: 1 });
      position.businesses = await positions.create({ ...exempt, name: 'Businesses', vat_required: true, sequence: 2 });
      position.swiss = await positions.create({ ...exempt, name: 'Switzerland', country_ids: [country.ch ?? 0] });
    });
  });
  afterAll(() => app.close());

  const setSellerCountry = async (ctx: Ctx, code: string | null): Promise<void> => {
    const { partner_id } = await ctx.model(Company).get(company, { select: { partner_id: true } });
    await ctx.model(Partner).write(partner_id ?? 0, { country_id: code === null ? null : (country[code] ?? 0) });
  };
  const nameOf = (id: Id | null) => Object.keys(position).find((name) => position[name] === id) ?? null;
  const found = (code: string | null, isReverseCharge = false) =>
    app.read(async (ctx) =>
      nameOf(
        await ctx
          .model(FiscalPosition)
          .forCustomer({ country: code === null ? null : (country[code] ?? 0), company, isReverseCharge }),
      ),
    );
  const charge = (values: Values<FieldsOf<SaleOrder>>) =>
    app.write(async (ctx) => {
      const orders = ctx.model(SaleOrder);
      const id = await orders.openCart({ lang: 'en_US' });
      await orders.setLine(id, { product: chair, set: 1 });
      await orders.write(id, { invoice_name: 'Ada', ...values });
      return (await orders.get(id, { select: { amount_total: true } })).amount_total;
    });

  it('without countries are for sales abroad, and give way to those that name the country', async () => {
    expect(await found('fr')).toBeNull();
    expect(await found('mc')).toBeNull(); // In the French VAT area.
    expect(await found('us')).toBe('abroad');
    expect(await found('ch')).toBe('swiss');
    expect(await found('be', true)).toBe('businesses');
  });

  once('without countries fit no unknown country, of the customer or of the seller', async () => {
    expect(await found(null)).toBeNull();
    await app.write((ctx) => setSellerCountry(ctx, null));
    expect(await found('us')).toBeNull();
    expect(await found('ch')).toBe('swiss');
    await app.write((ctx) => setSellerCountry(ctx, 'fr'));
  });

  once(
    'leave tax on goods that stay in the seller’s country, wherever the customer is and whatever their number',
    async () => {
      expect(await charge({})).toBe(1200);
      expect(await charge({ invoice_country_id: country.fr })).toBe(1200);
      expect(await charge({ invoice_country_id: country.us })).toBe(1000);
      const toFrance = { shipping_same: false, shipping_country_id: country.fr };
      expect(await charge({ invoice_country_id: country.us, ...toFrance })).toBe(1200);
      expect(await found('fr', true)).toBeNull();
      const toAmerica = { shipping_same: false, shipping_country_id: country.us };
      expect(await charge({ invoice_country_id: country.fr, ...toAmerica })).toBe(1000);
    },
  );

  once('leave tax on quotations for contacts without a country', async () => {
    const position = await app.write(async (ctx) => {
      const partner_id = await ctx.model(Partner).create({ name: 'Ada' });
      const id = await ctx.model(SaleOrder).create({ partner_id });
      return (await ctx.model(SaleOrder).get(id, { select: { fiscal_position: true } })).fiscal_position;
    });
    expect(position).toBeNull();
  });

  once('leave tax on what takes place in the seller’s country', async () => {
    const at = (supply: Supply) =>
      app.read(async (ctx) =>
        nameOf(await ctx.model(FiscalPosition).forSupply({ fiscalPosition: position.abroad ?? 0, company }, supply)),
      );
    expect(await at({ takesPlaceIn: country.fr ?? 0 })).toBeNull();
    expect(await at({ takesPlaceIn: null })).toBeNull();
    expect(await at({ takesPlaceIn: country.us ?? 0 })).toBe('abroad');
  });

  it('that name the seller’s country apply there, and so does one that staff chose for the customer', async () => {
    await app.write((ctx) =>
      ctx
        .model(FiscalPosition)
        .write(position.swiss ?? 0, { country_ids: [{ set: [country.ch ?? 0, country.fr ?? 0] }] }),
    );
    expect(await found('fr')).toBe('swiss');
    const chosen = await app.write(async (ctx) => {
      const partner = await ctx
        .model(SalePartner)
        .create({ name: 'Embassy', property_account_position: position.abroad ?? 0 });
      return ctx
        .model(FiscalPosition)
        .forCustomer({ partner, country: country.fr ?? 0, company, isReverseCharge: false });
    });
    expect(nameOf(chosen)).toBe('abroad');
    await app.write((ctx) =>
      ctx.model(FiscalPosition).write(position.swiss ?? 0, { country_ids: [{ set: [country.ch ?? 0] }] }),
    );
  });
});
