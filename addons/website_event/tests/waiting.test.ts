import { Partner } from '@pergola/base';
import { SaleHold, SaleOrder, SaleOrderLine } from '@pergola/sale';
import type { FieldsOf, Id, Values } from 'pergola';
import { type Client, createTestApp, eachDatabase, type Mailbox, openMailbox, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { WaitingList } from '../services/waiting-list.ts';
import { hour, after as later, type Made, makeCart, makeEvent, putTickets, type TicketPlan } from './kit.ts';

eachDatabase('Waiting lists', (database, once) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let visits = 0;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({
      addons: ['website_event'],
      database,
      env: { SMTP_URL: mailbox.url, TRUSTED_PROXIES: 'loopback' },
    });
  });
  afterAll(async () => {
    await app?.close();
    await mailbox?.close();
  });

  const stranger = (): Client => app.visitor(`198.51.100.${(++visits % 250) + 1}`);
  const make = (seats_max: number, tickets?: readonly TicketPlan[]): Promise<Made> =>
    app.write((ctx) => makeEvent(ctx, { name: 'Party', seats_max }, tickets));
  /** Confirmed tickets; the order's id. */
  const buy = (ticket: Id, count: number, name = `Buyer${++visits}`): Promise<Id> =>
    app.write(async (ctx) => {
      const cart = await makeCart(ctx, name);
      expect(await putTickets(ctx, cart, ticket, count)).toMatchObject({ quantity: count });
      await ctx.model(SaleOrder).confirm([cart]);
      return cart;
    });
  const join = (ticket: Id, email: string, quantity: number | string = 1) =>
    stranger().form('/event/waiting/join', { ticket, name: 'Noor', email, quantity });
  const places = (event: Id) =>
    app.read((ctx) =>
      ctx.model(EventWaiting).find([['event_id', '=', event]], {
        select: { email: true, state: true, quantity: true, offered_until: true, order_id: true },
        order: 'id',
      }),
    );
  const states = async (event: Id) => (await places(event)).map(({ state, quantity }) => [state, quantity]);
  const pathOf = async (event: Id, index = 0): Promise<string> => {
    const id = (await places(event))[index]?.id ?? 0;
    return app.read(async (ctx) => ctx.get(WaitingList).path(id));
  };
  /** Gives back tickets of an event, and runs what follows. */
  const giveBack = async (event: Id, count: number): Promise<void> => {
    await app.write(async (ctx) => {
      const registrations = ctx.model(EventRegistration);
      await registrations.button_reg_cancel(
        await registrations.search(
          [
            ['event_id', '=', event],
            ['state', '=', 'open'],
          ],
          { limit: count },
        ),
      );
    });
    await app.runJobs();
  };
  const writeTicket = (id: Id, values: Values<FieldsOf<EventTicket>>) =>
    app.write((ctx) => ctx.model(EventTicket).write(id, values));
  const writeEvent = (id: Id, values: Values<FieldsOf<EventEvent>>) =>
    app.write((ctx) => ctx.model(EventEvent).write(id, values));
  const forgetMails = async (): Promise<void> => {
    await app.runJobs();
    mailbox.clear();
  };
  const mails = async () => {
    await app.runJobs();
    return mailbox
      .received()
      .map(({ subject, envelopeTo }) => `${envelopeTo[0]}: ${subject}`)
      .filter((line) => !line.includes('buyer'))
      .sort();
  };
  const order = (client: Client, { event, tickets }: Made, index: number, count: number) =>
    client.form(`/event/cart/update?event_id=${event}`, { [`ticket-${tickets[index]}`]: count });
  const formOf = async (event: Id): Promise<string> => (await stranger().get(`/event/party-${event}/register`)).text;

  once('keep what was sent in the discussion of the place', async () => {
    const { event, tickets } = await make(1);
    const [ticket = 0] = tickets;
    await buy(ticket, 1);
    await join(ticket, 'noor@example.org');
    await giveBack(event, 1);
    const [place] = await app.read((ctx) => ctx.model(EventWaiting).search([['event_id', '=', event]]));
    const messages = await app.read((ctx) =>
      ctx.model('mail.message').find(
        [
          ['model', '=', 'event.waiting'],
          ['res_id', '=', place ?? 0],
        ],
        {
          select: { type: true, subject: true, website_published: true, notification_ids: { email: true } },
          order: 'id',
        },
      ),
    );
    const sent = { type: 'email', website_published: false, notification_ids: [{ email: 'noor@example.org' }] };
    expect(messages).toMatchObject([
      { ...sent, subject: 'You’re on the waiting list: Party' },
      { ...sent, subject: 'Seats available for you: Party' },
    ]);
    await forgetMails();
  });

  it('tell people once of another time or place, unless they hear of it as holders of tickets', async () => {
    const venue = await app.write((ctx) => ctx.model(Partner).create({ name: 'Old Town Hall', city: 'Lille' }));
    const made = await make(2, [{ name: 'VIP' }, { name: 'Standard' }]);
    const [vip = 0, standard = 0] = made.tickets;
    await buy(vip, 2, 'Zoe');
    await join(vip, 'noor@example.com', 2);
    await join(standard, 'Noor@Example.com');
    await join(vip, 'zoe@example.com');
    await join(vip, 'gone@example.com');
    await app.write(async (ctx) => ctx.model(EventWaiting).leave([(await places(made.event))[3]?.id ?? 0]));
    await forgetMails();
    const tell = async () => {
      await app.write((ctx) =>
        ctx
          .db('core_job')
          .where({ name: 'website_event.tell_changes' })
          .update({ run_at: database === 'sqlite' ? 0 : new Date(0) }),
      );
      const told = await mails();
      mailbox.clear();
      return told;
    };
    await writeEvent(made.event, { address_id: venue });
    await writeEvent(made.event, { date_end: later(9 * 24 * hour) });
    expect(await tell()).toEqual(['noor@example.com: Changed: Party', 'zoe@example.com: Changed: Party']);
    await writeEvent(made.event, { name: 'Party' });
    expect(await tell()).toEqual([]);
    await writeEvent(made.event, { address_id: null });
    expect(await tell()).toEqual(['noor@example.com: Changed: Party', 'zoe@example.com: Changed: Party']);
  });

  it('have one place for a form that is sent twice at once', async () => {
    const made = await make(1);
    const [ticket = 0] = made.tickets;
    await buy(ticket, 1);
    for (let round = 0; round < 20; round += 1) {
      const email = `twice${round}@example.com`;
      const answers = await Promise.all([join(ticket, email), join(ticket, email)]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      expect(answers[0]?.location).toBe(answers[1]?.location);
      expect((await places(made.event)).filter((place) => place.email === email)).toHaveLength(1);
    }
  });

  describe('of several tickets', () => {
    it('for one that is sold out leave the seats of all others on sale (F4)', async () => {
      const made = await make(10, [{ name: 'VIP', seats: 2 }, { name: 'Standard' }]);
      const [vip = 0] = made.tickets;
      await buy(vip, 2);
      for (let index = 0; index < 8; index++) expect((await join(vip, `w${index}@example.com`)).status).toBe(303);
      const form = await formOf(made.event);
      expect(Math.max(...Array.from(form.matchAll(/<option value="(\d+)"/g), ([, number]) => Number(number)))).toBe(8);
      const list = (await stranger().get('/event?search=Party')).text;
      expect(list).not.toContain('Only 0 left');
      // A network that isn't signed in holds a quarter of what is left.
      expect((await order(await app.as('admin'), made, 1, 8)).location).toBe('/shop/checkout');
      expect((await order(stranger(), made, 0, 1)).status).toBe(409);
    });

    once('come first for the seats of an event that is sold out', async () => {
      const made = await make(2, [{ name: 'VIP', seats: 2 }, { name: 'Standard' }]);
      const [vip = 0, standard = 0] = made.tickets;
      await buy(vip, 1);
      await buy(standard, 1);
      await join(vip, 'vip@example.com');
      await app.write(async (ctx) => {
        const registrations = ctx.model(EventRegistration);
        const [id = 0] = await registrations.search([['event_ticket_id', '=', standard]]);
        await registrations.button_reg_cancel([id]);
      });
      // Not offered yet, and not for sale either.
      expect(await states(made.event)).toEqual([['waiting', 1]]);
      expect((await order(stranger(), made, 1, 1)).status).toBe(409);
      await app.runJobs();
      expect(await states(made.event)).toEqual([['offered', 1]]);
    });

    once('are not passed by a cart whose hold is over', async () => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      const cart = await app.write(async (ctx) => {
        const id = await makeCart(ctx);
        await putTickets(ctx, id, ticket, 1);
        return id;
      });
      await join(ticket, 'patient@example.com');
      await app.write(async (ctx) => {
        const holds = ctx.model(SaleHold);
        await holds.write(await holds.search([['order_id', '=', cart]]), { until: later(-hour) });
      });
      await expect(app.write((ctx) => ctx.model(SaleOrder).confirm([cart]))).rejects.toMatchObject({
        code: 'sale.short',
      });
    });
  });

  describe('offer only what the claim accepts (F10)', () => {
    it('as many as one order can have, and the rest to the next in line at once', async () => {
      const made = await make(4);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 4);
      await join(ticket, 'four@example.com', 4);
      await join(ticket, 'next@example.com', 2);
      await writeTicket(ticket, { order_max: 2 });
      await giveBack(made.event, 4);
      expect(await states(made.event)).toEqual([
        ['offered', 2],
        ['offered', 2],
      ]);
      const visitor = stranger();
      expect((await visitor.form(`${await pathOf(made.event)}/claim`)).location).toBe('/shop/cart');
      expect(await states(made.event)).toEqual([
        ['claimed', 2],
        ['offered', 2],
      ]);
    });

    once('what a cart cannot have of an offer goes to the next in line', async () => {
      const made = await make(3);
      const [ticket = 0] = made.tickets;
      await writeTicket(ticket, { order_max: 2 });
      const visitor = stranger();
      await order(visitor, made, 0, 1);
      await buy(ticket, 2);
      await join(ticket, 'two@example.com', 2);
      await join(ticket, 'next@example.com', 1);
      await giveBack(made.event, 2);
      const claim = await visitor.form(`${await pathOf(made.event)}/claim`);
      expect(claim.location).toBe('/shop/cart?note=short');
      await app.runJobs();
      expect(await states(made.event)).toEqual([
        ['claimed', 1],
        ['offered', 1],
      ]);
      expect((await visitor.form(`${await pathOf(made.event, 1)}/claim`)).status).toBe(409);
      expect((await states(made.event))[1]).toEqual(['offered', 1]);
    });

    once.each([
      ['for the setting of the site', 0, 21],
      ['for the ticket', 2, 3],
    ])('and nobody joins for more than one order can have: %s', async (_what, order_max, quantity) => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await writeTicket(ticket, { order_max });
      await buy(ticket, 1);
      const refused = await join(ticket, 'many@example.com', quantity);
      expect([refused.status, refused.text.includes('You can join the list for up to')]).toEqual([422, true]);
      for (const bad of ['1.5', 'two', '-1', '0'])
        expect((await join(ticket, 'bad@example.com', bad)).status).toBe(422);
      expect(await places(made.event)).toEqual([]);
    });

    once('no later than the ticket is sold', async () => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 1);
      await join(ticket, 'noor@example.com');
      const deadline = later(2 * hour);
      await writeTicket(ticket, { deadline });
      await giveBack(made.event, 1);
      expect((await places(made.event))[0]?.offered_until).toEqual(deadline);
    });

    once('not before the sale begins', async () => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 1);
      await join(ticket, 'noor@example.com');
      await writeTicket(ticket, { sale_start: later(hour) });
      await giveBack(made.event, 1);
      expect(await states(made.event)).toEqual([['waiting', 1]]);
      await writeTicket(ticket, { sale_start: null });
      await app.runJobs();
      expect(await states(made.event)).toEqual([['offered', 1]]);
    });

    once.each([
      [
        'the sale of the ticket ends',
        'closed',
        ({ tickets }: Made) => writeTicket(tickets[0] ?? 0, { deadline: later(-hour) }),
      ],
      [
        'the event is over',
        'closed',
        ({ event }: Made) => app.write((ctx) => ctx.model(EventEvent).button_done([event])),
      ],
      [
        'the event is cancelled',
        'cancelled',
        ({ event }: Made) => app.write((ctx) => ctx.model(EventEvent).button_cancel([event])),
      ],
    ])('and close when %s: everyone waiting, offered or with seats in a cart is told', async (_what, state, end) => {
      const made = await make(3);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 3);
      for (const name of ['claimed', 'offered', 'waiting']) await join(ticket, `${name}@example.com`);
      await giveBack(made.event, 2);
      const claimer = stranger();
      await claimer.form(`${await pathOf(made.event)}/claim`);
      expect((await states(made.event)).map(([name]) => name)).toEqual(['claimed', 'offered', 'waiting']);
      await forgetMails();
      await end(made);
      expect((await states(made.event)).map(([name]) => name)).toEqual([state, state, state]);
      expect(await mails()).toEqual(
        ['claimed', 'offered', 'waiting'].map((name) => `${name}@example.com: The waiting list is closed: Party`),
      );
      const page = await stranger().get(await pathOf(made.event, 1));
      expect(page.text).toContain('so the waiting list is closed');
      expect((await stranger().form(`${await pathOf(made.event, 1)}/claim`)).status).toBe(409);
    });

    once.each([
      ['is unpublished', { website_published: false }, { website_published: true }],
      ['goes back to planning', { state: 'draft' }, { state: 'confirm' }],
    ] as const)('and wait without mails while the event %s', async (_what, pause, resume) => {
      const made = await make(3);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 3);
      for (const name of ['claimed', 'offered', 'late', 'waiting']) await join(ticket, `${name}@example.com`);
      await giveBack(made.event, 3);
      const claimer = stranger();
      await claimer.form(`${await pathOf(made.event)}/claim`);
      await forgetMails();
      await writeEvent(made.event, pause);
      await app.runJobs();
      const [, , late] = await places(made.event);
      await app.write((ctx) => ctx.model(EventWaiting).write(late?.id ?? 0, { offered_until: later(-hour) }));
      await app.write((ctx) => ctx.get(WaitingList).offer(made.event));
      expect((await states(made.event)).map(([state]) => state)).toEqual(['claimed', 'offered', 'waiting', 'waiting']);
      const page = await stranger().get(await pathOf(made.event, 1));
      expect(page.text).toContain('You keep your place on the waiting list.');
      expect(page.text).not.toContain('/claim');
      const claim = await stranger().form(`${await pathOf(made.event, 1)}/claim`);
      expect([claim.status, claim.text]).toEqual([409, expect.stringContaining('You keep your place')]);
      expect(await mails()).toEqual([]);
      await writeEvent(made.event, resume);
      await app.runJobs();
      expect((await states(made.event)).map(([state]) => state)).toEqual(['claimed', 'offered', 'offered', 'waiting']);
      expect(await mails()).toEqual(['late@example.com: Seats available for you: Party']);
      expect((await stranger().get(await pathOf(made.event, 1))).text).toContain('/claim');
    });

    once('tell everyone when their ticket is deleted', async () => {
      const made = await make(1, [{ name: 'VIP' }, { name: 'Standard' }]);
      const [vip = 0, standard = 0] = made.tickets;
      await buy(standard, 1);
      await join(vip, 'vip@example.com');
      await forgetMails();
      await app.write((ctx) => ctx.model(EventTicket).unlink(vip));
      expect(await mails()).toEqual(['vip@example.com: The waiting list is closed: Party']);
    });

    once('again to the next when an offer was not taken', async () => {
      const made = await make(1);
      await buy(made.tickets[0] ?? 0, 1);
      await join(made.tickets[0] ?? 0, 'slow@example.com');
      await join(made.tickets[0] ?? 0, 'next@example.com');
      await giveBack(made.event, 1);
      const [slow] = await places(made.event);
      await app.write((ctx) => ctx.model(EventWaiting).write(slow?.id ?? 0, { offered_until: later(-hour) }));
      await app.write((ctx) => ctx.get(WaitingList).offer(made.event));
      expect(await states(made.event)).toEqual([
        ['expired', 1],
        ['offered', 1],
      ]);
    });

    once('when the limit of the event is raised, and keep offers when it is lowered', async () => {
      const made = await make(1);
      await buy(made.tickets[0] ?? 0, 1);
      await join(made.tickets[0] ?? 0, 'noor@example.com', 2);
      await writeEvent(made.event, { seats_max: 3 });
      await app.runJobs();
      expect(await states(made.event)).toEqual([['offered', 2]]);
      await expect(writeEvent(made.event, { seats_max: 2 })).rejects.toMatchObject({ code: 'website_event.no_seats' });
    });
  });

  describe('keep an offer until its time', () => {
    const offered = async (seats = 1): Promise<{ made: Made; visitor: Client; cart: () => Promise<Id> }> => {
      const made = await make(seats);
      await buy(made.tickets[0] ?? 0, seats);
      await join(made.tickets[0] ?? 0, 'noor@example.com', seats);
      await giveBack(made.event, seats);
      return { made, visitor: stranger(), cart: async () => (await places(made.event))[0]?.order_id ?? 0 };
    };
    const holdsOf = (cart: Id) =>
      app.read((ctx) => ctx.model(SaleHold).find([['order_id', '=', cart]], { select: { until: true } }));
    const emptied = async (visitor: Client, cart: Id): Promise<void> => {
      const [line] = await app.read((ctx) =>
        ctx.model(SaleOrderLine).find([['order_id', '=', cart]], { select: { product_id: true } }),
      );
      await visitor.rpc('/shop/cart/update_json', { line_id: line?.id, product_id: line?.product_id, set_qty: 0 });
    };

    once('in the cart', async () => {
      const { made, visitor, cart } = await offered();
      await visitor.form(`${await pathOf(made.event)}/claim`);
      const [place] = await places(made.event);
      expect((await holdsOf(await cart())).map(({ until }) => until)).toEqual([
        place?.offered_until,
        place?.offered_until,
      ]);
      expect((await visitor.get(await pathOf(made.event))).text).toContain('reserved for you until');
      // The same link again leads to the same cart.
      expect((await visitor.form(`${await pathOf(made.event)}/claim`)).location).toBe('/shop/cart');
      expect((await stranger().form(`${await pathOf(made.event)}/claim`)).status).toBe(409);
    });

    once('out of it: the seat is not on public sale, and can be taken again', async () => {
      const { made, visitor, cart } = await offered();
      await visitor.form(`${await pathOf(made.event)}/claim`);
      const until = (await places(made.event))[0]?.offered_until;
      await emptied(visitor, await cart());
      expect(await places(made.event)).toMatchObject([{ state: 'offered', offered_until: until, quantity: 1 }]);
      expect((await order(stranger(), made, 0, 1)).status).toBe(409);
      expect(await formOf(made.event)).toContain('Sold out');
      await visitor.form('/shop/cart/undo');
      expect(await states(made.event)).toEqual([['claimed', 1]]);
      await emptied(visitor, await cart());
      const other = stranger();
      expect((await other.form(`${await pathOf(made.event)}/claim`)).location).toBe('/shop/cart');
      expect(await states(made.event)).toEqual([['claimed', 1]]);
    });

    once('when the hold of a cart with more seats is over', async () => {
      const { made, visitor, cart } = await offered(2);
      await visitor.form(`${await pathOf(made.event)}/claim`);
      await app.write(async (ctx) => {
        const holds = ctx.model(SaleHold);
        await holds.write(await holds.search([['order_id', '=', await cart()]]), { until: later(-hour) });
      });
      expect((await order(stranger(), made, 0, 1)).status).toBe(409);
      await app.write(async (ctx) => {
        const id = await cart();
        await ctx.model(SaleOrder).write(id, { invoice_name: 'Noor', invoice_email: 'noor@example.com' });
        await ctx.model(SaleOrder).confirm([id]);
      });
      expect(await places(made.event)).toMatchObject([{ state: 'claimed', offered_until: null }]);
    });

    once('and end it with the payment, after which its seats are like all others', async () => {
      const { made, visitor, cart } = await offered();
      await visitor.form(`${await pathOf(made.event)}/claim`);
      const id = await cart();
      await app.write(async (ctx) => {
        await ctx.model(SaleOrder).write(id, { invoice_name: 'Noor', invoice_email: 'noor@example.com' });
        await ctx.model(SaleOrder).confirm([id]);
        await ctx.model(SaleOrder).cancel([id]);
      });
      expect(await states(made.event)).toEqual([['claimed', 1]]);
      expect((await order(stranger(), made, 0, 1)).location).toBe('/shop/checkout');
    });

    once('after an order that was not paid is cancelled, or its cart deleted', async () => {
      for (const end of ['cancel', 'unlink'] as const) {
        const { made, visitor, cart } = await offered();
        await visitor.form(`${await pathOf(made.event)}/claim`);
        const id = await cart();
        await app.write((ctx) => ctx.model(SaleOrder)[end]([id]));
        expect(await places(made.event)).toMatchObject([{ state: 'offered', order_id: null }]);
        expect((await order(stranger(), made, 0, 1)).status).toBe(409);
      }
    });

    once('when carts are put together', async () => {
      const { made, visitor, cart } = await offered();
      await visitor.form(`${await pathOf(made.event)}/claim`);
      const from = await cart();
      const into = await app.write(async (ctx) => {
        const id = await makeCart(ctx);
        await ctx.model(SaleOrder).mergeInto(from, id);
        return id;
      });
      expect(await places(made.event)).toMatchObject([{ state: 'claimed', order_id: into }]);
      const [place] = await places(made.event);
      expect((await holdsOf(into))[0]?.until).toEqual(place?.offered_until);
    });

    it('taken by two at once: by one of them', async () => {
      const { made } = await offered();
      const path = await pathOf(made.event);
      const replies = await Promise.all([stranger().form(`${path}/claim`), stranger().form(`${path}/claim`)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([303, 409]);
    });

    once('whose seats are the next person’s as soon as its owner leaves', async () => {
      const { made } = await offered();
      await join(made.tickets[0] ?? 0, 'next@example.com');
      await stranger().form(`${await pathOf(made.event)}/leave`);
      await app.runJobs();
      expect(await states(made.event)).toEqual([
        ['left', 1],
        ['offered', 1],
      ]);
    });
  });

  describe('have one place per person', () => {
    once.each([
      ['hana@example.com', 'Hana@example.com'],
      ['hana@example.com', 'hana@EXAMPLE.com'],
      ['hana3@example.com', '  hana3@example.com '],
      ['hana@münchen.example', 'hana@xn--mnchen-3ya.example'],
      ['hana5@xn--mnchen-3ya.example', 'HANA5@MÜNCHEN.example'],
    ])('%s and %s', async (first, second) => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 1);
      await forgetMails();
      expect((await join(ticket, first)).status).toBe(303);
      expect((await join(ticket, second, 3)).status).toBe(303);
      expect(await states(made.event)).toEqual([['waiting', 3]]);
      expect(await mails()).toHaveLength(2);
      const create = app.write((ctx) =>
        ctx.model(EventWaiting).create({ event_id: made.event, event_ticket_id: ticket, name: 'Hana', email: second }),
      );
      await expect(create).rejects.toMatchObject({ code: 'core.not_unique' });
    });

    once.each([
      ['2', 2],
      [' 2 ', 2],
      ['٢', 2],
      ['２', 2],
      ['2.0', 2],
      ['', 1],
      ['0x2', null],
      ['1e0', null],
      ['1,5', null],
      ['two', null],
      ['−1', null],
      ['0', null],
      ['99999999999999999999', null],
    ])('who asks for “%s” seats waits for %j', async (typed, quantity) => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 1);
      const { status, text } = await join(ticket, 'typed@example.com', typed);
      expect([status, await states(made.event)]).toEqual(
        quantity === null ? [422, []] : [303, [['waiting', quantity]]],
      );
      if (quantity === null) expect(text).toMatch(/Enter (a|at)/);
    });

    it('who asks twice at the same moment', async () => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 1);
      await Promise.all([join(ticket, 'twice@example.com'), join(ticket, 'Twice@example.com')]);
      expect(await states(made.event)).toEqual([['waiting', 1]]);
    });

    once('who can wait again after leaving, or once their seats are paid for', async () => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 1);
      await join(ticket, 'again@example.com');
      await stranger().form(`${await pathOf(made.event)}/leave`);
      await join(ticket, 'again@example.com');
      expect(await states(made.event)).toEqual([
        ['left', 1],
        ['waiting', 1],
      ]);
    });

    once('who is sent the offer again', async () => {
      const made = await make(1);
      const [ticket = 0] = made.tickets;
      await buy(ticket, 1);
      await join(ticket, 'offered-again@example.com');
      await giveBack(made.event, 1);
      await forgetMails();
      expect((await join(ticket, 'Offered-Again@example.com')).status).toBe(303);
      expect(await mails()).toEqual(['offered-again@example.com: Seats available for you: Party']);
    });
  });

  describe('next to tickets that are sold whole (F16)', () => {
    once('a line of an order with one and a half is refused, whoever writes it', async () => {
      const made = await make(10);
      const [ticket = 0] = made.tickets;
      const admin = await app.as('admin');
      const call = (model: string, method: string, args: unknown[]) =>
        admin.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });
      const { product, partner } = await app.read(async (ctx) => ({
        product: (await ctx.model(EventTicket).get(ticket, { select: { product_id: true } })).product_id,
        partner: await ctx.ref('base.main_partner'),
      }));
      const line = (product_uom_qty: number | string) => ({
        product_id: product,
        event_ticket_id: ticket,
        product_uom_qty,
      });
      const refusal = { message: expect.stringContaining('whole number') };
      await expect(
        call('sale.order', 'create', [{ partner_id: partner, order_line: [[0, 0, line(1.5)]] }]),
      ).rejects.toMatchObject(refusal);
      const id = await call('sale.order', 'create', [{ partner_id: partner, order_line: [[0, 0, line(2)]] }]);
      const [row] = await app.read((ctx) => ctx.model(SaleOrderLine).search([['order_id', '=', Number(id)]]));
      await expect(call('sale.order.line', 'write', [[row], { product_uom_qty: 1.5 }])).rejects.toMatchObject(refusal);
      await call('sale.order.line', 'write', [[row], { product_uom_qty: 3 }]);
    });

    once('a fraction of a ticket is told of, where a visitor asks for it', async () => {
      const made = await make(10);
      const answer = await app.write(async (ctx) => {
        const { product_id } = await ctx.model(EventTicket).get(made.tickets[0] ?? 0, { select: { product_id: true } });
        return ctx.model(SaleOrder).setLine(await makeCart(ctx), {
          product: product_id,
          add: 1.5,
          extra: { event_ticket_id: made.tickets[0] },
        });
      });
      expect(answer).toMatchObject({ quantity: 1, warning: 'Enter a whole number.' });
    });
  });
});
