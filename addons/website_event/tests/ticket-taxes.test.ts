import { Company, Partner } from '@pergola/base';
import { AccountTax, FiscalPosition, ProductProduct, ProductTemplate, SaleOrder, VatCheck } from '@pergola/sale';
import type { Ctx, FieldsOf, Id, Values } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { EventTicket } from '../models/event-event-ticket.ts';
import { TicketSales } from '../services/ticket-sales.ts';
import { makeEvent, putTickets } from './kit.ts';

/** A German VAT number that the register confirmed. */
const germanNumber = 'DE136695976';

someDatabase('taxes of tickets', (database) => {
  let app: TestApp;
  let tax: Id;
  const ids = { country: {} as Record<string, Id>, venue: {} as Record<string, Id>, product: {} as Record<string, Id> };
  const { country, venue, product } = ids;

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database, demo: false });
    await app.write(async (ctx) => {
      for (const code of ['fr', 'de', 'us']) country[code] = await ctx.ref(`base.${code}`);
      await setCompanyCountry(ctx, country.fr ?? null);
      tax = await ctx.model(AccountTax).create({ name: 'VAT 20 %', amount: '20', price_include: true });
      const none = await ctx.model(AccountTax).create({ name: 'VAT 0 %', amount: '0' });
      const tax_ids = [{ create: { tax_src_id: tax, tax_dest_id: none } }];
      await ctx.model(FiscalPosition).create([
        { name: 'Domestic', auto_apply: true, country_ids: [country.fr ?? 0] },
        {
          name: 'EU businesses',
          auto_apply: true,
          vat_required: true,
          country_ids: [country.de ?? 0],
          tax_ids,
          note: 'Reverse charge',
        },
        { name: 'Export', auto_apply: true, country_ids: [country.us ?? 0], tax_ids, note: 'Export exempt from VAT' },
      ]);
      await ctx.model(ProductTemplate).write(await ctx.ref('website_event.product_ticket'), {
        taxes_id: [{ set: [tax] }],
      });
      for (const type of ['consu', 'service'] as const) {
        const template = await ctx
          .model(ProductTemplate)
          .create({ name: type, type, list_price: '12', taxes_id: [{ set: [tax] }] });
        const [variant = 0] = await ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]]);
        product[type] = variant;
      }
      for (const [name, code] of [
        ['Lille', 'fr'],
        ['Berlin', 'de'],
        ['Detroit', 'us'],
        ['somewhere', ''],
      ] as const)
        venue[name] = await ctx
          .model(Partner)
          .create({ name, is_company: true, street: '1 Main Street', country_id: country[code] ?? null });
      await ctx.model(VatCheck).create({ number: germanNumber, state: 'valid', asked_date: ctx.now() });
    });
  });
  afterAll(() => app.close());

  const setCompanyCountry = async (ctx: Ctx, country_id: Id | null): Promise<void> => {
    const { partner_id } = await ctx
      .model(Company)
      .get(await ctx.ref('base.main_company'), { select: { partner_id: true } });
    await ctx.model(Partner).write(partner_id ?? 0, { country_id });
  };

  /** A cart or quotation with a ticket for 12 € at a venue, and what else it's asked for; returns what each line is charged with tax. */
  const charge = async (
    ctx: Ctx,
    place: string | null,
    values: Values<FieldsOf<SaleOrder>>,
    others: readonly string[] = [],
  ) => {
    const { tickets } = await makeEvent(ctx, { name: 'Concert', address_id: place === null ? null : venue[place] }, [
      { name: 'Standard', price: '12' },
    ]);
    const orders = ctx.model(SaleOrder);
    const id = await orders.openCart({ lang: 'en_US' });
    await putTickets(ctx, id, tickets[0] ?? 0, 1);
    for (const type of others) await orders.setLine(id, { product: product[type] ?? 0, set: 1 });
    await orders.write(id, { invoice_name: 'Ada', ...values });
    return { id, ...(await charged(ctx, id)) };
  };
  const charged = async (ctx: Ctx, id: Id) => {
    const row = await ctx
      .model(SaleOrder)
      .get(id, { select: { fiscal_position: { name: true }, order_line: { price_total: true } } });
    const content = await ctx.model(SaleOrder).content(id);
    return {
      totals: row.order_line.map(({ price_total }) => price_total),
      note: content.facts.find(({ key }) => key === 'tax_note')?.text ?? '',
    };
  };
  const american = () => ({ invoice_country_id: country.us });
  const german = () => ({ invoice_country_id: country.de, invoice_vat: germanNumber });
  const sentToAmerica = () => ({
    invoice_country_id: country.fr,
    shipping_same: false,
    shipping_country_id: country.us,
  });

  it('are those of the venue’s country, whatever address a customer enters', async () => {
    await app.write(async (ctx) => {
      expect(await charge(ctx, 'Lille', american(), ['consu'])).toMatchObject({
        totals: [1200, 1000],
        note: 'Export exempt from VAT',
      });
      expect(await charge(ctx, 'Lille', american())).toMatchObject({ totals: [1200], note: '' });
      expect(await charge(ctx, 'Lille', sentToAmerica())).toMatchObject({ totals: [1200], note: '' });
      expect(await charge(ctx, 'Berlin', american())).toMatchObject({ totals: [1200] });
      expect(await charge(ctx, 'Detroit', { invoice_country_id: country.fr })).toMatchObject({ totals: [1000] });
    });
  });

  it('are charged to businesses with a VAT number as well', async () => {
    await app.write(async (ctx) => {
      const mixed = await charge(ctx, 'Lille', german(), ['consu', 'service']);
      expect(mixed).toMatchObject({ totals: [1200, 1000, 1000], note: 'Reverse charge' });
      expect(await charge(ctx, 'Berlin', german())).toMatchObject({ totals: [1200] });
    });
  });

  it('are those of the seller’s country if the venue’s is unknown, and the product’s if that is, too', async () => {
    await app.write(async (ctx) => {
      expect(await charge(ctx, 'somewhere', american())).toMatchObject({ totals: [1200] });
      await setCompanyCountry(ctx, null);
      expect(await charge(ctx, 'somewhere', american())).toMatchObject({ totals: [1200] });
      await setCompanyCountry(ctx, country.fr ?? null);
    });
  });

  it('of online events and services follow the invoice address, not the address that goods are sent to', async () => {
    await app.write(async (ctx) => {
      expect(await charge(ctx, null, american())).toMatchObject({ totals: [1000] });
      const { id, totals } = await charge(ctx, null, sentToAmerica(), ['consu', 'service']);
      expect(totals).toEqual([1200, 1000, 1200]);
      await ctx.model(SaleOrder).write(id, { invoice_country_id: country.us });
      expect((await charged(ctx, id)).totals).toEqual([1000, 1000, 1000]);
    });
  });

  it('are shown alike on the event’s page, before an address is known', async () => {
    await app.write(async (ctx) => {
      const shown = async (address_id: Id | undefined) => {
        const { event, tickets } = await makeEvent(ctx, { name: 'Concert', address_id }, [
          { name: 'Standard', price: '12' },
        ]);
        const rows = await ctx
          .model(EventTicket)
          .read(tickets, { select: { price: true, product_id: true, event_id: { address_id: true } } });
        expect(event).toBeGreaterThan(0);
        const prices = await ctx.get(TicketSales).prices([{ address_id: address_id ?? null, tickets: rows }]);
        return prices.get(tickets[0] ?? 0)?.amount;
      };
      expect(await shown(venue.Lille)).toBe(1200);
      expect(await shown(venue.Detroit)).toBe(1000);
      expect(await shown(undefined)).toBe(1200);
    });
  });

  it('of quotations follow a fiscal position that staff chose', async () => {
    await app.write(async (ctx) => {
      const orders = ctx.model(SaleOrder);
      const partner_id = await ctx.model(Partner).create({ name: 'Ada', country_id: country.us });
      const { tickets } = await makeEvent(ctx, { name: 'Concert', address_id: venue.Lille }, [
        { name: 'Standard', price: '12' },
      ]);
      const id = await orders.create({ partner_id });
      await putTickets(ctx, id, tickets[0] ?? 0, 1);
      expect((await charged(ctx, id)).totals).toEqual([1200]);
      expect(await orders.priceChanges([id])).toMatchObject({ changes: [] });
      const [exempt = 0] = await ctx.model(FiscalPosition).search([['name', '=', 'EU businesses']]);
      await orders.write(id, { fiscal_position: exempt });
      expect(await charged(ctx, id)).toMatchObject({ totals: [1000], note: 'Reverse charge' });
      expect(await orders.priceChanges([id])).toMatchObject({ changes: [] });
    });
  });
});
