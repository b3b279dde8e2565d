import { Pricing } from '@pergola/sale';
import { pricingContext } from '@pergola/website_sale';
import { app, type Decimal, decimal, type Id, type Ids, kept, type Minor, service } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { type SaleState, saleState, type TicketState, ticketState } from './on-sale.ts';
import { placesOf, supplyOfEvent } from './places.ts';
import { type EventSeats, least, Seats, type TakenSeats, total } from './seats.ts';

/** Ticket sale of an event for lists. */
export interface TicketSale {
  readonly state: SaleState;
  /** Number of seats left if that is a quarter or less, else null. */
  readonly few: number | null;
  /** Lowest price of the tickets on sale, or of upcoming ones if none is on sale; null without such a ticket. */
  readonly from: Pick<TicketPrice, 'amount' | 'currency'> | null;
  /** Whether all of these tickets are free. */
  readonly free: boolean;
  /** State of each ticket. */
  readonly states: ReadonlyMap<Id, TicketState>;
}

/** Ticket fields that the price depends on. */
interface PricedTicket {
  readonly id: Id;
  readonly price: Decimal;
  readonly product_id: Id;
}

/** An event with tickets to price. */
interface PricedEvent {
  /** Venue, which determines the taxes; null for online events. */
  readonly address_id: Id | null;
  readonly tickets: readonly PricedTicket[];
}

/** Price of a ticket for the caller, with or without tax as everywhere in the shop. */
export interface TicketPrice {
  readonly amount: Minor;
  /** Price before the pricelist if it was higher, else null. */
  readonly before: Minor | null;
  readonly currency: Id;
  readonly free: boolean;
}

/** Sale state of events, without prices, which depend on the caller. */
export const sales = kept('website_event.sales', async (ctx, events: Ids) => {
  const rows = await ctx.model(EventEvent).read(events, {
    select: {
      state: true,
      date_end: true,
      address_id: true,
      event_ticket_ids: { price: true, product_id: true, sale_start: true, deadline: true },
    },
  });
  const seats = await ctx.get(Seats).of(events, { mode: 'kept' });
  return rows.map(({ event_ticket_ids: tickets, ...event }) => {
    const eventSeats = seats.get(event.id);
    const states = tickets.map((ticket) => ticketState(ctx, event, ticket, eventSeats?.tickets.get(ticket.id)));
    return {
      id: event.id,
      address_id: event.address_id,
      tickets,
      states: new Map(tickets.map(({ id }, index) => [id, states[index] ?? 'over'])),
      state: event.state === 'done' ? ('over' as const) : saleState(event, states),
      few: eventSeats ? fewLeft(publicSeats(eventSeats, tickets, states)) : null,
    };
  });
});

/** Ticket sales of events: their state, and the prices for the caller. */
export class TicketSales extends service('website_event.ticket_sales', { ctx: app.ctx }) {
  /**
   * Returns the ticket sales of events visible to the caller. Ignores seats in carts, because cached pages show the result. A fixed number
   * of queries.
   */
  async of(events: Ids): Promise<ReadonlyMap<Id, TicketSale>> {
    const rows = await sales.get(this.ctx.sudo(), events); // Visitors who can see an event may know whether it has tickets.
    const prices = await this.prices(rows);
    return new Map(
      rows.map(({ id, tickets, states, state, few }) => {
        const sold = tickets.filter((ticket) => states.get(ticket.id) === state);
        const priced = sold.flatMap((ticket) => prices.get(ticket.id) ?? []);
        const [lowest] = priced.toSorted((a, b) => a.amount - b.amount);
        const from = lowest ? { amount: lowest.amount, currency: lowest.currency } : null;
        return [id, { state, few, from, free: priced.length > 0 && priced.every(({ free }) => free), states }];
      }),
    );
  }

  /**
   * Returns ticket prices by ticket ID, for the caller's pricelist and with or without tax as elsewhere in the shop. Used by event pages,
   * event lists and structured data. A fixed number of queries.
   */
  async prices(events: readonly PricedEvent[]): Promise<Map<Id, TicketPrice>> {
    const venues = await placesOf(
      this.ctx,
      events.flatMap(({ address_id }) => address_id ?? []),
    );
    const tickets = events.flatMap((event) => {
      const supply = supplyOfEvent(event, venues);
      return event.tickets.map(({ id, price, product_id }) => ({ id, product: product_id, list: price, supply }));
    });
    if (tickets.length === 0) return new Map();
    // Visitors can see ticket prices, but not the products and pricelists behind them.
    const prices = await this.ctx
      .sudo()
      .get(Pricing)
      .shown(await pricingContext(this.ctx), tickets);
    return new Map(
      tickets.flatMap(({ id }, index) => {
        const shopPrice = prices[index];
        if (!shopPrice) return [];
        const { price, list, currency } = shopPrice;
        return [[id, { amount: price, before: list > price ? list : null, currency, free: price === 0 }] as const];
      }),
    );
  }
}

/** Public seats of an event: the sum of its tickets on sale, capped by the event limit. */
function publicSeats(
  seats: EventSeats,
  tickets: readonly { readonly id: Id }[],
  states: readonly TicketState[],
): Pick<TakenSeats, 'max' | 'available'> {
  const sold = tickets
    .filter((_, index) => states[index] === 'open' || states[index] === 'sold_out')
    .flatMap(({ id }) => seats.tickets.get(id) ?? []);
  return {
    max: least(seats.max, total(sold.map(({ max }) => max))),
    available: least(seats.available, total(sold.map(({ available }) => available))),
  };
}

/** Returns the number of seats left if that is a quarter or less; null if there are more, or none. */
export function fewLeft(seats: Pick<TakenSeats, 'max' | 'available'> | undefined): number | null {
  if (!seats || seats.max === null || seats.available === null || seats.available === 0) return null;
  return decimal(seats.available).times(4).lte(seats.max) ? seats.available : null;
}
