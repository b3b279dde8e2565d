import { Partner } from '@pergola/base';
import {
  Payments,
  PaymentTransaction,
  PricelistItem,
  ProductPricelist,
  ProductTemplate,
  SaleOrder,
  SaleOrderLine,
} from '@pergola/sale';
import { Website } from '@pergola/website';
import type { Ctx, Id } from 'pergola';
import { type Client, createTestApp, type Mailbox, openMailbox, someDatabase, type TestApp } from 'pergola/testing';
import { EventCancellation } from '../models/event-cancellation.ts';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { RefundedEvent } from '../models/event-refunds.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { TicketOrder } from '../models/sale-order.ts';
import { addressKey, type Place } from '../services/places.ts';
import { movedProblems, ticketProblem } from '../services/ticket-problems.ts';
import { after, day, hour, type Made, makeCart, makeEvent, payByTransfer, putTickets } from './kit.ts';

someDatabase('Orders whose items are no longer valid', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['website_event'], database, env: { SMTP_URL: mailbox.url } });
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  let number = 0;
  const newEmail = (): string => {
    number += 1;
    return `buyer${number}@example.org`;
  };
  const make = (name = 'Harvest fair'): Promise<Made> => app.write((ctx) => makeEvent(ctx, { name }));
  const putInCart = (visitor: Client, { event, tickets }: Made, pieces = 1) =>
    visitor.form('/event/cart/update', { event_id: event, [`ticket-${tickets[0]}`]: pieces });
  /** An order by wire transfer. */
  const orderTickets = async (made: Made, pieces = 1): Promise<{ order: Id; email: string; visitor: Client }> => {
    const [visitor, email] = [app.visitor(), newEmail()];
    await putInCart(visitor, made, pieces);
    return { order: await payByTransfer(app, visitor, email), email, visitor };
  };
  const read = (order: Id) =>
    app.read((ctx) =>
      ctx.model(TicketOrder).get(order, {
        select: {
          state: true,
          blocked_reason: true,
          blocked_note: true,
          amount_total: true,
          amount_paid: true,
          amount_owed: true,
          order_line: { name: true },
          registration_ids: { state: true },
        },
      }),
    );
  const validTickets = async (order: Id): Promise<number> =>
    (await read(order)).registration_ids.filter(({ state }) => state === 'open').length;
  const payments = (order: Id) =>
    app.read((ctx) => ctx.model(PaymentTransaction).search([['sale_order_id', '=', order]], { order: 'id' }));
  const awaited = (order: Id) =>
    app.read(async (ctx) => {
      const domain = [
        ['sale_order_id', '=', order],
        ['state', '=', 'pending'],
      ] as const;
      return (await ctx.model(PaymentTransaction).search([...domain]))[0];
    });
  const markPaid = async (order: Id): Promise<void> => {
    const payment = (await awaited(order)) ?? (await payments(order))[0] ?? 0;
    await app.write((ctx) => ctx.model(PaymentTransaction).markPaid([payment]));
  };
  const cancel = ({ event }: Made) => app.write((ctx) => ctx.model(EventEvent).button_cancel([event]));
  const mailsTo = (email: string) => mailbox.received().filter(({ envelopeTo }) => envelopeTo.includes(email));
  const pathOf = (order: Id): Promise<string> =>
    app.read(async (ctx) => {
      const { access_token } = await ctx.model(SaleOrder).get(order, { select: { access_token: true } });
      return `/shop/order/${order}/${access_token}`;
    });

  it('a cancelled event cancels what waits for its payment, and its buyer is told not to pay', async () => {
    const made = await make();
    const { order, email } = await orderTickets(made, 2);
    await app.runJobs();
    await cancel(made);
    await app.runJobs();
    expect(await read(order)).toMatchObject({ state: 'cancel', amount_owed: 0 });
    const subjects = mailsTo(email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject?.startsWith('Cancelled'))).toHaveLength(1);
    expect(mailsTo(email).at(-1)?.html).toContain('Please don’t pay for order');
  });

  it('a buyer whose address is written in two ways hears once of a cancelled event', async () => {
    const made = await make();
    const visitor = app.visitor();
    await putInCart(visitor, made);
    const order = await payByTransfer(app, visitor, 'guest@münchen.example');
    await markPaid(order);
    await app.runJobs();
    await app.write(async (ctx) => {
      const { registration_ids: tickets } = await ctx
        .model(TicketOrder)
        .get(order, { select: { registration_ids: true } });
      await ctx.model('event.registration').write(tickets, { email: 'guest@xn--mnchen-3ya.example' });
    });
    await cancel(made);
    await app.runJobs();
    const received = mailbox.received().filter(({ envelopeTo }) => envelopeTo.some((to) => to.startsWith('guest@')));
    expect(received.filter(({ subject }) => subject?.startsWith('Cancelled'))).toHaveLength(1);
  });

  it.each(['by mark', 'by notification'] as const)(
    'money for a cancelled event that comes late (%s) issues nothing and is owed',
    async (way) => {
      const made = await make();
      const { order, email } = await orderTickets(made, 2);
      await cancel(made);
      if (way === 'by mark') await markPaid(order);
      else
        await app.write(async (ctx) => ctx.model(PaymentTransaction).advance(await payments(order), { state: 'done' }));
      await app.runJobs();
      expect(await read(order)).toMatchObject({ blocked_reason: 'cancelled', amount_paid: 2000, amount_owed: 2000 });
      expect(await validTickets(order)).toBe(0);
      expect(mailsTo(email).filter(({ subject }) => subject?.includes('Your tickets'))).toEqual([]);
      expect(mailsTo(email).at(-1)?.subject).toContain('received your payment');
    },
  );

  const changes: readonly (readonly [name: string, change: (ctx: Ctx, made: Made) => Promise<unknown>, why: RegExp])[] =
    [
      ['back to planning', (ctx, { event }) => ctx.model(EventEvent).button_draft([event]), /being planned again/],
      [
        'unpublished',
        (ctx, { event }) => ctx.model(EventEvent).write(event, { website_published: false }),
        /no longer on sale/,
      ],
      [
        'moved to another day',
        (ctx, { event }) =>
          ctx.model(EventEvent).write(event, { date_begin: after(9 * day), date_end: after(9 * day + hour) }),
        /The date of “.*” has changed/,
      ],
      [
        'moved to another place',
        async (ctx, { event }) =>
          ctx.model(EventEvent).write(event, { address_id: await ctx.ref('base.main_partner') }),
        /The venue of “.*” has changed/,
      ],
      [
        'sale ended before it was ordered',
        (ctx, { tickets }) => ctx.model(EventTicket).write([...tickets], { deadline: after(-hour) }),
        /no longer on sale/,
      ],
    ];
  it.each(changes)('%s: the order needs review, and money for it issues nothing', async (_name, change, why) => {
    const made = await make();
    const { order, email } = await orderTickets(made);
    await app.runJobs();
    await app.write((ctx) => change(ctx, made));
    await app.runJobs();
    expect(await read(order)).toMatchObject({
      state: 'sent',
      blocked_reason: 'invalid',
      blocked_note: expect.stringMatching(why),
    });
    expect(mailsTo(email).at(-1)?.subject).toContain('don’t pay order');
    expect((await app.visitor().get(await pathOf(order))).text).not.toContain('Payment reference');
    await markPaid(order);
    await app.runJobs();
    expect(await read(order)).toMatchObject({
      state: 'sent',
      blocked_reason: 'invalid',
      amount_paid: 1000,
      amount_owed: 1000,
    });
    expect(await validTickets(order)).toBe(0);
    expect(mailsTo(email).filter(({ subject }) => subject?.includes('Your tickets'))).toEqual([]);
  });

  it('what was ordered while it was on sale stays ordered when the sale ends', async () => {
    const made = await make();
    const { order } = await orderTickets(made);
    await app.write((ctx) => ctx.model(EventTicket).write([...made.tickets], { deadline: new Date() }));
    await app.runJobs();
    await markPaid(order);
    expect(await read(order)).toMatchObject({ state: 'sale', blocked_reason: null });
    expect(await validTickets(order)).toBe(1);
  });

  it('an event that comes back needs no review any more', async () => {
    const made = await make();
    const { order } = await orderTickets(made);
    await app.write((ctx) => ctx.model(EventEvent).button_draft([made.event]));
    await app.runJobs();
    expect(await read(order)).toMatchObject({ blocked_reason: 'invalid' });
    await app.write((ctx) => ctx.model(EventEvent).button_confirm([made.event]));
    await app.runJobs();
    expect(await read(order)).toMatchObject({ blocked_reason: null, blocked_note: null });
    await markPaid(order);
    expect(await validTickets(order)).toBe(1);
  });

  it('a moved event: its customer keeps the order on its page, and pays it for the new date', async () => {
    const made = await make();
    const { order, visitor } = await orderTickets(made);
    const begin = after(12 * day);
    const move = async (to: Date) => {
      await app.write((ctx) =>
        ctx.model(EventEvent).write(made.event, { date_begin: to, date_end: new Date(to.getTime() + hour) }),
      );
      await app.runJobs();
    };
    const path = await pathOf(order);
    const load = async () => {
      const { text } = await visitor.get(path);
      expect(text).toContain('The date of “Harvest fair” has changed');
      const accept = /action="([^"]+accept-changes)"/.exec(text)?.[1] ?? '';
      return { accept, version: /name="version" value="([^"]+)"/.exec(text)?.[1] ?? '' };
    };
    await move(after(11 * day));
    const stale = await load();
    await move(begin);
    // The page showed another date by then: the customer is asked again.
    expect(await visitor.form(stale.accept, { version: stale.version })).toMatchObject({ status: 409 });
    expect(await read(order)).toMatchObject({ blocked_reason: 'invalid' });
    const { accept, version } = await load();
    await visitor.form(accept, { version }).then(({ location }) => expect(location).toBe(path));
    expect(await read(order)).toMatchObject({ blocked_reason: null });
    await markPaid(order);
    expect(await read(order)).toMatchObject({ state: 'sale', blocked_reason: null });
    expect(await validTickets(order)).toBe(1);
    const day12 = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Paris', day: 'numeric', month: 'short' });
    expect((await read(order)).order_line[0]?.name).toContain(day12.format(begin));
  });

  it('staff confirm an order of a moved event with its new date, and can’t confirm one of a cancelled event', async () => {
    const [moved, dead] = [await make(), await make()];
    const [first, second] = [await orderTickets(moved), await orderTickets(dead)];
    await app.write((ctx) =>
      ctx.model(EventEvent).write(moved.event, { date_begin: after(20 * day), date_end: after(20 * day + hour) }),
    );
    await markPaid(first.order);
    expect(await read(first.order)).toMatchObject({ blocked_reason: 'invalid' });
    await app.write((ctx) => ctx.model(SaleOrder).confirm([first.order]));
    expect(await read(first.order)).toMatchObject({
      state: 'sale',
      blocked_reason: null,
      blocked_note: null,
      amount_owed: 0,
    });
    expect(await validTickets(first.order)).toBe(1);
    await app.write((ctx) => ctx.model(EventEvent).write(dead.event, { state: 'cancel' }));
    const quotation = await app.write(async (ctx) => {
      const id = await makeCart(ctx);
      await ctx.model(SaleOrder).write(id, { is_cart: false });
      const { product_id } = await ctx.model(EventTicket).get(dead.tickets[0] ?? 0, { select: { product_id: true } });
      await ctx.model(SaleOrderLine).create({
        order_id: id,
        product_id,
        event_ticket_id: dead.tickets[0] ?? 0,
        name: 'Seat',
        price_unit: '10',
        tax_id: [],
      } as never);
      return id;
    });
    await expect(app.write((ctx) => ctx.model(SaleOrder).confirm([quotation]))).rejects.toMatchObject({
      code: 'website_event.cancelled',
    });
    expect(await read(second.order)).toMatchObject({ state: 'cancel' });
  });

  it('no entry point makes a valid ticket for a cancelled event', async () => {
    const made = await make();
    const { order } = await orderTickets(made);
    await markPaid(order);
    await cancel(made);
    const ids = await app.read((ctx) => ctx.model(EventRegistration).search([['event_id', '=', made.event]]));
    await expect(app.write((ctx) => ctx.model(EventRegistration).registration_open(ids))).rejects.toThrow('cancelled');
    await expect(
      app.write((ctx) => ctx.model(EventRegistration).create({ event_id: made.event, name: 'X', state: 'open' })),
    ).rejects.toThrow('cancelled');
    await app.write((ctx) => ctx.model(TicketOrder).settleTickets([order]));
    expect(await validTickets(order)).toBe(0);
  });

  it('cancelling asks with numbers, and lists what is to be refunded, one click each', async () => {
    const made = await make();
    const [paid, waiting] = [await orderTickets(made, 2), await orderTickets(made)];
    await markPaid(paid.order);
    await app.runJobs();
    await app.write((ctx) => ctx.model(EventCancellation).create({ event_id: made.event }));
    await app.runJobs();
    const [row] = await app.read((ctx) =>
      ctx.model(EventCancellation).find([['event_id', '=', made.event]], {
        select: { registrations: true, orders_confirmed: true, orders_awaited: true, money: true },
      }),
    );
    expect(row).toMatchObject({ registrations: 3, orders_confirmed: 1, orders_awaited: 1 });
    expect(row?.money).toMatch(/20[.,]00/);
    expect(await read(paid.order)).toMatchObject({ state: 'sale', blocked_reason: 'invalid', amount_owed: 2000 });
    expect(await read(waiting.order)).toMatchObject({ state: 'cancel', amount_owed: 0 });
    const mail = mailsTo(paid.email).at(-1);
    expect(mail?.subject).toContain('Cancelled');
    expect(mail?.html).toMatch(/refund you [^<]*20[.,]00/);
    const about = () =>
      app.read((ctx) => ctx.model(RefundedEvent).get(made.event, { select: { refund_count: true, refunds: true } }));
    expect((await about()).refund_count).toBe(1);
    expect(JSON.stringify((await about()).refunds)).toContain(paid.email);
    await app.write((ctx) => ctx.model(SaleOrder).refundOwed([paid.order]));
    await app.runJobs();
    expect(await read(paid.order)).toMatchObject({ state: 'cancel', amount_owed: 0 });
    expect((await about()).refund_count).toBe(0);
  });

  it('an order with other items keeps them: the tickets are refunded, or taken out before it is paid', async () => {
    const [made, other] = [await make('Cancelled'), await make('Takes place')];
    const both = async () => {
      const [visitor, email] = [app.visitor(), newEmail()];
      await putInCart(visitor, made, 2);
      await putInCart(visitor, other);
      return { order: await payByTransfer(app, visitor, email), email };
    };
    const [paid, waiting, late] = [await both(), await both(), await both()];
    await markPaid(paid.order);
    await app.runJobs();
    await cancel(made);
    await app.runJobs();
    expect(await read(paid.order)).toMatchObject({ state: 'sale', blocked_reason: 'invalid', amount_owed: 2000 });
    expect(await validTickets(paid.order)).toBe(1);
    await app.write((ctx) => ctx.model(SaleOrder).refundOwed([paid.order]));
    expect(await read(paid.order)).toMatchObject({ state: 'sale', blocked_reason: null, amount_owed: 0 });
    expect(await validTickets(paid.order)).toBe(1);

    expect(await read(waiting.order)).toMatchObject({ state: 'sent', blocked_reason: 'invalid' });
    expect(mailsTo(waiting.email).at(-1)?.subject).toContain('don’t pay order');
    await app.write((ctx) => ctx.model(SaleOrder).removeVoid([waiting.order]));
    expect(await read(waiting.order)).toMatchObject({ state: 'sent', blocked_reason: null, amount_total: 1000 });
    await markPaid(waiting.order);
    // The transfer was for the order as it was, and is asked for anew.
    expect(await read(waiting.order)).toMatchObject({ state: 'sale', amount_paid: 1000, blocked_reason: null });

    await markPaid(late.order);
    expect(await read(late.order)).toMatchObject({ state: 'sent', blocked_reason: 'invalid', amount_owed: 2000 });
    await app.write((ctx) => ctx.model(SaleOrder).removeVoid([late.order]));
    expect(await read(late.order)).toMatchObject({ state: 'sale', amount_total: 1000, amount_owed: 2000 });
    expect(await validTickets(late.order)).toBe(1);
  });

  it('a venue that moves moves its events: open orders, late payments and ticket holders follow', async () => {
    const venue = await app.write((ctx) =>
      ctx.model(Partner).create({ name: 'Old Hall', street: '1 Market Square', city: 'Lille' }),
    );
    const made = await app.write((ctx) => makeEvent(ctx, { name: 'Venue fair', address_id: venue }));
    const { order, email } = await orderTickets(made);
    const holder = await orderTickets(made);
    await markPaid(holder.order);
    await app.runJobs();
    mailbox.clear();
    // What the page of the event doesn't show changes nothing.
    await app.write((ctx) => ctx.model(Partner).write(venue, { phone: '+33 1 99 00 12 34', city: 'Lille' }));
    await app.runJobs();
    expect(await read(order)).toMatchObject({ blocked_reason: null });
    await app.write((ctx) => ctx.model(Partner).write(venue, { street: '99 Quai du Port', city: 'Marseille' }));
    await app.runJobs();
    expect(await read(order)).toMatchObject({
      state: 'sent',
      blocked_reason: 'invalid',
      blocked_note: 'The venue of “Venue fair” has changed. It’s now: Old Hall, 99 Quai du Port, Marseille.',
    });
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual([expect.stringContaining('please don’t pay')]);
    await markPaid(order);
    expect(await read(order)).toMatchObject({ state: 'sent', blocked_reason: 'invalid', amount_paid: 1000 });
    expect(await validTickets(order)).toBe(0);
    const told = await app.read(async (ctx) =>
      ctx
        .db('core_job')
        .where({ name: 'website_event.tell_changes', key: String(made.event) })
        .select('state'),
    );
    expect(told).toEqual([{ state: 'waiting' }]);
  });

  it('another time zone of an event is another time on its tickets', async () => {
    const made = await make('Zone fair');
    const { order } = await orderTickets(made);
    await app.write((ctx) => ctx.model(EventEvent).write(made.event, { date_tz: 'America/New_York' }));
    await app.runJobs();
    expect(await read(order)).toMatchObject({
      blocked_reason: 'invalid',
      blocked_note: expect.stringMatching(/^The date of “Zone fair” has changed.*New York time/),
    });
    await app.write((ctx) => ctx.model(EventEvent).write(made.event, { date_tz: 'Europe/Paris' }));
    await app.runJobs();
    expect(await read(order)).toMatchObject({ blocked_reason: null });
  });

  it('tickets and products of another website are withdrawn from carts and open orders', async () => {
    const other = await app.write(async (ctx) => {
      const [main = 0] = await ctx.model(Website).search([], { order: 'id', limit: 1 });
      const { default_lang_id, company_id } = await ctx
        .model(Website)
        .get(main, { select: { default_lang_id: true, company_id: true } });
      return ctx.model(Website).create({
        name: 'Second',
        domain: 'second.example',
        default_lang_id,
        language_ids: [default_lang_id],
        company_id,
      });
    });
    const made = await make('Moved away');
    const { order } = await orderTickets(made);
    const visitor = app.visitor();
    await putInCart(visitor, made);
    await app.write((ctx) => ctx.model(EventEvent).write(made.event, { website_id: other }));
    await app.runJobs();
    expect(await read(order)).toMatchObject({
      blocked_reason: 'invalid',
      blocked_note: '“Moved away: Standard” is no longer on sale.',
    });
    expect((await visitor.get('/shop/cart')).text).toContain('is no longer on sale');
    await app.write((ctx) => ctx.model(EventEvent).write(made.event, { website_id: null }));
    await app.runJobs();
    expect(await read(order)).toMatchObject({ blocked_reason: null });

    const template = await app.write((ctx) =>
      ctx.model(ProductTemplate).create({ name: 'Apron', list_price: '10', website_published: true } as never),
    );
    const [product = 0] = (
      await app.read((ctx) => ctx.model(ProductTemplate).get(template, { select: { product_variant_ids: true } }))
    ).product_variant_ids;
    const buyer = app.visitor();
    await buyer.form('/shop/cart/update', { product_id: product, add_qty: 1 });
    const goods = await payByTransfer(app, buyer, newEmail());
    const next = app.visitor();
    await next.form('/shop/cart/update', { product_id: product, add_qty: 1 });
    for (const [gone, back] of [
      [{ website_id: other }, { website_id: null }],
      [{ website_published: false }, { website_published: true }],
    ]) {
      await app.write((ctx) => ctx.model(ProductTemplate).write(template, gone as never));
      await app.runJobs();
      expect(await read(goods)).toMatchObject({ blocked_note: '“Apron” is no longer sold.' });
      expect((await next.get('/shop/cart')).text).toContain('is no longer sold');
      await app.write((ctx) => ctx.model(ProductTemplate).write(template, back as never));
      await app.runJobs();
      expect(await read(goods)).toMatchObject({ blocked_reason: null });
    }
  });

  it('more tickets than one order can have by now are told of before they are paid', async () => {
    const made = await make('Crowd');
    const { order: placed } = await orderTickets(made, 4);
    const visitor = app.visitor();
    await putInCart(visitor, made, 4);
    const cart = await app.read(
      async (ctx) => (await ctx.model(SaleOrder).search([], { order: 'id desc', limit: 1 }))[0] ?? 0,
    );
    const problems = (id: Id) =>
      app.read(async (ctx) => (await ctx.model(SaleOrder).problems(id)).map(({ message }) => message));
    expect(await problems(cart)).toEqual([]);
    await app.write((ctx) => ctx.model(EventTicket).write([...made.tickets], { order_max: 2 }));
    expect(await problems(cart)).toEqual(['You can order up to 2 of “Crowd: Standard”.']);
    // What was ordered before stays ordered.
    expect(await problems(placed)).toEqual([]);
    await app.write(async (ctx) => {
      const [line] = await ctx.model(SaleOrderLine).find([['order_id', '=', cart]], { select: { product_id: true } });
      await ctx.model(SaleOrder).setLine(cart, { line: line?.id ?? 0, product: line?.product_id ?? 0, set: 2 });
    });
    expect(await problems(cart)).toEqual([]);
  });

  it('more tickets than one order can have are a problem of carts alone, and a venue only moves from a known address', async () => {
    const [begin, end] = [after(5 * day), after(5 * day + hour)];
    const event = {
      name: 'Fair',
      state: 'confirm',
      date_begin: begin,
      date_end: end,
      date_tz: 'UTC',
      address_id: 7,
      website_published: true,
      website_id: null,
    };
    const ticket = { name: 'Standard', sale_start: null, deadline: null, event, quantity: 5, most: 4 };
    const cart = { isShop: true, website: null, isConfirmed: false, placed: null };
    const place = { name: 'Hall', city: 'Brussels', lines: [] } as unknown as Place;
    const line = { ticket_begin: begin, ticket_end: end, ticket_venue: 7, ticket_tz: 'UTC' };
    await app.read(async (ctx) => {
      expect(ticketProblem(ctx, cart, ticket)).toMatchObject({ code: 'website_event.too_many' });
      expect(ticketProblem(ctx, cart, { ...ticket, quantity: 4 })).toBeNull();
      expect(ticketProblem(ctx, { ...cart, placed: begin }, ticket)).toBeNull();
      expect(ticketProblem(ctx, { ...cart, isShop: false }, ticket)).toBeNull();
      const moved = (address: string | null): number =>
        movedProblems(ctx, { ...line, ticket_address: address }, event, place).length;
      expect([moved(null), moved(addressKey(place)), moved('elsewhere')]).toEqual([0, 0, 1]);
    });
  });

  it('a ticket that was ordered stays with its event', async () => {
    const made = await make('First event');
    const other = await make('Second event');
    const { order } = await orderTickets(made);
    const move = (id: Id = 0, event: Id = other.event) =>
      app.write((ctx) => ctx.model(EventTicket).write(id, { event_id: event }));
    await expect(move(made.tickets[0])).rejects.toMatchObject({ code: 'website_event.ticket_ordered' });
    await move(made.tickets[0], made.event);
    await move(other.tickets[0], made.event);
    expect((await read(order)).order_line[0]?.name).toContain('First event');
  });

  it('a cart says that its event was moved, and is paid for the new date only', async () => {
    const made = await make();
    const visitor = app.visitor();
    await putInCart(visitor, made);
    const country_id = await app.read((ctx) => ctx.ref('base.be'));
    const address = { name: 'Ada', phone: '+32 2 555 12 12', street2: '1 Lane', city: 'Brussels', zip: '1000' };
    await visitor.form('/shop/confirm_order', { ...address, email: newEmail(), shipping_id: '0', country_id });
    await app.write((ctx) =>
      ctx.model(EventEvent).write(made.event, { date_begin: after(30 * day), date_end: after(30 * day + hour) }),
    );
    const transfer = await app.read((ctx) => ctx.ref('sale.transfer'));
    const pay = () => visitor.rpc<string>(`/shop/payment/transaction/${transfer}`, {});
    await expect(pay()).rejects.toThrow('The date of “Harvest fair” has changed');
    expect((await visitor.get('/shop/cart')).text).toContain('The date of “Harvest fair” has changed');
    await visitor.form('/shop/cart/refresh', {});
    await expect(pay()).resolves.toContain('form');
  });

  it('a promo code that was switched off, or changed, is told of and never paid', async () => {
    for (const end of [{ active: false }, { code: 'OTHER' }]) {
      const made = await make();
      const code = `HALF${made.event}`;
      const list = await app.write(async (ctx) => {
        const [base = 0] = await ctx.model(ProductPricelist).search([], { limit: 1 });
        const { currency_id } = await ctx.model(ProductPricelist).get(base, { select: { currency_id: true } });
        const id = await ctx.model(ProductPricelist).create({ name: 'Half', currency_id, code } as never);
        await ctx
          .model(PricelistItem)
          .create({ pricelist_id: id, compute_price: 'percentage', percent_price: '50' } as never);
        return id;
      });
      const visitor = app.visitor();
      await putInCart(visitor, made);
      await visitor.form('/shop/pricelist', { promo: code });
      const total = () =>
        app.read(async (ctx) => {
          const [id = 0] = await ctx.model(SaleOrder).search([['is_cart', '=', true]], { order: 'id desc', limit: 1 });
          return (await ctx.model(SaleOrder).get(id, { select: { amount_total: true } })).amount_total;
        });
      expect(await total()).toBe(500);
      await app.write((ctx) => ctx.model(ProductPricelist).write(list, end as never));
      expect((await visitor.get('/shop/cart')).text).toContain(`The promo code ${code} is no longer valid.`);
      const answer = await visitor.form('/shop/cart/refresh', {});
      expect(answer.location).toMatch(/note=code/);
      expect(await total()).toBe(1000);
      expect((await visitor.get('/shop/cart')).text).not.toContain('no longer valid');
    }
  });

  it('tickets never leave after the mail of the cancellation', async () => {
    const made = await make();
    const { order, email } = await orderTickets(made);
    await markPaid(order);
    await cancel(made);
    await app.runJobs();
    const subjects = mailsTo(email).map(({ subject }) => subject ?? '');
    expect(subjects.some((subject) => subject.startsWith('Cancelled'))).toBe(true);
    expect(subjects.some((subject) => subject.startsWith('Your tickets'))).toBe(false);
    expect(subjects.some((subject) => subject.includes('is confirmed'))).toBe(false);
  });

  it('a declined card leads to its own order, whatever is in the cart by then', async () => {
    const [card, [first, second]] = await Promise.all([
      app.write(async (ctx) => {
        const id = await ctx.ref('sale.test_card');
        await ctx.model('payment.acquirer').write(id, { website_published: true });
        return id;
      }),
      Promise.all([make('First'), make('Second')]),
    ]);
    const visitor = app.visitor();
    await putInCart(visitor, first);
    const country_id = await app.read((ctx) => ctx.ref('base.be'));
    const address = { name: 'Ada', phone: '+32 2 555 12 12', street2: '1 Lane', city: 'Brussels', zip: '1000' };
    await visitor.form('/shop/confirm_order', { ...address, email: newEmail(), shipping_id: '0', country_id });
    const form = await visitor.rpc<string>(`/shop/payment/transaction/${card}`, {});
    const fields = Object.fromEntries(
      [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
    await putInCart(visitor, second);
    await visitor.form('/shop/confirm_order', { ...address, email: newEmail(), shipping_id: '0', country_id });
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
    const back = await visitor.form(action, { ...fields, outcome: 'refused' });
    const { location } = await visitor.get(back.location ?? '');
    expect(location).toMatch(/^\/shop\/order\/\d+\/[\w-]+#payment$/);
    const { text } = await visitor.get(location ?? '');
    expect(text).toContain('First: Standard');
    expect(text).not.toContain('Second: Standard');
    expect(text).toContain('The payment failed');
    expect(text).toMatch(/action="\/payment\/order\/\d+\/[^"]+\/form"/);
  });

  it('free orders are looked at as well', async () => {
    const made = await app.write((ctx) => makeEvent(ctx, { name: 'Free day' }, [{ name: 'Free', price: '0' }]));
    const cart = await app.write(async (ctx) => {
      const id = await makeCart(ctx);
      await putTickets(ctx, id, made.tickets[0] ?? 0, 1);
      return id;
    });
    await app.write((ctx) => ctx.model(EventEvent).button_draft([made.event]));
    await expect(app.write((ctx) => ctx.get(Payments).confirmFree(cart))).rejects.toMatchObject({
      code: 'website_event.not_confirmed',
    });
  });

  it('money that staff register by hand is looked at as well', async () => {
    const made = await make();
    const { order } = await orderTickets(made);
    await app.write((ctx) => ctx.model(EventEvent).button_draft([made.event]));
    const call = { model: 'payment.transaction', method: 'create', args: [{ sale_order_id: order }], kwargs: {} };
    await (await app.as('admin')).rpc('/web/dataset/call_kw', call);
    expect(await read(order)).toMatchObject({ state: 'sent', blocked_reason: 'invalid', amount_owed: 1000 });
    expect(await validTickets(order)).toBe(0);
  });

  it('money for a product that was withdrawn delivers nothing until staff confirm it', async () => {
    const template = await app.write((ctx) =>
      ctx.model(ProductTemplate).create({ name: 'Apron', list_price: '10', website_published: true } as never),
    );
    const { product_variant_ids } = await app.read((ctx) =>
      ctx.model(ProductTemplate).get(template, { select: { product_variant_ids: true } }),
    );
    const visitor = app.visitor();
    await visitor.form('/shop/cart/update', { product_id: product_variant_ids[0] ?? 0, add_qty: 1 });
    const order = await payByTransfer(app, visitor, newEmail());
    await app.write((ctx) => ctx.model(ProductTemplate).write(template, { active: false }));
    await app.runJobs();
    expect(await read(order)).toMatchObject({ blocked_reason: 'invalid' });
    await markPaid(order);
    expect(await read(order)).toMatchObject({ state: 'sent', amount_owed: 1000 });
    await app.write((ctx) => ctx.model(SaleOrder).confirm([order]));
    expect(await read(order)).toMatchObject({ state: 'sale', blocked_reason: null, amount_owed: 0 });
  });
});
