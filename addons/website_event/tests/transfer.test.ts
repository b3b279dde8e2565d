import { expirePayments, networkHolds, SaleHold, SaleOrder } from '#addons/sale';
import { Website } from '#addons/website';
import type { Id } from '#core';
import { type Client, createTestApp, eachDatabase, type Mailbox, openMailbox, type TestApp } from '#core/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { hour, type Made, makeEvent, payByTransfer } from './kit.ts';

eachDatabase('tickets that are to be paid by transfer', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let made: Made;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({
      addons: ['website_event'],
      database,
      env: { SMTP_URL: mailbox.url, TRUSTED_PROXIES: 'loopback' },
    });
    made = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Open day' }, [
        { name: 'Standard', price: '10', seats: 1000 },
        { name: 'VIP', price: '15', seats: 500 },
      ]),
    );
  }, 120_000);
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  const [standard, vip] = [0, 1] as const;
  const choose = (visitor: Client, wanted: readonly [number, number]) =>
    visitor.form('/event/cart/update', {
      event_id: made.event,
      [`ticket-${made.tickets[standard]}`]: wanted[standard],
      [`ticket-${made.tickets[vip]}`]: wanted[vip],
    });
  /** Hours from now until the last hold of an order ends, rounded; null when it holds nothing. */
  const heldHours = (order: Id): Promise<number | null> =>
    app.read(async (ctx) => {
      const last = await ctx
        .model(SaleHold)
        .first([['order_id', '=', order]], { select: { until: true }, order: 'until desc' });
      return last && Math.round((last.until.getTime() - Date.now()) / hour);
    });
  const linkFor = (email: string): string => {
    const mail = mailbox
      .received()
      .find(({ envelopeTo, html }) => envelopeTo.includes(email) && html?.includes('/payment/address/'));
    return /\/payment\/address\/\d+\/[\w-]+/.exec(mail?.html ?? '')?.[0] ?? '';
  };

  it('one order has no more of a kind than is sensible, where the ticket says nothing', async () => {
    const answer = await choose(app.visitor(), [1000, 500]);
    expect(answer.text.match(/Only 20 of “Open day[^”]*” in one order\./g)).toHaveLength(2);
  });

  it('are kept as any payment that was begun, and for days only once the address is confirmed', async () => {
    const visitor = app.visitor();
    await choose(visitor, [2, 3]);
    const order = await payByTransfer(app, visitor, 'ada@example.org');
    expect(await heldHours(order)).toBe(1);
    const thanks = (await visitor.get('/shop/confirmation')).text;
    expect(thanks).toContain('Thank you for your order');
    expect(thanks).toContain('open the link that we have sent to ada@example.org');
    await app.runJobs();
    const link = linkFor('ada@example.org');
    // Looking at the link, as programs that read mails do, changes nothing.
    expect((await app.visitor().get(link)).text).toContain('Yes, this is my address');
    expect(await heldHours(order)).toBe(1);
    expect((await app.visitor().form(`${link.slice(0, -1)}x`, {})).status).toBe(404);
    const answer = await app.visitor().form(link, {});
    expect(answer.location).toMatch(/^\/shop\/order\//);
    expect(await heldHours(order)).toBe(72);
    const page = (await app.visitor().get(answer.location ?? '')).text;
    expect(page).toContain('Your order waits for your transfer until');
    expect(page).not.toContain('open the link');
    expect((await app.visitor().get(link)).text).toContain('There is nothing left to confirm');
  });

  it('are written about in the language of their customer, by the clocks of the site', async () => {
    await app.write(async (ctx) =>
      ctx.model(Website).write(await ctx.model(Website).search([]), { timezone: 'Europe/Brussels' }),
    );
    const visitor = app.visitor();
    await visitor.form('/fr/event/cart/update', { event_id: made.event, [`ticket-${made.tickets[standard]}`]: 1 });
    await payByTransfer(app, visitor, 'zoe@example.org', '/fr');
    await app.runJobs();
    const mail = mailbox.received().find(({ envelopeTo }) => envelopeTo.includes('zoe@example.org'));
    expect(mail?.html).toContain('(heure de Bruxelles)');
    expect(mail?.html).toMatch(/href="http:[^"]*\/fr\/shop\/order\/\d+/);
  });

  it('are told apart by their kind where orders are counted', async () => {
    const visitor = app.visitor();
    await choose(visitor, [1, 2]);
    await payByTransfer(app, visitor, 'count@example.org');
    await visitor.get('/shop/confirmation');
    const { lines } = await visitor.rpc<{ lines: object[] }>('/shop/tracking_last_order/', {});
    expect(lines).toEqual([
      expect.objectContaining({ name: 'Open day: Standard', price: 10, quantity: 1 }),
      expect.objectContaining({ name: 'Open day: VIP', price: 15, quantity: 2 }),
    ]);
  });

  it('say for whom they will be: who was named at checkout, else the buyer', async () => {
    const visitor = app.visitor();
    await choose(visitor, [2, 0]);
    const [key] = /attendee-\d+-/.exec((await visitor.get('/shop/checkout')).text) ?? [];
    const named = { [`${key}1-name`]: 'Grace Hopper', [`${key}2-name`]: '' };
    await payByTransfer(app, visitor, 'two@example.org', '', named);
    const { text } = await visitor.get('/shop/confirmation');
    const names = [...text.matchAll(/<p class="ticket-line">[^\n]*<strong>([^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual(['Grace Hopper', 'Ada Lovelace']);
  });

  it('go back on sale with their order when nobody confirms', async () => {
    const visitor = app.visitor();
    await choose(visitor, [1, 0]);
    const order = await payByTransfer(app, visitor, 'eve@example.org');
    const state = () =>
      app.read(async (ctx) => (await ctx.model(SaleOrder).get(order, { select: { state: true } })).state);
    await app.write((ctx) => ctx.model(SaleOrder).write(order, { wait_until: new Date(Date.now() + hour) }));
    await app.runJobs();
    await app.write((ctx) => ctx.jobs.enqueue(expirePayments, {}));
    await app.runJobs();
    expect(await state()).toBe('sent');
    await app.write((ctx) => ctx.model(SaleOrder).write(order, { wait_until: new Date(Date.now() - 1000) }));
    await app.write((ctx) => ctx.jobs.enqueue(expirePayments, {}));
    await app.runJobs();
    expect(await state()).toBe('cancel');
    expect(await heldHours(order)).toBeNull();
  });

  it('of one network are kept for days up to a number', async () => {
    await app.write((ctx) => ctx.settings.set(networkHolds, 4));
    const visitor = app.visitor();
    await choose(visitor, [1, 0]);
    // Five are kept for Ada from here already.
    const order = await payByTransfer(app, visitor, 'bob@example.org');
    await app.runJobs();
    await app.visitor().form(linkFor('bob@example.org'), {});
    expect(await heldHours(order)).toBe(1);
    await app.write((ctx) => ctx.settings.set(networkHolds, 100));
  });

  it('are kept by carts of one network up to a number, unless one signs in', async () => {
    await app.write((ctx) => ctx.settings.set(networkHolds, 8));
    const [one, other, third] = ['203.0.113.7', '203.0.113.7', '203.0.113.7'].map((ip) => app.visitor(ip));
    if (!one || !other || !third) throw new Error('There are three visitors.');
    const inCart = async (visitor: Client): Promise<string[]> =>
      [...(await visitor.get('/shop/cart')).text.matchAll(/name="set_qty" value="([1-9]\d*)"/g)].map(
        ([, count = '']) => count,
      );
    await choose(one, [5, 0]);
    await choose(other, [4, 0]);
    expect([await inCart(one), await inCart(other)]).toEqual([['5'], ['4']]);
    expect((await choose(third, [1, 0])).text).toContain('A lot is kept for carts from your network already.');
    expect(await inCart(third)).toEqual([]);
    // What one’s own cart has does not count against it.
    expect((await choose(one, [6, 0])).text).not.toContain('A lot is kept');
    await choose(app.visitor('203.0.113.8'), [1, 0]);
    const customer = await app.as('admin');
    await choose(customer, [2, 0]);
    expect(await inCart(customer)).toEqual(['2']);
    // Visitors who all seem to come from this machine are not told apart by it.
    for (let more = 0; more < 3; more += 1) {
      const local = app.visitor();
      await choose(local, [5, 0]);
      expect(await inCart(local)).toEqual(['5']);
    }
    await app.write((ctx) => ctx.settings.set(networkHolds, 100));
  });

  it('cart, order and mails say whose clocks a time is by, by the name of a town', async () => {
    const far = await app.write((ctx) => makeEvent(ctx, { name: 'Far away', date_tz: 'America/Detroit' }));
    const visitor = app.visitor();
    await visitor.form('/event/cart/update', { event_id: far.event, [`ticket-${far.tickets[0]}`]: 1 });
    const cart = (await visitor.get('/shop/cart')).text;
    expect(cart).toContain('(Detroit time)');
    expect(cart).toMatch(/Kept for you until <time datetime="[^"]+">[^<]*\([^)]*(time|UTC)\)/i);
    await payByTransfer(app, visitor, 'zoe@example.org');
    for (const path of ['/shop/confirmation']) expect((await visitor.get(path)).text).toContain('(Detroit time)');
    expect((await app.get('/event')).text).toContain('(Detroit time)');
    expect((await app.get('/event')).text).not.toContain('America/Detroit');
  });

  it('nothing to pay and nothing to send: a name and an address are enough, and it is said how to join', async () => {
    const online = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Webinar', address_id: null, online_url: 'https://meet.example.org/room' }, [
        { name: 'Free', price: '0' },
      ]),
    );
    await expect(
      app.write((ctx) => ctx.model(EventEvent).write(online.event, { online_url: 'javascript:alert(1)' })),
    ).rejects.toThrow('begins with https://');
    const visitor = app.visitor();
    await visitor.form('/event/cart/update', { event_id: online.event, [`ticket-${online.tickets[0]}`]: 1 });
    expect((await visitor.get('/shop/checkout')).text).not.toMatch(/name="(phone|street2|country_id)"/);
    expect((await visitor.form('/shop/confirm_order', { name: 'Bob', email: 'bob@example.org' })).location).toBe(
      '/shop/confirmation',
    );
    expect((await app.get(`/event/webinar-${online.event}/register`)).text).not.toContain('meet.example.org');
    expect((await visitor.get('/shop/confirmation')).text).toContain('href="https://meet.example.org/room"');
  });

  it('a salesperson who takes the product for tickets is told where tickets are ordered', async () => {
    const refused = app.write(async (ctx) => {
      const { product_id } = await ctx.model(EventTicket).get(made.tickets[0] ?? 0, { select: { product_id: true } });
      return ctx.model(SaleOrder).create({ invoice_name: 'Ada', order_line: [{ create: { product_id } }] });
    });
    const told: unknown = await refused.catch((error: unknown) => error);
    expect(JSON.stringify(told)).toContain('ordered on the page of their event');
  });
});
