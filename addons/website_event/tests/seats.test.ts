import { SaleHold, SaleOrder } from '@pergola/sale';
import type { Ctx } from 'pergola';
import { createTestApp, eachDatabase, type TestApp, withClock } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { Attendees } from '../services/attendees.ts';
import { Seats } from '../services/seats.ts';
import { TicketSales } from '../services/ticket-sales.ts';
import { after, day, hour, type Made, makeCart, makeEvent, payByTransfer, putTickets } from './kit.ts';

eachDatabase('Seats', (database) => {
  const clock = withClock();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database });
  });
  afterAll(() => app?.close());

  const make = (seats: number, standard: number, vip: number): Promise<Made> =>
    app.write((ctx) =>
      makeEvent(ctx, { name: 'Fair', seats_max: seats }, [
        { name: 'Standard', price: '10', seats: standard },
        { name: 'VIP', price: '15', seats: vip },
      ]),
    );

  it('are held by a cart, for its ticket and for the event, and not counted against it', async () => {
    const { event, tickets } = await make(10, 8, 5);
    const [standard = 0, vip = 0] = tickets;
    await app.write(async (ctx) => {
      const mine = await makeCart(ctx);
      const other = await makeCart(ctx, 'Grace Hopper');
      expect(await putTickets(ctx, mine, standard, 6)).toMatchObject({ quantity: 6 });
      // Four are left of the event, whatever the ticket.
      expect(await putTickets(ctx, other, vip, 5)).toMatchObject({
        quantity: 4,
        warning: expect.stringContaining('4'),
      });
      expect(await putTickets(ctx, mine, standard, 1)).toMatchObject({ quantity: 6 });
      const seats = (await ctx.get(Seats).of([event], { order: mine })).get(event);
      expect(seats).toMatchObject({ held: 4, available: 6 });
      expect(seats?.tickets.get(standard)).toMatchObject({ max: 8, available: 6 });
      expect((await ctx.get(Seats).of([event])).get(event)).toMatchObject({ held: 10, available: 0 });
    });
  });

  it('are told as they are to visitors without a cart, though their page is kept', async () => {
    const { event, tickets } = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Fair' }, [{ name: 'Standard', seats: 3 }]),
    );
    const most = async (): Promise<number> => {
      const { text } = await app.visitor().get(`/event/fair-${event}/register`);
      return Math.max(...Array.from(text.matchAll(/<option value="(\d+)"/g), ([, number]) => Number(number)));
    };
    for (const _ of [1, 2, 3]) expect(await most()).toBe(3);
    await app.write(async (ctx) => putTickets(ctx, await makeCart(ctx), tickets[0] ?? 0, 2));
    expect(await most()).toBe(1);
    const holds = (ctx: Ctx) => ctx.model(SaleHold).search([['resource_id', 'in', tickets]]);
    await app.write(async (ctx) => ctx.model(SaleHold).write(await holds(ctx), { until: after(60_000) }));
    expect(await most()).toBe(1);
    clock.forward(61_000);
    expect(await most()).toBe(3);
  });

  it('come free when a line goes, or its time is over', async () => {
    const { event, tickets } = await make(0, 2, 0);
    const [ticket = 0] = tickets;
    await app.write(async (ctx) => {
      const cart = await makeCart(ctx);
      await putTickets(ctx, cart, ticket, 2);
      expect((await ctx.get(Seats).of([event])).get(event)?.tickets.get(ticket)?.available).toBe(0);
      const holds = ctx.model(SaleHold);
      await holds.write(await holds.search([['order_id', '=', cart]]), { until: after(-hour) });
      expect((await ctx.get(Seats).of([event])).get(event)?.tickets.get(ticket)?.available).toBe(2);
      const other = await makeCart(ctx, 'Grace Hopper');
      expect(await putTickets(ctx, other, ticket, 2)).toMatchObject({ quantity: 2 });
      expect(await putTickets(ctx, other, ticket, -2)).toMatchObject({ quantity: 0 });
      expect((await ctx.get(Seats).of([event])).get(event)?.tickets.get(ticket)?.available).toBe(2);
    });
  });

  it('become registrations when the order is confirmed, one for each attendee, and are free again when it is cancelled', async () => {
    const { event, tickets } = await make(5, 5, 0);
    const [ticket = 0] = tickets;
    const order = await app.write(async (ctx) => {
      const cart = await makeCart(ctx);
      await putTickets(ctx, cart, ticket, 3);
      await ctx.model(SaleOrder).confirm([cart]);
      return cart;
    });
    const read = () =>
      app.read((ctx) =>
        ctx.model(EventRegistration).find([['event_id', '=', event]], {
          select: { name: true, email: true, state: true, barcode: true, origin: true },
        }),
      );
    const rows = await read();
    expect(rows.map(({ name, email, state }) => [name, email, state])).toEqual(
      Array.from({ length: 3 }, () => ['Ada Lovelace', 'ada@example.com', 'open']),
    );
    expect(new Set(rows.map(({ barcode }) => barcode)).size).toBe(3);
    expect(rows[0]?.origin).toMatch(/^SO\d{5}$/);
    const counted = () => app.read((ctx) => ctx.model(EventEvent).get(event, { select: seatFields }));
    expect(await counted()).toMatchObject({
      seats_reserved: 3,
      seats_used: 0,
      seats_unconfirmed: 0,
      seats_available: 2,
      seats_left: '2',
    });
    await app.write((ctx) => ctx.model(SaleOrder).cancel([order]));
    expect(await counted()).toMatchObject({ seats_reserved: 0, seats_available: 5 });
    expect((await read()).map(({ state }) => state)).toEqual(['cancel', 'cancel', 'cancel']);
  });

  it('are told in words: those of the tickets where each has its limit, or that there is none', async () => {
    const left = async (event: number) =>
      (await app.read((ctx) => ctx.model(EventEvent).get(event, { select: seatFields }))).seats_left;
    expect(await left((await make(0, 1000, 500)).event)).toBe('1,500');
    expect(await left((await make(1200, 1000, 500)).event)).toBe('1,200');
    expect(await left((await make(0, 1000, 0)).event)).toBe('No limit');
    expect(await left((await make(7, 0, 0)).event)).toBe('7');
  });

  it('are never sold twice: an order whose seats went elsewhere is not confirmed', async () => {
    const { event, tickets } = await make(0, 1, 0);
    const [ticket = 0] = tickets;
    const late = await app.write(async (ctx) => {
      const cart = await makeCart(ctx);
      await putTickets(ctx, cart, ticket, 1);
      const holds = ctx.model(SaleHold);
      await holds.write(await holds.search([['order_id', '=', cart]]), { until: after(-hour) });
      const fast = await makeCart(ctx, 'Grace Hopper');
      await putTickets(ctx, fast, ticket, 1);
      await ctx.model(SaleOrder).confirm([fast]);
      return cart;
    });
    await expect(app.write((ctx) => ctx.model(SaleOrder).confirm([late]))).rejects.toMatchObject({
      code: 'sale.short',
    });
    expect(await app.read((ctx) => ctx.model(EventRegistration).count([['event_id', '=', event]]))).toBe(1);
  });

  it('that a cart took before the event had a limit count against it', async () => {
    const { event, tickets } = await make(0, 0, 0);
    const [ticket = 0] = tickets;
    await app.write(async (ctx) => {
      await putTickets(ctx, await makeCart(ctx), ticket, 1);
      await ctx.model(EventEvent).write(event, { seats_max: 1 });
      expect(await putTickets(ctx, await makeCart(ctx, 'Grace Hopper'), ticket, 1)).toMatchObject({ quantity: 0 });
    });
  });

  it('cannot be given by hand beyond their number, nor their number be lowered below what is taken', async () => {
    const { event, tickets } = await make(2, 0, 0);
    const [ticket = 0] = tickets;
    const register = (count: number) =>
      app.write((ctx) =>
        ctx.model(EventRegistration).create(
          Array.from({ length: count }, () => ({
            event_id: event,
            event_ticket_id: ticket,
            name: 'Ada',
            state: 'open' as const,
          })),
        ),
      );
    await register(2);
    await expect(register(1)).rejects.toMatchObject({ code: 'website_event.no_seats' });
    await expect(app.write((ctx) => ctx.model(EventEvent).write(event, { seats_max: 1 }))).rejects.toMatchObject({
      code: 'website_event.no_seats',
    });
    await expect(app.write((ctx) => ctx.model(EventTicket).write(ticket, { seats_max: 1 }))).rejects.toMatchObject({
      code: 'website_event.no_seats',
    });
  });

  it.each([
    ['an event that is not confirmed', { state: 'draft' as const }, 'website_event.no_longer'],
    ['an event that is not published', { website_published: false }, 'website_event.no_ticket'],
    ['an event that is cancelled', { state: 'cancel' as const }, 'website_event.no_longer'],
    ['an event that is over', { date_begin: after(-2 * day), date_end: after(-day) }, 'website_event.no_longer'],
  ])('are not sold for %s', async (_what, values, code) => {
    const { tickets } = await app.write((ctx) => makeEvent(ctx, { name: 'Gone', ...values }));
    const put = app.write(async (ctx) => putTickets(ctx, await makeCart(ctx), tickets[0] ?? 0, 1));
    await expect(put).rejects.toMatchObject({ code });
  });

  it.each([
    ['before their sale begins', { sale_start: after(hour) }, 'website_event.not_yet'],
    ['after their sale has ended', { deadline: after(-hour) }, 'website_event.no_longer'],
  ])('are not sold %s', async (_what, values, code) => {
    const { tickets } = await app.write((ctx) => makeEvent(ctx, { name: 'Later' }));
    const put = app.write(async (ctx) => {
      await ctx.model(EventTicket).write(tickets[0] ?? 0, values);
      return putTickets(ctx, await makeCart(ctx), tickets[0] ?? 0, 1);
    });
    await expect(put).rejects.toMatchObject({ code });
  });

  it('of a placed order are not for sale any more, whether it is paid or not', async () => {
    const { event, tickets } = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Small' }, [{ name: 'Standard', price: '10', seats: 2 }]),
    );
    const state = () => app.read(async (ctx) => (await ctx.get(TicketSales).of([event])).get(event)?.state);
    const visitor = app.visitor();
    await visitor.form('/event/cart/update', { event_id: event, [`ticket-${tickets[0]}`]: 2 });
    expect(await state()).toBe('open');
    await payByTransfer(app, visitor, 'small@example.com');
    expect(await state()).toBe('sold_out');
  });

  it('in a cart stay there when the sale has ended', async () => {
    const { tickets } = await app.write((ctx) => makeEvent(ctx, { name: 'Ended' }));
    const [ticket = 0] = tickets;
    const answer = await app.write(async (ctx) => {
      const cart = await makeCart(ctx);
      await putTickets(ctx, cart, ticket, 2);
      await ctx.model(EventTicket).write(ticket, { deadline: after(-hour) });
      return putTickets(ctx, cart, ticket, 0);
    });
    expect(answer).toMatchObject({ quantity: 2 });
  });

  it('are limited by what one order may have', async () => {
    const { tickets } = await app.write((ctx) => makeEvent(ctx, { name: 'Few each' }));
    const answer = await app.write(async (ctx) => {
      await ctx.model(EventTicket).write(tickets[0] ?? 0, { order_max: 2 });
      return putTickets(ctx, await makeCart(ctx), tickets[0] ?? 0, 5);
    });
    expect(answer).toMatchObject({ quantity: 2, warning: 'You can order up to 2 of “Few each: Standard”.' });
    const merged = await app.write(async (ctx) => {
      const [here, before] = [await makeCart(ctx), await makeCart(ctx)];
      await putTickets(ctx, here, tickets[0] ?? 0, 2);
      await putTickets(ctx, before, tickets[0] ?? 0, 1);
      await ctx.model(SaleOrder).mergeInto(here, before);
      return ctx.model(SaleOrder).get(before, { select: { cart_quantity: true } });
    });
    expect(merged.cart_quantity).toBe(2);
  });

  it('keep who was named for them when the carts of a visitor are merged', async () => {
    const { tickets } = await app.write((ctx) => makeEvent(ctx, { name: 'Named' }));
    const named = await app.write(async (ctx) => {
      const [here, before] = [await makeCart(ctx), await makeCart(ctx)];
      for (const [cart, name] of [
        [before, 'Ada'],
        [here, 'Grace'],
      ] as const) {
        await putTickets(ctx, cart, tickets[0] ?? 0, 1);
        const { order_line } = await ctx.model(SaleOrder).get(cart, { select: { order_line: true } });
        await ctx.get(Attendees).name(cart, { [`attendee-${order_line[0]}-1-name`]: name });
      }
      await ctx.model(SaleOrder).mergeInto(before, here);
      return ctx.get(Attendees).named(here);
    });
    expect(named[0]?.seats.map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  });

  it('cost what the ticket says, in lines of their own that name event and ticket', async () => {
    const { tickets } = await make(0, 0, 0);
    const [standard = 0, vip = 0] = tickets;
    const lines = await app.write(async (ctx) => {
      const cart = await makeCart(ctx);
      await putTickets(ctx, cart, standard, 2);
      await putTickets(ctx, cart, vip, 3);
      await putTickets(ctx, cart, vip, 1);
      const { order_line } = await ctx.model(SaleOrder).get(cart, {
        select: { order_line: { name: true, product_uom_qty: true, price_unit: true, price_subtotal: true } },
      });
      return order_line;
    });
    expect(lines).toMatchObject([
      {
        name: expect.stringMatching(/^Fair: Standard\n/),
        product_uom_qty: '2',
        price_unit: '10',
        price_subtotal: 2000,
      },
      { name: expect.stringMatching(/^Fair: VIP\n/), product_uom_qty: '4', price_unit: '15', price_subtotal: 6000 },
    ]);
  });
});

const seatFields = {
  seats_reserved: true,
  seats_used: true,
  seats_unconfirmed: true,
  seats_available: true,
  seats_left: true,
} as const;
