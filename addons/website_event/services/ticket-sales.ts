import { Company } from '#addons/base';
import { Pricing } from '#addons/sale';
import { pricingContext } from '#addons/website_sale';
import { app, type CurrencyUnits, decimal, type Id, type Ids, type Minor, service, toMinor } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { Seats, type TakenSeats } from './seats.ts';

/** Whether a kind of ticket can be bought: not yet, now, no longer, or only by those who wait. */
export type TicketState = 'soon' | 'open' | 'sold_out' | 'over';

/** Whether an event's tickets can be bought; `none`: it has none, `closed`: it is not (or no longer) confirmed. */
export type SaleState = TicketState | 'none' | 'closed';

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

/** What the clock says of events and their tickets. */
export interface SaleTimes {
  /** Events that are over. */
  readonly over: ReadonlySet<Id>;
  /** Tickets that are not sold yet. */
  readonly early: ReadonlySet<Id>;
  /** Tickets that are no longer sold. */
  readonly late: ReadonlySet<Id>;
}

/** What a ticket costs the caller, as the shop shows prices. */
export interface TicketPrice {
  readonly amount: Minor;
  /** Before the pricelist, where that is more. */
  readonly before: Minor | null;
  readonly currency: Id;
  readonly free: boolean;
}

/** Whether tickets of events are sold now, and what they cost. */
export class TicketSales extends service('website_event.ticket_sales', {
  ctx: app.ctx,
  seats: Seats,
  events: EventEvent,
  tickets: EventTicket,
}) {
  /** How the sale of events stands, from what is kept: seats in carts are not counted (kept pages never tell of them). */
  async of(events: Ids): Promise<Map<Id, TicketSale>> {
    const rows = await this.events.read(events, { select: { state: true, event_ticket_ids: { price: true } } });
    const times = await this.times(events);
    const seats = await this.seats.of(events, { counted: 'kept' });
    const currency = await this.currency();
    return new Map(
      rows.map((event) => {
        const found = seats.get(event.id);
        const states = event.event_ticket_ids.map((ticket) =>
          ticketState(times, event.id, ticket.id, found?.tickets.get(ticket.id)),
        );
        const prices = event.event_ticket_ids.map(({ price }) => toMinor(price, currency)).sort((a, b) => a - b);
        const [lowest] = prices;
        const sale: TicketSale = {
          state: event.state === 'done' ? 'over' : saleState(event, states),
          few: fewLeft(found),
          from: lowest === undefined ? null : { amount: lowest, currency: currency.id },
          free: prices.length > 0 && prices.every((price) => price === 0),
        };
        return [event.id, sale];
      }),
    );
  }

  /** Asked of the database, so that a kept page that tells of it is made anew when it changes. */
  async times(events: Ids): Promise<SaleTimes> {
    const now = this.ctx.now();
    const over = await this.events.search([
      ['id', 'in', events],
      ['date_end', '<=', now],
    ]);
    const early = await this.tickets.search([
      ['event_id', 'in', events],
      ['sale_start', '>', now],
    ]);
    const late = await this.tickets.search([
      ['event_id', 'in', events],
      ['deadline', '<=', now],
    ]);
    return { over: new Set(over), early: new Set(early), late: new Set(late) };
  }

  /** The prices of tickets under the caller's pricelist, with or without tax as everywhere in the shop. A fixed number of queries. */
  async prices(ids: Ids): Promise<Map<Id, TicketPrice>> {
    const tickets = await this.tickets.read(ids, { select: { price: true, product_id: true } });
    // Visitors see the prices of tickets, and may not read the products and pricelists behind them.
    const prices = await this.ctx
      .sudo()
      .get(Pricing)
      .shown(
        await pricingContext(this.ctx),
        tickets.map(({ price, product_id }) => ({ product: product_id, list: price })),
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
  async currency(): Promise<CurrencyUnits & { readonly id: Id; readonly code: string }> {
    const company = this.ctx.attributes.website?.companyId ?? (await this.ctx.ref('base.main_company'));
    const { currency_id } = await this.ctx
      .model(Company)
      .get(company, { select: { currency_id: { name: true, decimal_places: true, rounding: true } } });
    if (!currency_id) throw new Error(`Company ${company} has no currency.`);
    const { id, name, decimal_places, rounding } = currency_id;
    return { id, code: name, digits: decimal_places, rounding };
  }
}

/** Whether a kind of ticket can be bought now. */
export function ticketState(times: SaleTimes, event: Id, ticket: Id, seats: TakenSeats | undefined): TicketState {
  if (times.over.has(event) || times.late.has(ticket)) return 'over';
  if (times.early.has(ticket)) return 'soon';
  return seats?.available === 0 ? 'sold_out' : 'open';
}

/** How the sale of an event as a whole stands, from the states of its tickets. */
export function saleState({ state }: { readonly state: string }, tickets: readonly TicketState[]): SaleState {
  if (state !== 'confirm') return 'closed';
  if (tickets.length === 0) return 'none';
  const order: readonly TicketState[] = ['open', 'sold_out', 'soon', 'over'];
  return order.find((one) => tickets.includes(one)) ?? 'none';
}

/** What is left, where it is a quarter of all or less. */
export function fewLeft(seats: TakenSeats | undefined): number | null {
  if (!seats || seats.max === null || seats.available === null || seats.available === 0) return null;
  return decimal(seats.available).times(4).lte(seats.max) ? seats.available : null;
}
