import { AccountTax, ProductProduct, ProductTemplate, SaleCompany } from '@pergola/sale';
import type { Id } from 'pergola';
import { createTestApp, inOrder, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { makeEvent } from './kit.ts';

describe('Tickets and the default sales tax', () => {
  inOrder();
  let app: TestApp;
  let tax: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'] });
    tax = await app.write((ctx) => ctx.model(AccountTax).create({ name: 'VAT 20 %', amount: '20' }));
  });
  afterAll(() => app.close());

  const productTaxes = () =>
    app.read(async (ctx) => {
      const id = await ctx.ref('website_event.product_ticket');
      return (await ctx.model(ProductTemplate).get(id, { select: { taxes_id: true } })).taxes_id;
    });
  const choose = (account_sale_tax_id: Id | null) =>
    app.write(async (ctx) => ctx.model(SaleCompany).write(await ctx.ref('base.main_company'), { account_sale_tax_id }));

  it('reach the shipped ticket product once the tax is chosen', async () => {
    expect(await productTaxes()).toEqual([]);
    await choose(tax);
    expect(await productTaxes()).toEqual([tax]);
  });

  it('leave the ticket product alone once somebody has edited it', async () => {
    const admin = await app.as('admin');
    const id = await app.read((ctx) => ctx.ref('website_event.product_ticket'));
    const args = [[id], { taxes_id: [[6, 0, []]] }];
    await admin.rpc('/web/dataset/call_kw', { model: 'product.template', method: 'write', args, kwargs: {} });
    await choose(null);
    await choose(tax);
    expect(await productTaxes()).toEqual([]);
  });

  it('ask before an event with paid tickets without a tax is published', async () => {
    const event = await app.write(async (ctx) => {
      const id = await ctx.model(EventEvent).create({
        name: 'Concert',
        date_begin: new Date('2027-05-01T18:00:00Z'),
        date_end: new Date('2027-05-01T20:00:00Z'),
      });
      await ctx.model(EventTicket).create([
        { event_id: id, name: 'Standard', price: '10' },
        { event_id: id, name: 'Free', price: '0' },
      ]);
      return id;
    });
    const admin = await app.as('admin');
    const ask = () =>
      admin.rpc<{ text: string }[]>('/web/backend/questions', {
        model: 'event.event',
        ids: [event],
        values: { website_published: true },
      });
    expect(await ask()).toMatchObject([{ text: expect.stringContaining('these tickets: Standard.') }]);
    await choose(null);
    expect(await ask()).toEqual([]);
    await choose(tax);
  });

  it('ask before an event that is published gets a paid ticket without a tax, by any form', async () => {
    const admin = await app.as('admin');
    const [published, free, taxed] = await app.write(async (ctx) => {
      const { event, tickets } = await makeEvent(ctx, { name: 'Fair' }, [{ name: 'Free', price: '0' }]);
      const template = await ctx
        .model(ProductTemplate)
        .create({ name: 'Entry', type: 'service', event_ok: true, taxes_id: [{ set: [tax] }] } as never);
      const [variant = 0] = await ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]]);
      await ctx.model(EventTicket).create({ event_id: event, name: 'Entry', price: '5', product_id: variant });
      return [event, tickets[0] ?? 0, template] as const;
    });
    const ask = (model: string, ids: readonly Id[], values: object) =>
      admin.rpc<{ text: string }[]>('/web/backend/questions', { model, ids, values });
    const about = (name: string) => [{ text: expect.stringContaining(`tickets: ${name}.`) }];
    const added = (values: object) => ({ event_ticket_ids: [[0, 0, { name: 'VIP', ...values }]] });
    expect(await ask('event.event', [published], added({ price: 50 }))).toMatchObject(about('VIP'));
    expect(await ask('event.event', [published], added({ price: 0 }))).toEqual([]);
    expect(await ask('event.event', [published], { event_ticket_ids: [[1, free, { price: 9 }]] })).toMatchObject(
      about('Free'),
    );
    expect(await ask('event.event', [published], { website_published: false, ...added({ price: 50 }) })).toEqual([]);
    const created = { name: 'Gala', website_published: true, ...added({ price: 50 }) };
    expect(await ask('event.event', [], created)).toMatchObject(about('VIP'));
    expect(await ask('event.event', [], { ...created, website_published: false })).toEqual([]);
    expect(await ask('event.event.ticket', [free], { price: 9 })).toMatchObject(about('Free'));
    expect(await ask('event.event.ticket', [], { event_id: published, name: 'Late', price: 3 })).toMatchObject(
      about('Late'),
    );
    expect(await ask('product.template', [taxed], { taxes_id: [[6, 0, []]] })).toMatchObject(about('Entry'));
  });
});
