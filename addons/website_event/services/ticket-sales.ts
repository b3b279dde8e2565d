import { Company } from '#addons/base';
import { Pricing } from '#addons/sale';
import { pricingContext, sellingCompany } from '#addons/website_sale';
import {
  app,
  type CurrencyUnits,
  type Decimal,
  decimal,
  type Id,
  type Ids,
  kept,
  type Minor,
  service,
  toMinor,
} from '#core';
import { EventEvent } from '../models/event-event.ts';
import { type SaleState, saleState, type TicketState, ticketState } from './on-sale.ts';
import { placesOf, supplyOfEvent } from './places.ts';
import { type EventSeats, least, Seats, type TakenSeats, total } from './seats.ts';

/** What lists tell of an event's tickets. */
export interface TicketSale {
  readonly state: SaleState;
  /** How many are left, where that is a quarter or less. */
  readonly few: number | null;
  /** The lowest price; null without tickets. */
  readonly from: { readonly amount: Minor; readonly currency: Id } | null;
  /** Whether every ticket is free. */
  readonly free: boolean;
}

/** What of a ticket says what it costs. */
interface PricedTicket {
  readonly id: Id;
  readonly price: Decimal;
  readonly product_id: Id;
}

type TicketCurrency = CurrencyUnits & { readonly id: Id; readonly code: string };

/** What a ticket costs the caller, as the shop shows prices. */
export interface TicketPrice {
  readonly amount: Minor;
  /** Before the pricelist, where that is more. */
  readonly before: Minor | null;
  readonly currency: Id;
  readonly free: boolean;
}

/** How the sale of events stands, in the money of a company. */
export const sales = kept('website_event.sales', async (ctx, company: Id, events: Ids) => {
  const rows = await ctx.model(EventEvent).read(events, {
    select: { state: true, date_end: true, event_ticket_ids: { price: true, sale_start: true, deadline: true } },
  });
  const seats = await ctx.get(Seats).of(events, { counted: 'kept' });
  const currency = await companyCurrency.get(ctx, company);
  return new Map(
    rows.map((event): [Id, TicketSale] => {
      const found = seats.get(event.id);
      const states = event.event_ticket_ids.map((ticket) =>
        ticketState(ctx, event, ticket, found?.tickets.get(ticket.id)),
      );
      const prices = event.event_ticket_ids.map(({ price }) => toMinor(price, currency)).sort((a, b) => a - b);
      const [lowest] = prices;
      return [
        event.id,
        {
          state: event.state === 'done' ? 'over' : saleState(event, states),
          few: found ? fewLeft(publicSeats(found, event.event_ticket_ids, states)) : null,
          from: lowest === undefined ? null : { amount: lowest, currency: currency.id },
          free: prices.length > 0 && prices.every((price) => price === 0),
        },
      ];
    }),
  );
});

/** The currency a company sells in. */
export const companyCurrency = kept('website_event.currency', async (ctx, company: Id): Promise<TicketCurrency> => {
  const { currency_id } = await ctx
    .model(Company)
    .get(company, { select: { currency_id: { name: true, decimal_places: true, rounding: true } } });
  if (!currency_id) throw new Error(`Company ${company} has no currency.`);
  const { id, name, decimal_places, rounding } = currency_id;
  return { id, code: name, digits: decimal_places, rounding };
});

/** Whether tickets of events are sold now, and what they cost. */
export class TicketSales extends service('website_event.ticket_sales', { ctx: app.ctx }) {
  /** How the sale of events stands that the caller sees, from what is kept: seats in carts are not counted (kept pages never tell of them). */
  async of(events: Ids): Promise<ReadonlyMap<Id, TicketSale>> {
    // Whether there are tickets for an event is told to whoever sees it.
    return sales.get(this.ctx.sudo(), await sellingCompany(this.ctx), events);
  }

  /** The prices of an event's tickets under the caller's pricelist, with or without tax as everywhere in the shop. A fixed number of queries. */
  async prices(
    event: { readonly address_id: Id | null },
    tickets: readonly PricedTicket[],
  ): Promise<Map<Id, TicketPrice>> {
    const supply = supplyOfEvent(event, await placesOf(this.ctx, event.address_id === null ? [] : [event.address_id]));
    // Visitors see the prices of tickets, and may not read the products and pricelists behind them.
    const prices = await this.ctx
      .sudo()
      .get(Pricing)
      .shown(
        await pricingContext(this.ctx),
        tickets.map(({ price, product_id }) => ({ product: product_id, list: price, supply })),
      );
    return new Map(
      tickets.flatMap(({ id }, place) => {
        const shown = prices[place];
        if (!shown) return [];
        const { price, list, currency } = shown;
        return [[id, { amount: price, before: list > price ? list : null, currency, free: price === 0 }] as const];
      }),
    );
  }

  /** The currency tickets are priced in. */
  async currency(): Promise<TicketCurrency> {
    return companyCurrency.get(this.ctx.sudo(), await sellingCompany(this.ctx));
  }
}

/** The seats of an event that visitors can buy: those of the tickets on sale, and no more than the event has. */
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

/** The number of seats left if that is a quarter of all or less; null if there are more, or none. */
export function fewLeft(seats: Pick<TakenSeats, 'max' | 'available'> | undefined): number | null {
  if (!seats || seats.max === null || seats.available === null || seats.available === 0) return null;
  return decimal(seats.available).times(4).lte(seats.max) ? seats.available : null;
}
