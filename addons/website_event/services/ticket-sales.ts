import { Company } from '#addons/base';
import { type Ctx, type CurrencyUnits, decimal, type Id, type Ids, type Minor, toMinor } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { type SaleTimes, saleTimes } from './sale-times.ts';
import { seatsOf, type TakenSeats } from './seats.ts';

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

const select = {
  state: true,
  event_ticket_ids: { price: true },
} as const;

/** How the sale of events stands, from what is kept: seats in carts are not counted (kept pages never tell of them). */
export async function salesOf(ctx: Ctx, events: Ids): Promise<Map<Id, TicketSale>> {
  const rows = await ctx.model(EventEvent).read(events, { select });
  const times = await saleTimes(ctx, events);
  const seats = await seatsOf(ctx, events, { counted: 'kept' });
  const currency = await companyCurrency(ctx);
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

/** The currency tickets are priced in. */
export async function companyCurrency(ctx: Ctx): Promise<CurrencyUnits & { readonly id: Id; readonly code: string }> {
  const company = ctx.facts.website?.companyId ?? (await ctx.ref('base.main_company'));
  const { currency_id } = await ctx
    .model(Company)
    .get(company, { select: { currency_id: { name: true, decimal_places: true, rounding: true } } });
  if (!currency_id) throw new Error(`Company ${company} has no currency.`);
  const { id, name, decimal_places, rounding } = currency_id;
  return { id, code: name, digits: decimal_places, rounding };
}
