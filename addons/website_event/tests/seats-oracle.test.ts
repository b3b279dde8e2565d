import { SaleHold, SaleOrder } from '@pergola/sale';
import fc from 'fast-check';
import type { Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { countEvent, Seats } from '../services/seats.ts';
import { WaitingList } from '../services/waiting-list.ts';
import { day, hour, after as later, type Made, makeCart, makeEvent, putTickets } from './kit.ts';

/** Free seats of an event and its tickets; Infinity without a limit. */
interface Free {
  readonly event: number;
  readonly tickets: readonly number[];
}
interface Waiter {
  readonly ticket: number;
  readonly quantity: number;
}

/** What each waiter gets when free seats are offered in order. */
function serve(free: Free, waiters: readonly Waiter[]): number[] {
  let { event } = free;
  const tickets = [...free.tickets];
  return waiters.map(({ ticket, quantity }) => {
    const seats = Math.max(0, Math.min(quantity, tickets[ticket] ?? 0, event));
    event -= seats;
    tickets[ticket] = (tickets[ticket] ?? 0) - seats;
    return seats;
  });
}

/** By brute force: the most seats of a ticket a visitor can buy without any waiter getting fewer. */
function publicSeats(free: Free, waiters: readonly Waiter[], ticket: number, max: number): number {
  const undisturbed = serve(free, waiters).join();
  let most = 0;
  for (let seats = 1; seats <= Math.min(max, free.event, free.tickets[ticket] ?? 0); seats++) {
    const tickets = free.tickets.map((number, index) => (index === ticket ? number - seats : number));
    if (serve({ event: free.event - seats, tickets }, waiters).join() === undisturbed) most = seats;
  }
  return most;
}

describe('Seats next to a waiting list', () => {
  const limit = fc.option(fc.integer({ min: 1, max: 8 }), { nil: 0 });
  const scene = fc.record({
    max: limit,
    tickets: fc.array(fc.record({ max: limit, reserved: fc.nat(4), held: fc.nat(3), offered: fc.nat(2) }), {
      minLength: 1,
      maxLength: 4,
    }),
    waiters: fc.array(fc.record({ ticket: fc.nat(3), quantity: fc.integer({ min: 1, max: 4 }) }), { maxLength: 6 }),
  });

  it('are on public sale as far as no one on the list could be offered them, and no less', () => {
    fc.assert(
      fc.property(scene, ({ max, tickets, waiters: all }) => {
        const waiters = all.filter(({ ticket }) => ticket < tickets.length);
        const taken = ({ reserved, held, offered }: (typeof tickets)[number]) => reserved + held + offered;
        const whole = tickets.reduce((sum, ticket) => sum + taken(ticket), 0);
        const free: Free = {
          event: max ? max - whole : Infinity,
          tickets: tickets.map((ticket) => (ticket.max ? ticket.max - taken(ticket) : Infinity)),
        };
        const seats = countEvent(
          { id: 1, seats_max: max, event_ticket_ids: tickets.map((ticket, id) => ({ id, seats_max: ticket.max })) },
          new Map(
            tickets.map(({ reserved, offered }, ticket) => {
              const awaited = waiters.reduce((sum, one) => (one.ticket === ticket ? sum + one.quantity : sum), 0);
              return [`1:${ticket}`, { reserved, offered, used: 0, unconfirmed: 0, held: 0, awaited }];
            }),
          ),
          [],
          { all: new Map(tickets.map(({ held }, ticket) => [ticket, held])), byOrder: new Map() },
          {},
        );
        for (const ticket of tickets.keys()) {
          const available = seats.tickets.get(ticket)?.available ?? Infinity;
          expect(Math.min(available, 30)).toBe(publicSeats(free, waiters, ticket, 30));
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

eachDatabase('Histories of a waiting list', (database) => {
  let app: TestApp;
  let buyers = 0;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database });
  });
  afterAll(() => app?.close());

  const step = fc.record({
    do: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('buy', 'join', 'offer', 'claim') },
      { weight: 2, arbitrary: fc.constantFrom('pay', 'remove', 'cancel', 'lapse') },
      { weight: 1, arbitrary: fc.constantFrom('late', 'limit', 'leave') },
    ),
    ticket: fc.nat(1),
    pick: fc.nat(20),
    number: fc.integer({ min: 1, max: 4 }),
  });
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  /** What is free, and who waits, from the rows alone. */
  async function look({ event, tickets }: Made): Promise<{ free: Free; waiters: Waiter[] }> {
    return app.read(async (ctx) => {
      const { seats_max } = await ctx.model(EventEvent).get(event, { select: { seats_max: true } });
      const kinds = await ctx.model(EventTicket).read(tickets, { select: { seats_max: true } });
      const open = await ctx.model(EventRegistration).find(
        [
          ['event_id', '=', event],
          ['state', '=', 'open'],
        ],
        { select: { event_ticket_id: true } },
      );
      const holds = await ctx.model(SaleHold).find(
        [
          ['resource', '=', 'event.event.ticket'],
          ['resource_id', 'in', tickets],
          ['until', '>', ctx.now()],
        ],
        { select: { resource_id: true, quantity: true, order_id: true } },
      );
      const places = await ctx.model(EventWaiting).find([['event_id', '=', event]], {
        select: { state: true, event_ticket_id: true, quantity: true, offered_until: true, order_id: true },
        order: 'id',
      });
      const taken = tickets.map((ticket) => {
        const live = places.filter(
          ({ event_ticket_id, offered_until: until }) => event_ticket_id === ticket && until && until > ctx.now(),
        );
        const heldBy = (order: Id | null) =>
          holds
            .filter(({ resource_id, order_id }) => resource_id === ticket && order_id === order)
            .reduce((sum, { quantity }) => sum + quantity, 0);
        const offered = live.reduce((sum, place) => (place.state === 'offered' ? sum + place.quantity : sum), 0);
        const inCarts = Map.groupBy(
          live.filter(({ state }) => state === 'claimed'),
          ({ order_id }) => order_id,
        );
        const rest = [...inCarts].map(([order, mine]) =>
          Math.max(0, mine.reduce((sum, { quantity }) => sum + quantity, 0) - heldBy(order)),
        );
        return (
          open.filter(({ event_ticket_id }) => event_ticket_id === ticket).length +
          holds.filter(({ resource_id }) => resource_id === ticket).reduce((sum, { quantity }) => sum + quantity, 0) +
          offered +
          rest.reduce((sum, seats) => sum + seats, 0)
        );
      });
      return {
        free: {
          event: seats_max ? seats_max - taken.reduce((sum, seats) => sum + seats, 0) : Infinity,
          tickets: tickets.map((ticket, index) => {
            const max = kinds.find(({ id }) => id === ticket)?.seats_max;
            return max ? max - (taken[index] ?? 0) : Infinity;
          }),
        },
        waiters: places
          .filter(({ state }) => state === 'waiting')
          .map(({ event_ticket_id, quantity }) => ({ ticket: tickets.indexOf(event_ticket_id), quantity })),
      };
    });
  }

  /** Runs a step; refusals of the shop are part of the game, anything else is an error. */
  async function run(made: Made, carts: Id[], { do: what, ticket, pick, number }: Step): Promise<void> {
    const kind = made.tickets[ticket % made.tickets.length] ?? 0;
    const places = (states: ('waiting' | 'offered' | 'claimed')[]) =>
      app.read((ctx) =>
        ctx.model(EventWaiting).search([
          ['event_id', '=', made.event],
          ['state', 'in', states],
        ]),
      );
    const oneOf = (ids: readonly Id[]): Id | undefined => ids[pick % Math.max(1, ids.length)];
    if (what === 'buy') {
      const before = await look(made);
      const cart = await app.write((ctx) => makeCart(ctx, `Buyer${++buyers}`));
      const answer = await app.write((ctx) => putTickets(ctx, cart, kind, number));
      expect(answer.quantity).toBe(publicSeats(before.free, before.waiters, made.tickets.indexOf(kind), number));
      if (answer.quantity > 0) carts.push(cart);
    } else if (what === 'join') {
      await app
        .write((ctx) =>
          ctx.get(WaitingList).join({ ticket: kind, name: 'W', email: `w${pick}@example.com`, quantity: number }),
        )
        .catch(refusal);
    } else if (what === 'cancel') {
      const rows = await app.read((ctx) =>
        ctx.model(EventRegistration).search([
          ['event_id', '=', made.event],
          ['state', '=', 'open'],
        ]),
      );
      const id = oneOf(rows);
      if (id) await app.write((ctx) => ctx.model(EventRegistration).button_reg_cancel([id]));
    } else if (what === 'offer') {
      await app.write((ctx) => ctx.get(WaitingList).offer(made.event));
      const { free, waiters } = await look(made);
      expect(serve(free, waiters)).toEqual(waiters.map(() => 0));
    } else if (what === 'claim') {
      const offered = await app.read((ctx) =>
        ctx.model(EventWaiting).search([
          ['event_id', '=', made.event],
          ['state', '=', 'offered'],
          ['offered_until', '>', ctx.now()],
        ]),
      );
      const id = oneOf(offered);
      if (!id) return;
      const page = await app.read(async (ctx) => ctx.get(WaitingList).path(id));
      const { status } = await app.visitor().form(`${page}/claim`);
      // What is offered and not late can be taken, whatever else happens.
      expect(status).toBe(303);
      const [row] = await app.read((ctx) => ctx.model(EventWaiting).read([id], { select: { order_id: true } }));
      const cart = row?.order_id;
      if (cart) {
        await app.write((ctx) =>
          ctx.model(SaleOrder).write(cart, { invoice_name: 'W', invoice_email: `w${++buyers}@example.org` }),
        );
        carts.push(cart);
      }
    } else if (what === 'remove' || what === 'pay' || what === 'lapse') {
      const cart = oneOf(carts);
      if (!cart) return;
      if (what === 'lapse') {
        await app.write(async (ctx) => {
          const holds = ctx.model(SaleHold);
          await holds.write(await holds.search([['order_id', '=', cart]]), { until: later(-hour) });
        });
      } else if (what === 'remove') {
        await app.write((ctx) => ctx.model(SaleOrder).clean(cart));
      } else {
        const isHeld = await app.read((ctx) =>
          ctx.model(SaleHold).count([
            ['order_id', '=', cart],
            ['until', '>', ctx.now()],
          ]),
        );
        const isOffered = await app.read((ctx) =>
          ctx.model(EventWaiting).count([
            ['order_id', '=', cart],
            ['state', '=', 'claimed'],
            ['offered_until', '>', ctx.now()],
          ]),
        );
        const paid = app.write((ctx) => ctx.model(SaleOrder).confirm([cart]));
        // What is held, or offered to the cart, can be paid.
        if (isHeld || isOffered) await paid;
        else await paid.catch(refusal);
        const [row] = await app.read((ctx) => ctx.model(SaleOrder).read([cart], { select: { state: true } }));
        if (row?.state === 'sale') carts.splice(carts.indexOf(cart), 1);
      }
    } else if (what === 'late') {
      // A place without a limit is paid for, or given up: a limit would open it again, beside one that the same person has asked for since.
      const limited = await app.read((ctx) => ctx.model(EventWaiting).search([['offered_until', '!=', null]]));
      const id = oneOf((await places(['offered', 'claimed'])).filter((place) => limited.includes(place)));
      if (id) await app.write((ctx) => ctx.model(EventWaiting).write(id, { offered_until: later(-hour) }));
    } else if (what === 'leave') {
      const id = oneOf(await places(['waiting', 'offered']));
      if (id) await app.write((ctx) => ctx.model(EventWaiting).leave([id]));
    } else if (pick % 2) {
      await app.write((ctx) => ctx.model(EventEvent).write(made.event, { seats_max: pick % 8 })).catch(refusal);
    } else await app.write((ctx) => ctx.model(EventTicket).write(kind, { seats_max: pick % 6 })).catch(refusal);
  }

  function refusal(error: unknown): void {
    if (!/^(sale|website_event)\./.test(String((error as { code?: string }).code))) throw error;
  }

  it('never sell a seat twice, nor past someone who waits for it, nor keep one for people who cannot use it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(4),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
        fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }),
        async (seats_max, limits, steps) => {
          const made = await app.write((ctx) =>
            makeEvent(
              ctx,
              { name: 'History', seats_max, date_begin: later(20 * day), date_end: later(21 * day) },
              limits.map((seats, index) => ({ name: `T${index}`, price: '0', seats })),
            ),
          );
          const carts: Id[] = [];
          for (const one of steps) {
            await run(made, carts, one);
            const { free } = await look(made);
            expect(Math.min(free.event, ...free.tickets)).toBeGreaterThanOrEqual(0);
          }
          const counted = (await app.read((ctx) => ctx.get(Seats).of([made.event]))).get(made.event);
          const { free } = await look(made);
          expect(counted?.free ?? Infinity).toBe(free.event);
        },
      ),
      { numRuns: Number(process.env.HISTORIES ?? (database === 'sqlite' ? 40 : 15)), endOnFailure: true },
    );
  });
});
