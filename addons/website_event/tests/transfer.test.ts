import { expirePayments, networkShare, SaleHold, SaleOrder, Stock } from '@pergola/sale';
import { Website } from '@pergola/website';
import type { Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type Mailbox, openMailbox, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { hour, type Made, makeEvent, payByTransfer } from './kit.ts';

eachDatabase('tickets that are to be paid by transfer', (database, once) => {
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
  });
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

  once('one order has no more of a kind than is sensible, where the ticket says nothing', async () => {
    const answer = await choose(app.visitor(), [1000, 500]);
    expect(answer.text.match(/You can order up to 20 of “Open day[^”]*”\./g)).toHaveLength(2);
  });

  once('are kept as any payment that was begun, and for days only once the address is confirmed', async () => {
    const visitor = app.visitor();
    await choose(visitor, [2, 3]);
    const order = await payByTransfer(app, visitor, 'ada@example.org');
    expect(await heldHours(order)).toBe(1);
    const thanks = (await visitor.get('/shop/confirmation')).text;
    expect(thanks).toContain('Thank you for your order');
    expect(thanks).toContain('open the link in the email to ada@example.org');
    await app.runJobs();
    const mail = mailbox.received().find(({ envelopeTo }) => envelopeTo.includes('ada@example.org'));
    expect(mail?.html).toContain('Please confirm your email address with the button below.');
    expect(mail?.html).not.toContain('open the link in the email');
    const link = linkFor('ada@example.org');
    // Looking at the link, as programs that read mails do, changes nothing.
    expect((await app.visitor().get(link)).text).toContain('Yes, this is my address');
    expect(await heldHours(order)).toBe(1);
    expect((await app.visitor().form(`${link.slice(0, -1)}x`, {})).status).toBe(404);
    const answer = await app.visitor().form(link, {});
    expect(answer.location).toMatch(/^\/shop\/order\//);
    expect(await heldHours(order)).toBe(72);
    const page = (await app.visitor().get(answer.location ?? '')).text;
    expect(page).toContain('We’ll wait for your transfer until');
    expect(page).not.toContain('open the link');
    expect((await app.visitor().get(link)).text).toContain('There’s nothing left to confirm');
  });

  once('are written about in the language of their customer, by the clocks of the site', async () => {
    await app.write(async (ctx) =>
      ctx.model(Website).write(await ctx.model(Website).search([]), { timezone: 'Europe/Brussels' }),
    );
    mailbox.clear();
    const visitor = app.visitor();
    await visitor.form('/fr/event/cart/update', { event_id: made.event, [`ticket-${made.tickets[standard]}`]: 1 });
    await payByTransfer(app, visitor, 'zoe@example.org', '/fr');
    await app.runJobs();
    const mail = mailbox.received().find(({ envelopeTo }) => envelopeTo.includes('zoe@example.org'));
    expect(mail?.html).toContain('(heure de Bruxelles)');
    expect(mail?.html).toMatch(/href="http:[^"]*\/fr\/shop\/order\/\d+/);
  });

  once('are told apart by their kind where orders are counted', async () => {
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

  once('say for whom they will be: who was named at checkout, else the buyer', async () => {
    const visitor = app.visitor();
    await choose(visitor, [2, 0]);
    const [key] = /attendee-\d+-/.exec((await visitor.get('/shop/checkout')).text) ?? [];
    const named = { [`${key}1-name`]: 'Grace Hopper', [`${key}2-name`]: '' };
    await payByTransfer(app, visitor, 'two@example.org', '', named);
    const { text } = await visitor.get('/shop/confirmation');
    const names = [...text.matchAll(/<p class="ticket-line">[^\n]*<strong>([^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual(['Grace Hopper', 'Ada Lovelace']);
  });

  once('go back on sale with their order when nobody confirms', async () => {
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

  once('of one network are kept for days up to a share of what is left', async () => {
    const day = await app.write((ctx) => makeEvent(ctx, { name: 'Small day' }, [{ name: 'Standard', seats: 20 }]));
    const order = async (email: string, seats: number): Promise<Id> => {
      const visitor = app.visitor('198.51.100.7');
      await visitor.form('/event/cart/update', { event_id: day.event, [`ticket-${day.tickets[0]}`]: seats });
      const placed = await payByTransfer(app, visitor, email);
      await app.runJobs();
      await app.visitor().form(linkFor(email), {});
      return placed;
    };
    await app.write((ctx) => ctx.settings.set(networkShare, 100));
    const [first, second] = [await order('first@example.org', 5), await order('second@example.org', 4)];
    expect([await heldHours(first), await heldHours(second)]).toEqual([72, 72]);
    await app.write((ctx) => ctx.settings.set(networkShare, 25));
    const keeps = (id: Id) =>
      app.read(async (ctx) => {
        const system = ctx.sudo();
        const { network } = await system.model(SaleOrder).get(id, { select: { network: true } });
        return [network !== null, await system.get(Stock).mayKeep({ id, network })];
      });
    expect([await keeps(first), await keeps(second)]).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  const seatsHeld = (event: Id) =>
    app.read(async (ctx) => {
      const holds = await ctx.model(SaleHold).find(
        [
          ['resource', '=', 'event.event'],
          ['resource_id', '=', event],
        ],
        { select: { quantity: true } },
      );
      return holds.reduce((sum, { quantity }) => sum + quantity, 0);
    });

  it('are held by carts of one network up to a share of what is left, unless they belong to an account', async () => {
    const day = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Forty seats', seats_max: 40 }, [{ name: 'Standard' }, { name: 'VIP' }]),
    );
    const take = (visitor: Client, seats: number, kind = 0) =>
      visitor.form('/event/cart/update', { event_id: day.event, [`ticket-${day.tickets[kind]}`]: seats });
    const crowd = Array.from({ length: 12 }, (_, index) => app.visitor(`2001:db8:1:2::${index + 1}`));
    await Promise.all(crowd.map((visitor, index) => take(visitor, 3, index % 2)));
    expect(await seatsHeld(day.event)).toBe(9);
    const late = app.visitor('2001:db8:1:2:ffff::1');
    expect((await take(late, 2)).text).toContain('Visitors on your network can’t reserve any more');
    // The only cart of a network gets a share, too.
    const group = app.visitor('2001:db8:1:3::1');
    expect((await take(group, 8)).text).toContain('Choose fewer, sign in');
    await take(group, 7);
    expect(await seatsHeld(day.event)).toBe(16);
    const customer = await app.as('admin');
    await take(customer, 12);
    expect(await seatsHeld(day.event)).toBe(28);
    // A trusted proxy says which visitor of a local network it is.
    await take(app.visitor('192.168.1.20'), 5);
    await take(app.visitor('192.168.1.20'), 4);
    await take(app.visitor('192.168.1.20'), 1);
    expect(await seatsHeld(day.event)).toBe(32);
    // Requests of this machine itself stand for anyone.
    for (const seats of [2, 4]) await take(app.visitor(), seats);
    expect(await seatsHeld(day.event)).toBe(38);
    // Few are left: a family still finds room.
    await take(app.visitor('203.0.113.9'), 2);
    expect(await seatsHeld(day.event)).toBe(40);
  });

  once('cart, order and mails say whose clocks a time is by, by the name of a town', async () => {
    const far = await app.write((ctx) => makeEvent(ctx, { name: 'Far away', date_tz: 'America/Detroit' }));
    const visitor = app.visitor();
    await visitor.form('/event/cart/update', { event_id: far.event, [`ticket-${far.tickets[0]}`]: 1 });
    const cart = (await visitor.get('/shop/cart')).text;
    expect(cart).toContain('(Detroit time)');
    expect(cart).toMatch(/Reserved for you until <time datetime="[^"]+">[^<]*\([^)]*(time|UTC)\)/i);
    await payByTransfer(app, visitor, 'zoe@example.org');
    for (const path of ['/shop/confirmation']) expect((await visitor.get(path)).text).toContain('(Detroit time)');
    expect((await app.get('/event')).text).toContain('(Detroit time)');
    expect((await app.get('/event')).text).not.toContain('America/Detroit');
  });

  once('nothing to pay and nothing to send: a name and an address are enough, and it is said how to join', async () => {
    const online = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Webinar', address_id: null, online_url: 'https://meet.example.org/room' }, [
        { name: 'Free', price: '0' },
      ]),
    );
    await expect(
      app.write((ctx) => ctx.model(EventEvent).write(online.event, { online_url: 'javascript:alert(1)' })),
    ).rejects.toThrow('starts with https://');
    const visitor = app.visitor();
    await visitor.form('/event/cart/update', { event_id: online.event, [`ticket-${online.tickets[0]}`]: 1 });
    expect((await visitor.get('/shop/checkout')).text).not.toMatch(/name="(phone|street2|country_id)"/);
    expect((await visitor.form('/shop/confirm_order', { name: 'Bob', email: 'bob@example.org' })).location).toBe(
      '/shop/confirmation',
    );
    expect((await app.get(`/event/webinar-${online.event}/register`)).text).not.toContain('meet.example.org');
    expect((await visitor.get('/shop/confirmation')).text).toContain('href="https://meet.example.org/room"');
  });

  once('a salesperson who takes the product for tickets is told where tickets are ordered', async () => {
    const refused = app.write(async (ctx) => {
      const { product_id } = await ctx.model(EventTicket).get(made.tickets[0] ?? 0, { select: { product_id: true } });
      return ctx.model(SaleOrder).create({ invoice_name: 'Ada', order_line: [{ create: { product_id } }] });
    });
    const told: unknown = await refused.catch((error: unknown) => error);
    expect(JSON.stringify(told)).toContain('Order them on the event’s page');
  });
});
