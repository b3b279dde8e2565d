import { Group, Partner, User } from '@pergola/base';
import { SaleOrder } from '@pergola/sale';
import { orderUrl } from '@pergola/website_sale';
import { type Id, signText } from 'pergola';
import { type Client, createTestApp, eachDatabase, type Mailbox, openMailbox, type TestApp } from 'pergola/testing';
import { extractText } from 'unpdf';
import { EventEvent } from '../models/event-event.ts';
import { codeIn, EventRegistration } from '../models/event-registration.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { openLink, ticketsPath } from '../services/ticket-links.ts';
import { WaitingList } from '../services/waiting-list.ts';
import { type Made, makeCart, makeEvent, putTickets } from './kit.ts';

eachDatabase('People at events', (database, once) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let door: Client;
  let clerk: Client;

  let visits = 0;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({
      addons: ['website_event'],
      database,
      env: { SMTP_URL: mailbox.url, TRUSTED_PROXIES: 'loopback' },
    });
    await app.write(async (ctx) => {
      const user = async (login: string, groups: Id[]) => {
        const partner = await ctx.model(Partner).create({ name: login, email: `${login}@example.com` });
        return ctx.model(User).create({ login, partner_id: partner, group_ids: groups });
      };
      await user('door', [await ctx.ref('website_event.group_event_door')]);
      await user('clerk', [await ctx.ref('base.group_user')]);
      await user('customer', [await ctx.ref('base.group_portal')]);
      expect(await ctx.model(Group).count([['name', 'ilike', 'Check-in staff']])).toBe(1);
    });
    [door, clerk] = [await app.as('door'), await app.as('clerk')];
  });
  afterAll(async () => {
    await app?.close();
    await mailbox?.close();
  });

  const make = (seats = 10): Promise<Made> =>
    app.write((ctx) => makeEvent(ctx, { name: 'Party', seats_max: seats }, [{ name: 'Standard', price: '10' }]));
  /** Confirmed tickets of somebody. */
  const buy = (made: Made, count: number, name = 'Ada Lovelace'): Promise<Id> =>
    app.write(async (ctx) => {
      const cart = await makeCart(ctx, name);
      await putTickets(ctx, cart, made.tickets[0] ?? 0, count);
      await ctx.model(SaleOrder).confirm([cart]);
      return cart;
    });
  const registrationsOf = (event: Id) =>
    app.read((ctx) =>
      ctx.model(EventRegistration).find([['event_id', '=', event]], {
        select: { name: true, email: true, state: true, barcode: true, checked_by: true },
        order: 'id',
      }),
    );

  const forgetMails = async (): Promise<void> => {
    await app.runJobs();
    mailbox.clear();
  };

  once('open their tickets by links of earlier versions, and however their address is written', async () => {
    const made = await make();
    await buy(made, 2);
    const [first, second] = await registrationsOf(made.event);
    await app.write(async (ctx) => {
      const registrations = ctx.model(EventRegistration);
      await registrations.write(first?.id ?? 0, { email: 'Hana@München.example' });
      await registrations.write(second?.id ?? 0, { email: 'hana@xn--mnchen-3ya.example' });
    });
    const ids = [first?.id ?? 0, second?.id ?? 0];
    const list = ids.join('-');
    const opened = (signature: string) => app.read(async (ctx) => openLink(ctx, list, signature));
    const path = await app.read(async (ctx) => ticketsPath(ctx, ids, 'HANA@münchen.example'));
    expect(await opened(path.split('/').at(-1) ?? '')).toEqual({ holder: 'hana@xn--mnchen-3ya.example', ids });
    const former = (holder: string) =>
      app.read(async (ctx) => signText(ctx.config.sessionSecret, 'website_event.tickets', `${list} ${holder}`));
    expect(await opened(await former('hana@münchen.example'))).toMatchObject({ ids });
    expect(await opened(await former('hana@munchen.example'))).toBeNull();
    await forgetMails();
  });

  describe('are known', () => {
    once('to nobody but organisers, the door, and whoever ordered', async () => {
      const { event } = await make();
      const params = {
        model: 'event.registration',
        method: 'search_read',
        args: [[['event_id', '=', event]]],
        kwargs: {},
      };
      for (const client of [app.visitor(), clerk]) {
        await expect(client.rpc('/web/dataset/call_kw', params)).rejects.toThrow();
      }
      const customer = await app.as('customer');
      expect(await customer.rpc('/web/dataset/call_kw', params)).toEqual([]);
      await expect(
        door.rpc('/web/dataset/call_kw', {
          model: 'event.registration',
          method: 'create',
          args: [{ event_id: event, name: 'x' }],
          kwargs: {},
        }),
      ).rejects.toThrow();
      await expect(
        customer.rpc('/web/dataset/call_kw', { model: 'event.waiting', method: 'search_read', args: [[]], kwargs: {} }),
      ).rejects.toThrow();
    });

    once('by the names the buyer gave at checkout, else by the buyer’s', async () => {
      await app.runJobs();
      mailbox.clear();
      const made = await make();
      const visitor = app.visitor();
      const sent = await visitor.form(`/event/cart/update?event_id=${made.event}`, {
        [`ticket-${made.tickets[0]}`]: 2,
      });
      expect([sent.status, sent.location]).toEqual([303, '/shop/checkout']);
      const { text } = await visitor.get('/shop/checkout');
      const [key] = /attendee-\d+-1/.exec(text) ?? [];
      const address = {
        name: 'Grace Hopper',
        email: 'grace@example.com',
        phone: '+33 1 99 00 12 34',
        street2: 'x',
        city: 'Paris',
        zip: '75011',
        shipping_id: 0,
        country_id: await app.read((ctx) => ctx.ref('base.fr')),
      };
      const wrong = await visitor.form('/shop/confirm_order', {
        ...address,
        [`${key}-name`]: 'Kay',
        [`${key}-email`]: 'nonsense',
      });
      expect(wrong.status).toBe(422);
      expect(wrong.text).toContain('value="Kay"');
      expect(wrong.text).toContain('Enter a valid email address.');
      const same = await visitor.form('/shop/confirm_order', {
        ...address,
        city: '',
        [`${key}-same`]: 'on',
      });
      expect(same.text).toMatch(new RegExp(`<input[^>]*id="${key}-same"[^>]*checked`));
      const right = await visitor.form('/shop/confirm_order', {
        ...address,
        [`${key?.replace(/1$/, '2')}-same`]: 'on',
        [`${key?.replace(/1$/, '2')}-name`]: 'Somebody else',
        [`${key}-name`]: 'Kay',
        [`${key}-email`]: 'kay@example.com',
      });
      expect([right.status, right.location]).toEqual([303, '/shop/payment']);
      const order = await app.read(
        async (ctx) => (await ctx.model(SaleOrder).search([], { order: 'id desc', limit: 1 }))[0] ?? 0,
      );
      await app.write((ctx) => ctx.model(SaleOrder).confirm([order]));
      expect((await registrationsOf(made.event)).map(({ name, email, state }) => [name, email, state])).toEqual([
        ['Kay', 'kay@example.com', 'open'],
        ['Grace Hopper', 'grace@example.com', 'open'],
      ]);
      await app.runJobs();
      // Each gets their own ticket, whoever ordered gets all of them.
      const mails = mailbox.received().filter(({ subject }) => subject === 'Your tickets: Party');
      expect(mails.map(({ envelopeTo }) => envelopeTo[0]).sort()).toEqual(['grace@example.com', 'kay@example.com']);
      for (const mail of mails) expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf']);
    });
  });

  describe('get their tickets', () => {
    once('as a file behind a link that only the site can make', async () => {
      const made = await make();
      await buy(made, 1);
      const [row] = await registrationsOf(made.event);
      const path = await app.read(async (ctx) => ticketsPath(ctx, [row?.id ?? 0], 'ada@example.com'));
      const { status, headers, text } = await app.visitor().get(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(text.startsWith('%PDF-')).toBe(true);
      expect((await app.visitor().get(path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(404);
      await app.write((ctx) => ctx.model(EventRegistration).button_reg_cancel([row?.id ?? 0]));
      expect((await app.visitor().get(path)).status).toBe(404);
    });

    once('one on each page, in their order', async () => {
      const made = await make();
      await buy(made, 3);
      const ids = (await registrationsOf(made.event)).map(({ id }) => id);
      const path = await app.read(async (ctx) => ticketsPath(ctx, ids, 'ada@example.com'));
      const file = await (await fetch(new URL(path, app.url))).arrayBuffer();
      const { text } = await extractText(new Uint8Array(file));
      expect(text.map((page) => /Ticket \d of \d/.exec(page)?.[0])).toEqual([
        'Ticket 1 of 3',
        'Ticket 2 of 3',
        'Ticket 3 of 3',
      ]);
    });

    once('on the page of their order, with a code that leads to the door', async () => {
      const made = await make();
      const order = await buy(made, 2);
      const url = await app.read((ctx) => orderUrl(ctx, order));
      const { text } = await app.visitor().get(url);
      const codes = [...text.matchAll(/src="(\/event\/ticket\/[^"]+\/code)"/g)].map(([, path]) => path ?? '');
      expect(codes).toHaveLength(2);
      const picture = await app.visitor().get(codes[0] ?? '');
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect((await app.visitor().get((codes[0] ?? '').replace(/\d+/, '999999'))).status).toBe(404);
      expect((await app.visitor().get(`${url}x`)).status).toBe(404);
    });

    once('again from organisers alone, not by calls of whoever ordered', async () => {
      const made = await make();
      await buy(made, 1);
      const customer = await app.read((ctx) =>
        ctx.model(User).first([['login', '=', 'customer']], { select: { partner_id: true } }),
      );
      await app.write(async (ctx) => {
        const own = await ctx.model(EventRegistration).search([['event_id', '=', made.event]]);
        await ctx
          .model(EventRegistration)
          .write(own, { partner_id: customer?.partner_id ?? null, email: 'victim@example.com' });
      });
      const [row] = await registrationsOf(made.event);
      const resend = (client: Client) =>
        client.rpc('/web/dataset/call_kw', {
          model: 'event.registration',
          method: 'resend_tickets',
          args: [[row?.id ?? 0]],
          kwargs: {},
        });
      await forgetMails();
      const buyer = await app.as('customer');
      expect(
        await buyer.rpc('/web/dataset/call_kw', {
          model: 'event.registration',
          method: 'search_count',
          args: [[['id', '=', row?.id ?? 0]]],
          kwargs: {},
        }),
      ).toBe(1);
      for (const client of [buyer, door, clerk]) await expect(resend(client)).rejects.toThrow();
      await app.runJobs();
      expect(mailbox.received()).toEqual([]);
      await resend(await app.as('admin'));
      await app.runJobs();
      expect(mailbox.received().map(({ envelopeTo }) => envelopeTo[0])).toContain('victim@example.com');
    });

    once('without paying where they are free', async () => {
      const made = await app.write((ctx) => makeEvent(ctx, { name: 'Open day' }, [{ name: 'Free', price: '0' }]));
      const visitor = app.visitor();
      await visitor.form('/event/cart/update', { event_id: made.event, [`ticket-${made.tickets[0]}`]: 1 });
      const address = {
        name: 'Free Rider',
        email: 'free@example.com',
        phone: '+33 1 99 00 12 34',
        street2: 'x',
        city: 'Paris',
        zip: '75011',
        shipping_id: 0,
      };
      const done = await visitor.form('/shop/confirm_order', {
        ...address,
        country_id: await app.read((ctx) => ctx.ref('base.fr')),
      });
      expect(done.location).toBe('/shop/confirmation');
      expect((await registrationsOf(made.event)).map(({ name, state }) => [name, state])).toEqual([
        ['Free Rider', 'open'],
      ]);
      // Nobody paid, so no step says it.
      const { text } = await visitor.get('/shop/confirmation');
      const steps = /class="shop-steps"[^>]*>([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? '';
      expect([steps.includes('Done'), steps.includes('Payment')]).toEqual([true, false]);
    });

    once('and hear of it when the event moves or is cancelled', async () => {
      const made = await make();
      await buy(made, 2, 'Mary Shelley');
      await forgetMails();
      await app.write((ctx) => ctx.model(EventEvent).button_cancel([made.event]));
      await app.runJobs();
      expect(mailbox.received().map(({ subject, envelopeTo }) => [subject, envelopeTo[0]])).toEqual([
        ['Cancelled: Party', 'mary@example.com'],
      ]);
      expect((await registrationsOf(made.event)).map(({ state }) => state)).toEqual(['cancel', 'cancel']);
    });
  });

  describe('are let in', () => {
    const path = (made: Made) => `/event/check-in/party-${made.event}`;

    once('once: a ticket that was used is told of, with when and by whom', async () => {
      const made = await make();
      await buy(made, 1);
      const [row] = await registrationsOf(made.event);
      const code = row?.barcode ?? '';
      const first = await door.form(path(made), { code });
      expect([first.status, first.text.includes('data-outcome="in"')]).toEqual([200, true]);
      const again = await door.form(path(made), {
        code: `https://example.com/event/check-in?code=${code.toLowerCase()}`,
      });
      expect(again.status).toBe(409);
      expect(again.text).toContain('This ticket has already been used');
      expect(again.text).toContain('checked in by door');
      expect((await registrationsOf(made.event))[0]?.state).toBe('done');
      const undone = await door.form(path(made), { registration: row?.id ?? 0, undo: 'true' });
      expect(undone.text).toContain('data-outcome="undone"');
      expect((await registrationsOf(made.event))[0]?.state).toBe('open');
      expect((await door.form(path(made), { registration: 999_999 })).status).toBe(404);
      const listed = async (search: string) => (await door.get(`${path(made)}?search=${search}`)).text;
      expect(await listed('lovelace')).toContain('Ada Lovelace');
      expect(await listed('x'.repeat(100))).not.toContain('Ada Lovelace');
      expect(await listed('x'.repeat(101))).toContain('Ada Lovelace');
    });

    it('by one of two doors at the same time', async () => {
      const made = await make();
      await buy(made, 1);
      const code = (await registrationsOf(made.event))[0]?.barcode ?? '';
      const answers = await Promise.all([door.form(path(made), { code }), door.form(path(made), { code })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    once('only to the event their ticket is for, with a ticket that is valid', async () => {
      const [here, there] = [await make(), await make()];
      await buy(there, 1);
      const [row] = await registrationsOf(there.event);
      const wrong = await door.form(path(here), { code: row?.barcode ?? '' });
      expect([wrong.status, wrong.text.includes('This ticket is for another event: Party')]).toEqual([409, true]);
      expect((await door.form(path(here), { code: 'ABCD' })).text).toContain('No ticket has this code');
      await app.write((ctx) => ctx.model(EventRegistration).button_reg_cancel([row?.id ?? 0]));
      expect((await door.form(path(there), { code: row?.barcode ?? '' })).text).toContain('This ticket isn’t valid');
    });

    once('by people at the door, and nobody else', async () => {
      const made = await make();
      await buy(made, 1);
      const [row] = await registrationsOf(made.event);
      expect((await clerk.get(path(made))).status).toBe(404);
      expect((await clerk.form(path(made), { code: row?.barcode ?? '' })).status).toBe(404);
      expect((await app.visitor().get('/event/check-in')).location).toContain('/web/login');
      const call = { model: 'event.registration', method: 'button_reg_close', args: [[row?.id]], kwargs: {} };
      await expect(clerk.rpc('/web/dataset/call_kw', call)).rejects.toThrow();
      await door.rpc('/web/dataset/call_kw', call);
      expect((await registrationsOf(made.event))[0]?.state).toBe('done');
    });

    once.each([
      ['abcd efgh jklm nopq', 'ABCDEFGHJKLMNOPQ'],
      ['http://localhost/event/check-in?code=ABCDEFGHJKLMNPQR', 'ABCDEFGHJKLMNPQR'],
      ['', ''],
      ['<script>', 'SCRIPT'],
    ])('with a code as it is typed or scanned: %s', (text, code) => {
      expect(codeIn(text)).toBe(code);
    });
  });

  describe('wait', () => {
    /** A visitor with an address of their own. */
    const stranger = () => app.visitor(`198.51.100.${++visits}`);
    const join = (client: Client, made: Made, email: string, quantity = 1) =>
      client.form('/event/waiting/join', { ticket: made.tickets[0] ?? 0, name: 'Noor', email, quantity });
    const states = (event: Id) =>
      app.read(async (ctx) =>
        (
          await ctx
            .model(EventWaiting)
            .find([['event_id', '=', event]], { select: { email: true, state: true, quantity: true } })
        ).map(({ email, state, quantity }) => [email, state, quantity]),
      );

    once('when everything is sold, and are asked in their order when seats come free', async () => {
      const made = await make(2);
      expect((await join(stranger(), made, 'early@example.com')).status).toBe(409);
      await buy(made, 2);
      await forgetMails();
      expect((await join(stranger(), made, 'first@example.com')).location).toMatch(/\/register\?note=waiting$/);
      await join(stranger(), made, 'first@example.com');
      await join(stranger(), made, 'second@example.com');
      expect((await join(stranger(), made, 'nonsense')).status).toBe(422);
      await app.runJobs();
      const told = mailbox.received().map(({ subject, envelopeTo }) => [subject, envelopeTo[0]]);
      // Two mails leave at a time, so either may be the first.
      expect(told.sort()).toEqual([
        // Joining again sends the link again.
        ['You’re on the waiting list: Party', 'first@example.com'],
        ['You’re on the waiting list: Party', 'first@example.com'],
        ['You’re on the waiting list: Party', 'second@example.com'],
      ]);
      const [row] = await registrationsOf(made.event);
      await app.write((ctx) => ctx.model(EventRegistration).button_reg_cancel([row?.id ?? 0]));
      await app.runJobs();
      expect(await states(made.event)).toEqual([
        ['first@example.com', 'offered', 1],
        ['second@example.com', 'waiting', 1],
      ]);
      expect(mailbox.received().at(-1)?.subject).toMatch(/Seats available for you: Party|Cancelled: Party/);
      // What is offered to one is kept from everybody else.
      const refused = await app
        .visitor()
        .form(`/event/cart/update?event_id=${made.event}`, { [`ticket-${made.tickets[0]}`]: 1 });
      expect([refused.status, refused.text.includes('is sold out')]).toEqual([409, true]);
      await app.write((ctx) => ctx.model(EventEvent).button_cancel([made.event]));
      const late = await join(stranger(), made, 'late@example.com');
      expect([late.status, late.text.includes('are no longer on sale')]).toEqual([409, true]);
    });

    once('and take the seats that are offered into their cart, once', async () => {
      const made = await make(1);
      await buy(made, 1);
      await join(stranger(), made, 'noor@example.com');
      const [row] = await registrationsOf(made.event);
      await app.write((ctx) => ctx.model(EventRegistration).button_reg_cancel([row?.id ?? 0]));
      await app.runJobs();
      const path = await app.read(async (ctx) => {
        const [id] = await ctx.model(EventWaiting).search([['event_id', '=', made.event]]);
        return ctx.get(WaitingList).path(id ?? 0);
      });
      expect((await app.visitor().get(path)).text).toContain('1 seat is reserved for you until');
      expect((await app.visitor().get(`${path}x`)).status).toBe(404);
      const visitor = app.visitor();
      const [one, other] = [await visitor.form(`${path}/claim`), await app.visitor().form(`${path}/claim`)];
      expect([one.status, one.location, other.status]).toEqual([303, '/shop/cart', 409]);
      expect((await visitor.get('/shop/cart')).text).toMatch(
        /href="\/event\/party-\d+\/register"[^>]*><strong>Party: Standard/,
      );
      expect(await states(made.event)).toEqual([['noor@example.com', 'claimed', 1]]);
    });

    once('no longer than an offer holds, or they want to', async () => {
      const made = await make(1);
      await buy(made, 1);
      await join(stranger(), made, 'slow@example.com');
      await join(stranger(), made, 'gone@example.com');
      await join(stranger(), made, 'next@example.com');
      const places = await app.read((ctx) => ctx.model(EventWaiting).search([['event_id', '=', made.event]]));
      const pathOf = (index: number) => app.read(async (ctx) => ctx.get(WaitingList).path(places[index] ?? 0));
      await app.visitor().form(`${await pathOf(1)}/leave`);
      const [row] = await registrationsOf(made.event);
      await app.write((ctx) => ctx.model(EventRegistration).button_reg_cancel([row?.id ?? 0]));
      await app.runJobs();
      await app.write((ctx) =>
        ctx.model(EventWaiting).write(places[0] ?? 0, { offered_until: new Date(Date.now() - 60_000) }),
      );
      expect((await app.visitor().form(`${await pathOf(0)}/claim`)).status).toBe(409);
      await app.write((ctx) => ctx.get(WaitingList).offer(made.event));
      expect(await states(made.event)).toEqual([
        ['slow@example.com', 'expired', 1],
        ['gone@example.com', 'left', 1],
        ['next@example.com', 'offered', 1],
      ]);
    });
  });
});
