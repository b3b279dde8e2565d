import { SaleOrder } from '@pergola/sale';
import type { Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { EventRegistration } from '../models/event-registration.ts';
import { Seats } from '../services/seats.ts';
import { type Made, makeCart, makeEvent, putTickets } from './kit.ts';

/** `BUYERS=200` for the whole of check C01. */
const buyers = Number(process.env.BUYERS ?? 24);
const seats = Math.floor(buyers / 4);

eachDatabase('Buyers at the same time', (database) => {
  let app: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database });
    other = await app.secondNode();
  });
  afterAll(() => app?.close());

  const make = (tickets: Parameters<typeof makeEvent>[2]): Promise<Made> =>
    app.write((ctx) => makeEvent(ctx, { name: 'Crowd', seats_max: seats }, tickets));
  const taken = (event: Id) => app.read((ctx) => ctx.model(EventRegistration).count([['event_id', '=', event]]));

  /** One buyer on one of two nodes, from the cart to the order; whether they got what they wanted. */
  async function buy(index: number, tickets: readonly Id[]): Promise<boolean> {
    const node = index % 2 ? other : app;
    const cart = await node.write((ctx) => makeCart(ctx, `Buyer ${index}`));
    for (const ticket of tickets) {
      const { quantity } = await node.write((ctx) => putTickets(ctx, cart, ticket, 1));
      if (quantity === 0) return false;
    }
    await node.write((ctx) => ctx.model(SaleOrder).confirm([cart]));
    return true;
  }

  it('get the seats there are, each one once', async () => {
    const { event, tickets } = await make([{ name: 'Standard' }]);
    const got = await Promise.all(Array.from({ length: buyers }, (_, index) => buy(index, tickets)));
    expect(got.filter(Boolean)).toHaveLength(seats);
    expect(await taken(event)).toBe(seats);
    const left = await app.read((ctx) => ctx.get(Seats).of([event]));
    expect(left.get(event)).toMatchObject({ reserved: seats, held: 0, free: 0 });
  });

  it('of two kinds of tickets, in any order, never get more than the event has', async () => {
    const { event, tickets } = await make([
      { name: 'Standard', seats },
      { name: 'VIP', seats },
    ]);
    const backwards = tickets.toReversed();
    await Promise.all(Array.from({ length: buyers }, (_, index) => buy(index, index % 2 ? tickets : backwards)));
    const found = (await app.read((ctx) => ctx.get(Seats).of([event]))).get(event);
    // Who got only one of two keeps it in the cart; nothing is sold or held twice.
    expect((found?.reserved ?? 0) + (found?.held ?? 0)).toBe(seats);
    expect(await taken(event)).toBe(found?.reserved);
  });
});
