import type { LimitedResource } from '@pergola/sale';
import type { Ctx, Id, Ids } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket, ticketTitle } from '../models/event-event-ticket.ts';
import { eventResource, Seats, type TakenSeats, ticketResource } from './seats.ts';

/** Seats of an event across all tickets. Sold seats are counted from registrations, so there is nothing to take or give back. */
const eventSeats: LimitedResource = {
  resource: eventResource,
  lock: async (_ctx, ids) => ({ model: EventEvent, ids }),
  async left(ctx, ids, order) {
    const seats = await ctx.get(Seats).of(ids, { order, mode: 'sold' });
    return new Map([...seats].map(([id, eventSeats]) => [id, unsold(eventSeats)]));
  },
  names: (ctx, ids) => ctx.model(EventEvent).displayNames(ids),
};

/** Seats of a ticket type. Uses the event lock, because all its tickets share the seats of the event. */
const ticketSeats: LimitedResource = {
  resource: ticketResource,
  lock: async (ctx, ids) => ({
    model: EventEvent,
    ids: [...new Set((await eventsOf(ctx, ids)).values())].sort((a, b) => a - b),
  }),
  async left(ctx, ids, order) {
    const events = await eventsOf(ctx, ids);
    const seats = await ctx.get(Seats).of([...new Set(events.values())], { order, mode: 'sold' });
    return new Map(
      [...events].map(([ticket, event]) => {
        const seatsOfTicket = seats.get(event)?.tickets.get(ticket);
        return [ticket, seatsOfTicket ? unsold(seatsOfTicket) : 0];
      }),
    );
  },
  async names(ctx, ids) {
    const rows = await ctx.model(EventTicket).read(ids, { select: { name: true, event_id: { name: true } } });
    return new Map(rows.map(({ id, name, event_id }) => [id, ticketTitle(ctx, event_id?.name ?? '', name)]));
  },
};

export const limitedSeats: readonly LimitedResource[] = [eventSeats, ticketSeats];

/** Seats left after subtracting sold ones and those reserved for the waiting list; `Stock` subtracts holds. */
function unsold(seats: TakenSeats): number | null {
  const { max } = seats;
  return max === null ? null : Math.max(0, max - seats.reserved - seats.used - seats.offered - seats.claimed);
}

async function eventsOf(ctx: Ctx, tickets: Ids): Promise<Map<Id, Id>> {
  const rows = await ctx.model(EventTicket).read([...new Set(tickets)], { select: { event_id: true } });
  return new Map(rows.map(({ id, event_id }) => [id, event_id]));
}
