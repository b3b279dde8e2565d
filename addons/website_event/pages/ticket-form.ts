import { currencyFormats, holdMinutes } from '@pergola/sale';
import { cartOf } from '@pergola/website_sale';
import { type Ctx, fragment, fromMinor, type Id, type Minor, type RequestView } from 'pergola';
import { aroundAmount } from 'pergola/pages';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket, mostAtOnce } from '../models/event-event-ticket.ts';
import { whenOf } from '../services/event-dates.ts';
import { saleState, ticketState } from '../services/on-sale.ts';
import { Seats, type TakenSeats } from '../services/seats.ts';
import { fewLeft, type TicketPrice, TicketSales } from '../services/ticket-sales.ts';
import { ticketsPerOrder } from '../settings.ts';
import { plural } from '../texts.ts';

const select = {
  name: true,
  state: true,
  date_begin: true,
  date_end: true,
  date_tz: true,
  address_id: true,
  event_ticket_ids: {
    name: true,
    description: true,
    price: true,
    product_id: true,
    sale_start: true,
    deadline: true,
    order_max: true,
  },
} as const;

/** Ticket form: prices and remaining seats for this visitor, whose own cart isn't counted against them. */
export const ticketForm = fragment('website_event.tickets', {
  template: 'website_event.ticket_form',
  vary: 'often',
  load: async (ctx, request) => {
    const id = eventIn(request);
    const [event] = id === null ? [] : await ctx.model(EventEvent).read([id], { select });
    return event ? ticketFormOf(ctx, event) : { id: null };
  },
});

type FormEvent = Awaited<ReturnType<typeof readForm>>;
function readForm(ctx: Ctx, id: Id) {
  return ctx.model(EventEvent).get(id, { select });
}

async function ticketFormOf(ctx: Ctx, event: FormEvent) {
  const cart = await cartOf(ctx);
  const seats = (await ctx.get(Seats).shown([event.id], cart)).get(event.id);
  const prices = await ctx.get(TicketSales).prices([{ address_id: event.address_id, tickets: event.event_ticket_ids }]);
  const defaultMax = await ctx.settings.get(ticketsPerOrder);
  const priceOf = await priceFormatter(ctx, [...prices.values()]);
  const moment = (date: Date | null) => date && whenOf(ctx, { ...event, date_begin: date, date_end: date }).zoned;
  const kinds = ctx.model(EventTicket);
  const mostWaited = new Map<Id, number>();
  for (const { id, order_max } of event.event_ticket_ids) mostWaited.set(id, await kinds.mostWaited(order_max));
  const tickets = event.event_ticket_ids.map((ticket) => {
    const ticketSeats = seats?.tickets.get(ticket.id);
    const state = ticketState(ctx, event, ticket, ticketSeats);
    const [price, few] = [prices.get(ticket.id), fewLeft(ticketSeats)];
    return {
      id: ticket.id,
      name: ticket.name,
      description: ticket.description,
      state,
      price: price ? priceOf(price) : null,
      few: few === null ? null : plural(ctx, '{n} left', '{n} left', few),
      numbers: state === 'open' ? numbersUpTo(ticket.order_max || defaultMax, ticketSeats) : [],
      mostWaited: mostWaited.get(ticket.id) ?? mostAtOnce,
      opens: moment(ticket.sale_start),
      closes: moment(ticket.deadline),
    };
  });
  const state = saleState(
    event,
    tickets.map((ticket) => ticket.state),
  );
  return {
    id: event.id,
    name: event.name,
    state,
    tickets,
    over: event.state === 'done' || ctx.isPast(event.date_end),
    cancelled: event.state === 'cancel',
    kept: state === 'open' ? keptText(ctx, await ctx.settings.get(holdMinutes)) : null,
  };
}

function keptText(ctx: Ctx, minutes: number): string {
  return plural(
    ctx,
    'We’ll hold the tickets in your cart for {n} minute.',
    'We’ll hold the tickets in your cart for {n} minutes.',
    minutes,
  );
}

/** Prices as the island formats and adds them up. */
async function priceFormatter(ctx: Ctx, prices: readonly TicketPrice[]) {
  const formats = await currencyFormats(ctx, [...new Set(prices.map(({ currency }) => currency))]);
  const money = (amount: Minor, currency: Id) => {
    const format = formats.get(currency) ?? { digits: 2, symbol: '', position: 'after' };
    return { value: Number(fromMinor(amount, format)), digits: format.digits, ...aroundAmount(format) };
  };
  return ({ amount, before: fullPrice, currency, free }: TicketPrice) => ({
    free,
    amount: money(amount, currency),
    before: fullPrice === null ? null : money(fullPrice, currency),
  });
}

/** Selectable quantities, from 0 to the maximum per selection. */
function numbersUpTo(orderMax: number, seats: TakenSeats | undefined): number[] {
  const max = Math.min(seats?.available ?? mostAtOnce, orderMax, mostAtOnce);
  return Array.from({ length: max + 1 }, (_, number) => number);
}

/** Determines the event from the path (`/event/garden-party-5/register`) or from the submitted form. */
function eventIn({ path, url }: RequestView): Id | null {
  const inPath = /^\/event\/(?:[^/]*-)?([1-9]\d{0,9})(?:\/|$)/.exec(path)?.[1];
  const inQuery = /[?&]event_id=([1-9]\d{0,9})(?:&|$)/.exec(url)?.[1];
  const digits = inPath ?? inQuery;
  return digits === undefined ? null : Number(digits);
}
