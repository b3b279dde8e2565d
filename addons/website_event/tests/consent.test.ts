import { Partner } from '@pergola/base';
import { PaymentAcquirer, PaymentTransaction, SaleOrder } from '@pergola/sale';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { after, day, hour, type Made, makeEvent } from './kit.ts';

someDatabase('a ticket on the payment page', (database) => {
  let app: TestApp;
  let card = 0;
  let venue = 0;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database });
    await app.write(async (ctx) => {
      card = await ctx.ref('sale.test_card');
      await ctx.model(PaymentAcquirer).write(card, { website_published: true });
    });
  });
  beforeEach(async () => {
    const values = { name: 'Old Town Hall', street: '1 Market Square', city: 'Lille' };
    venue = await app.write((ctx) => ctx.model(Partner).create(values));
  });
  afterAll(() => app.close());

  const openPage = async (visitor: Client, made: Made) => {
    await visitor.form('/event/cart/update', { event_id: made.event, [`ticket-${made.tickets[0]}`]: 1 });
    const country_id = await app.read((ctx) => ctx.ref('base.be'));
    const address = { name: 'Ada Lovelace', phone: '+32 2 555 12 12', street2: '12 Garden Lane', city: 'Brussels' };
    await visitor.form('/shop/confirm_order', {
      ...address,
      email: 'ada@example.com',
      zip: '1000',
      shipping_id: '0',
      country_id,
    });
    return /name="version" value="([^"]+)"/.exec((await visitor.get('/shop/payment')).text)?.[1] ?? '';
  };
  const make = () => app.write((ctx) => makeEvent(ctx, { name: 'Harvest walk', address_id: venue }));
  const plain = (html: string) => html.replace(/<[^>]*>|&nbsp;|\s+/g, ' ').replace(/\s+/g, ' ');

  it.each([
    [
      'moved to another day',
      { date_begin: after(20 * day), date_end: after(20 * day + hour) },
      /Harvest walk: Standard, Date: .*→/,
    ],
    [
      'moved to another place',
      { address_id: null },
      /Harvest walk: Standard, Venue: Old Town Hall, 1 Market Square, Lille → Online/,
    ],
  ])('is not paid for an event that was %s', async (_, values, told) => {
    const made = await make();
    const visitor = app.visitor();
    const version = await openPage(visitor, made);
    expect(version).not.toBe('');
    await app.write((ctx) => ctx.model(EventEvent).write(made.event, values));
    await expect(visitor.rpc(`/shop/payment/transaction/${card}`, { version })).rejects.toMatchObject({
      data: { code: 'sale.order_changed', message: expect.stringMatching(told) },
    });
    const page = await visitor.form(`/shop/payment/transaction/${card}/form`, { version });
    expect([page.status, told.test(plain(page.text))]).toEqual([409, true]);
  });

  it('is not paid when its venue moves to another street', async () => {
    const made = await make();
    const visitor = app.visitor();
    const version = await openPage(visitor, made);
    await app.write((ctx) => ctx.model(Partner).write(venue, { street: '9 Harbour Road' }));
    const page = await visitor.form(`/shop/payment/transaction/${card}/form`, { version });
    expect(plain(page.text)).toContain('1 Market Square, Lille → Old Town Hall, 9 Harbour Road, Lille');
  });

  it('is not paid by card when the event moves while the card’s page is open', async () => {
    const made = await make();
    const visitor = app.visitor();
    const version = await openPage(visitor, made);
    const form = await visitor.rpc<string>(`/shop/payment/transaction/${card}`, { version });
    const fields = Object.fromEntries(
      [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    await app.write((ctx) =>
      ctx.model(EventEvent).write(made.event, { date_begin: after(30 * day), date_end: after(30 * day + hour) }),
    );
    const page = await visitor.form('/payment/test_card', { ...fields, outcome: 'paid' });
    expect([page.status, /Harvest walk: Standard, Date: .*→/.test(plain(page.text))]).toEqual([409, true]);
    const [payment] = await app.read((ctx) =>
      ctx.model(PaymentTransaction).find([['reference', '=', fields.reference ?? '']], {
        select: { state: true, sale_order_id: true },
      }),
    );
    expect(payment?.state).toBe('cancel');
    const order = payment?.sale_order_id ?? 0;
    expect(await app.read((ctx) => ctx.model(SaleOrder).get(order, { select: { state: true } }))).toMatchObject({
      state: 'draft',
    });
  });

  it('the names of events and people run in one direction', async () => {
    const made = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Walk \u202eklaw\u202c\u2066 with علی\u200cرضا\u0007 👨\u200d👩' }),
    );
    const { name } = await app.read((ctx) => ctx.model(EventEvent).get(made.event, { select: { name: true } }));
    expect(name).toBe('Walk klaw with علی\u200cرضا  👨\u200d👩');
  });
});
