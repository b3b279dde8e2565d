import { jest } from '@jest/globals';
import { Partner, User } from '@pergola/base';
import { Message } from '@pergola/mail';
import { SaleOrder } from '@pergola/sale';
import { orderUrl } from '@pergola/website_sale';
import type { Id } from 'pergola';
import { createTestApp, type Mailbox, openMailbox, someDatabase, type TestApp } from 'pergola/testing';
import { EventRegistration } from '../models/event-registration.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { after, hour, type Made, makeCart, makeEvent, putTickets } from './kit.ts';

someDatabase('One’s own tickets', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let customer: Id = 0;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({
      addons: ['website_event'],
      database,
      env: { SMTP_URL: mailbox.url, TRUSTED_PROXIES: 'loopback' },
    });
    customer = await app.write(async (ctx) => {
      const partner = await ctx.model(Partner).create({ name: 'Ada', email: 'ada@example.com' });
      const group = await ctx.ref('base.group_portal');
      await ctx.model(User).create({ login: 'ada', partner_id: partner, group_ids: [group], email_verified: true });
      return partner;
    });
  });
  afterAll(async () => {
    await app?.close();
    await mailbox?.close();
  });

  /** An event, and so many confirmed tickets of it that Ada has ordered. */
  const bought = async (
    count: number,
    about: { price?: string; seats?: number; values?: object } = {},
  ): Promise<Made & { readonly order: Id; readonly ids: readonly Id[]; readonly page: string }> => {
    const { price = '10', seats = 10, values = {} } = about;
    const made = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Party', seats_max: seats, ...values }, [{ name: 'Standard', price }]),
    );
    const order = await app.write(async (ctx) => {
      const cart = await makeCart(ctx);
      await putTickets(ctx, cart, made.tickets[0] ?? 0, count);
      await ctx.model(SaleOrder).write(cart, { partner_id: customer });
      await ctx.model(SaleOrder).confirm([cart]);
      return cart;
    });
    const ids = await app.read((ctx) =>
      ctx.model(EventRegistration).search([['sale_order_id', '=', order]], { order: 'id' }),
    );
    await app.runJobs();
    mailbox.clear();
    return { ...made, order, ids, page: await app.read((ctx) => orderUrl(ctx, order)) };
  };
  const one = (id: Id | undefined) =>
    app.read((ctx) =>
      ctx.model(EventRegistration).get(id ?? 0, {
        select: { name: true, email: true, state: true, barcode: true, cancel_asked: true },
      }),
    );
  const links = (text: string): string[] => [
    ...new Set([...text.matchAll(/href="(\/event\/ticket\/\d+\/[\w-]+)"/g)].map(([, path]) => path ?? '')),
  ];
  const newHolder = { name: 'Grace Hopper', email: 'grace@example.com' };

  it('stand as cards on the page of the order: numbered, with place and time, file and calendar', async () => {
    const { page } = await bought(3);
    const { text } = await app.visitor().get(page);
    expect([...text.matchAll(/Ticket (\d) of 3/g)].map(([, number]) => number)).toEqual(['1', '2', '3']);
    expect(text).toContain('(Paris time)');
    const [first = ''] = links(text);
    const calendar = await app.visitor().get(`${first}/ics`);
    expect(calendar.headers.get('content-type')).toContain('text/calendar');
    expect(calendar.text).toContain('SUMMARY:Party');
    expect((await app.visitor().get(`${first.slice(0, -2)}xx/ics`)).status).toBe(404);
  });

  it('are shown with as many queries for ten events as for one', async () => {
    const ada = await app.as('ada');
    const { database: db } = app;
    const reading = db.reading.bind(db);
    let queries = 0;
    const spy = jest.spyOn(db, 'reading').mockImplementation((bounds) => {
      const connection = reading(bounds);
      const query: typeof connection.query = (...given) => {
        queries += 1;
        return connection.query(...given);
      };
      return Object.assign(Object.create(connection), { query });
    });
    // Nothing that others have read serves somebody who has just written through another process.
    ada.keepCookies(['pergola_wrote=elsewhere']);
    // What others change meanwhile (facts of the site that are read anew) only adds.
    const reads = async (): Promise<number> => {
      const counts: number[] = [];
      for (let n = 0; n < 4; n++) {
        queries = 0;
        expect((await ada.get('/my/tickets')).status).toBe(200);
        counts.push(queries);
      }
      return Math.min(...counts);
    };
    await bought(1);
    const few = await reads();
    for (let n = 0; n < 9; n++) await bought(1);
    const many = await reads();
    spy.mockRestore();
    expect(few).toBeGreaterThan(3);
    expect(many).toBeLessThanOrEqual(few + 2);
  });

  it('stand on a page of one’s own, also those that somebody else has ordered', async () => {
    const { ids } = await bought(1, { values: { name: 'Own party' } });
    const ada = await app.as('ada');
    expect((await ada.get('/my/tickets')).text).toContain('Own party');
    expect((await ada.get('/my/account')).text).toMatch(/data-entry="website_event.tickets"/);
    await app.write((ctx) =>
      ctx.model(EventRegistration).write([...ids], { partner_id: null, email: 'ADA@example.com' }),
    );
    const { text } = await ada.get('/my/tickets');
    expect(text).toContain('Own party');
    expect((await app.visitor().get(links(text).at(-1) ?? '')).status).toBe(200);
  });

  it('go to somebody else: by mail, under a new code; what the one before has is worth nothing', async () => {
    const { ids, page } = await bought(1);
    await app.write((ctx) => ctx.model(EventRegistration).write([...ids], { name: 'Bob', email: 'bob@example.com' }));
    const before = await one(ids[0]);
    await app.write((ctx) => ctx.model(EventRegistration).sendTickets(ids, { again: true }));
    await app.runJobs();
    const bobs = await mailbox.waitFor(({ envelopeTo }) => envelopeTo.includes('bob@example.com'));
    const own = /\/event\/ticket\/\d+\/[\w-]+/.exec(bobs.text ?? '')?.[0] ?? '';
    const file = /\/event\/tickets\/\d+\/[\w-]+/.exec(bobs.text ?? '')?.[0] ?? '';
    expect((await app.visitor().get(own)).status).toBe(200);
    mailbox.clear();

    const refused = await app.visitor().form(own, { name: '', email: 'nobody' });
    expect(refused.status).toBe(422);
    expect([...refused.text.matchAll(/has-error" data-field="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'name',
      'email',
    ]);
    expect((await app.visitor().form(own, newHolder)).text).toContain('The old code no longer works');
    await app.runJobs();

    const now = await one(ids[0]);
    expect(now).toMatchObject({ ...newHolder, state: 'open' });
    expect(now.barcode).not.toBe(before.barcode);
    for (const path of [own, `${own}/code`, `${own}/ics`, file])
      expect((await app.visitor().get(path)).status).toBe(404);
    expect((await app.visitor().get(links((await app.visitor().get(page)).text)[0] ?? '')).status).toBe(200);
    const told = (email: string) => mailbox.waitFor(({ envelopeTo }) => envelopeTo.includes(email));
    expect((await told('grace@example.com')).subject).toContain('Your tickets');
    expect((await told('bob@example.com')).subject).toContain('has been transferred');
  });

  it('are not changed any more from the time on that the event sets, nor by whoever has no link', async () => {
    const { ids, page } = await bought(1, {
      values: { date_begin: after(20 * hour), date_end: after(22 * hour), change_hours: 24 },
    });
    const [path = ''] = links((await app.visitor().get(page)).text);
    expect((await app.visitor().get(path)).text).not.toContain('data-slot="ticket-change"');
    expect((await app.visitor().form(path, newHolder)).status).toBe(409);
    expect((await app.visitor().form(`${path}/cancel`, {})).status).toBe(409);
    expect((await app.visitor().form(`${path.slice(0, -2)}xx`, newHolder)).status).toBe(404);
    expect(await one(ids[0])).toMatchObject({ name: 'Ada', state: 'open', cancel_asked: null });
  });

  it('can be changed by their holder whatever strangers send with wrong links, and a few times an hour at most', async () => {
    const { ids, page } = await bought(1);
    const [path = ''] = links((await app.visitor().get(page)).text);
    // One network may try so many wrong links.
    const send = (at: string, holder: typeof newHolder) => app.visitor('203.0.113.7').form(at, holder);
    for (let n = 0; n < 6; n++) await send(`${path.slice(0, -2)}xx`, newHolder);
    expect((await send(`${path.slice(0, -2)}xx`, newHolder)).status).toBe(429);
    for (let n = 0; n < 5; n++) expect((await send(path, newHolder)).status).toBe(303);
    // Also if the number is written with zeros.
    for (const way of [path, path.replace(/\/ticket\//, '/ticket/00')])
      expect((await send(way, { ...newHolder, name: 'Bob' })).status).toBe(429);
    expect(await one(ids[0])).toMatchObject(newHolder);
  });

  it('are cancelled at once where they were free; the seat goes to who waits', async () => {
    const { ids, page, event, tickets } = await bought(1, { price: '0', seats: 1 });
    const waiting = await app.write((ctx) =>
      ctx.model(EventWaiting).create({
        event_id: event,
        event_ticket_id: tickets[0] ?? 0,
        name: 'Noor',
        email: 'noor@example.com',
        quantity: 1,
      }),
    );
    const [path = ''] = links((await app.visitor().get(page)).text);
    const answer = await app.visitor().form(`${path}/cancel`, { reason: 'I am ill' });
    expect(answer.location).toContain('done=cancelled');
    expect(await one(ids[0])).toMatchObject({ state: 'cancel' });
    await app.runJobs();
    expect(await app.read((ctx) => ctx.model(EventWaiting).get(waiting, { select: { state: true } }))).toMatchObject({
      state: 'offered',
    });
    expect((await app.visitor().get(`${path}/code`)).status).toBe(404);
  });

  it('that were paid for are asked back: staff sees it, with what was said, and decides', async () => {
    const { ids, page } = await bought(1);
    const [path = ''] = links((await app.visitor().get(page)).text);
    expect((await app.visitor().form(`${path}/cancel`, { reason: '<b>Ill</b>' })).location).toContain('done=asked');
    const row = await one(ids[0]);
    expect(row.state).toBe('open');
    expect(row.cancel_asked).not.toBeNull();
    const said = await app.read((ctx) =>
      ctx.model(Message).find(
        [
          ['model', '=', 'event.registration'],
          ['res_id', '=', ids[0] ?? 0],
        ],
        { select: { body: true } },
      ),
    );
    expect(said.map(({ body }) => body).join()).toContain('&lt;b&gt;Ill&lt;/b&gt;');
    // Once is enough.
    expect((await app.visitor().form(`${path}/cancel`, {})).status).toBe(409);
    await app.write((ctx) => ctx.model(EventRegistration).button_reg_cancel([...ids]));
    expect(await one(ids[0])).toMatchObject({ state: 'cancel', cancel_asked: null });
  });

  it('that were paid for are cancelled at once, or not at all, where the event says so', async () => {
    const free = await bought(1, { values: { cancel_paid: 'at_once' } });
    const [path = ''] = links((await app.visitor().get(free.page)).text);
    expect((await app.visitor().form(`${path}/cancel`, {})).location).toContain('done=cancelled');
    const kept = await bought(1, { values: { cancel_paid: 'no' } });
    const [other = ''] = links((await app.visitor().get(kept.page)).text);
    expect((await app.visitor().get(other)).text).not.toContain('data-slot="ticket-cancel"');
    expect((await app.visitor().form(`${other}/cancel`, {})).status).toBe(409);
    expect(await one(kept.ids[0])).toMatchObject({ state: 'open' });
  });
});
