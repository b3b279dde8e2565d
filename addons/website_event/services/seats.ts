import { app, type Ctx, type Id, type Ids, InvalidInput } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { heldTickets } from './holds.ts';

/** What is taken of an event's, or a ticket's, seats. */
export interface TakenSeats {
  /** Null: no limit. */
  readonly max: number | null;
  /** Confirmed registrations. */
  readonly reserved: number;
  /** People who came. */
  readonly used: number;
  /** Unconfirmed registrations: they take no seat, the cart or order behind them holds it. */
  readonly unconfirmed: number;
  /** In carts and in orders that wait for their payment. */
  readonly held: number;
  /** Offered to people on the waiting list, who have some time to take them. */
  readonly offered: number;
  /** Asked for by people on the waiting list, who come before everybody else. */
  readonly awaited: number;
  /** What is left, whoever waits; null without a limit. For a ticket never more than for its event. */
  readonly free: number | null;
  /** What anybody may take now; null without a limit. */
  readonly available: number | null;
}

export interface EventSeats extends TakenSeats {
  readonly tickets: ReadonlyMap<Id, TakenSeats>;
}

/** The seats as fields of events and tickets. */
export interface SeatFields {
  readonly seats_reserved: number;
  readonly seats_used: number;
  readonly seats_unconfirmed: number;
  readonly seats_available: number | null;
  /** The same in words, which say so where nothing limits them. */
  readonly seats_left: string;
}

export function seatFields(ctx: Ctx, { reserved, used, unconfirmed }: TakenSeats, left: number | null): SeatFields {
  return {
    seats_reserved: reserved,
    seats_used: used,
    seats_unconfirmed: unconfirmed,
    seats_available: left,
    seats_left: left === null ? ctx.t('No limit') : ctx.get(app.formats).formatNumber(left, ctx.lang),
  };
}

/** What is left of an event: by its own limit, and by those of its tickets where each has one; null where nothing limits it. */
export function seatsLeft({ free, tickets }: EventSeats): number | null {
  const each = [...tickets.values()].map((ticket) => ticket.free);
  if (each.length === 0 || each.includes(null)) return free;
  return least(
    free,
    each.reduce<number>((total, one) => total + (one ?? 0), 0),
  );
}

/** Whose own seats are not counted against them. */
export interface SeatsFor {
  /** The order that already holds some. */
  readonly order?: Id | null;
  /** The place on the waiting list that is being taken up. */
  readonly waiting?: Id | null;
  /**
   * `kept`: what is only in carts is not counted, and orders that wait for their payment are by their registrations; for kept pages. `sold`: neither
   * is anything that is held; for whoever counts that.
   */
  readonly counted?: 'all' | 'kept' | 'sold';
}

interface Count {
  reserved: number;
  used: number;
  unconfirmed: number;
  held: number;
  offered: number;
  awaited: number;
}

/**
 * How the seats of events stand, with those of each of their tickets. Whoever decides on it has called `ctx.lock(EventEvent, …)` before.
 */
export async function seatsOf(ctx: Ctx, events: Ids, own: SeatsFor = {}): Promise<Map<Id, EventSeats>> {
  // How many come is public; who they are is read by nobody here.
  const system = ctx.sudo();
  const limits = await system
    .model(EventEvent)
    .read(events, { select: { seats_max: true, event_ticket_ids: { seats_max: true } } });
  const eventOf = new Map(
    limits.flatMap(({ id, event_ticket_ids }) => event_ticket_ids.map((ticket) => [ticket.id, id])),
  );
  const counts = await countsOf(system, events, eventOf, own);
  return new Map(
    limits.map(({ id, seats_max, event_ticket_ids }) => {
      const tickets = event_ticket_ids.map(({ id: ticket }) => counts.get(keyOf(id, ticket)) ?? none());
      const whole = sum([...tickets, counts.get(keyOf(id, null)) ?? none()]);
      const all = standing(seats_max, whole);
      const each = event_ticket_ids.map(({ id: ticket, seats_max: max }, index) => {
        const own = standing(max, tickets[index] ?? none());
        return [
          ticket,
          { ...own, free: least(own.free, all.free), available: least(own.available, all.available) },
        ] as const;
      });
      return [id, { ...all, tickets: new Map(each) }] as const;
    }),
  );
}

/**
 * Makes sure that events and their tickets have seats for everybody who has one, in a cart too.
 *
 * @throws InvalidInput naming the ticket or event that has not.
 */
export async function requireSeats(ctx: Ctx, events: Ids): Promise<void> {
  if (events.length === 0) return;
  await ctx.lock(EventEvent, events);
  for (const [event, { tickets, ...seats }] of await seatsOf(ctx, events)) {
    const short = [...tickets].find(([, { free }]) => free !== null && free < 0)?.[0];
    if (short === undefined && (seats.free === null || seats.free >= 0)) continue;
    const names = short === undefined ? ctx.sudo().model(EventEvent) : ctx.sudo().model(EventTicket);
    const name = (await names.displayNames([short ?? event])).get(short ?? event) ?? '';
    throw new InvalidInput('There are not enough seats left for “{name}”.', {
      code: 'website_event.no_seats',
      params: { name },
    });
  }
}

async function countsOf(
  system: Ctx,
  events: Ids,
  eventOf: ReadonlyMap<Id, Id>,
  own: SeatsFor,
): Promise<Map<string, Count>> {
  const counts = new Map<string, Count>();
  const at = (event: unknown, ticket: unknown): Count => {
    const key = keyOf(Number(event), ticket === null ? null : Number(ticket));
    const known = counts.get(key) ?? none();
    counts.set(key, known);
    return known;
  };
  const registered = await system
    .model(EventRegistration)
    .group([['event_id', 'in', events]], { by: ['event_id', 'event_ticket_id', 'state'] });
  for (const { event_id, event_ticket_id, state, count } of registered) {
    const found = at(event_id, event_ticket_id);
    if (state === 'open') found.reserved += count;
    else if (state === 'done') found.used += count;
    else if (state === 'draft') found.unconfirmed += count;
  }
  if (own.counted === 'kept') {
    for (const count of counts.values()) count.held = count.unconfirmed;
  } else if (own.counted !== 'sold') {
    for (const { event, ticket, quantity } of await heldTickets(system, eventOf, own.order ?? null)) {
      at(event, ticket).held += quantity;
    }
  }
  const waiting = await system
    .model(EventWaiting)
    .find(
      [
        ['event_id', 'in', events],
        ['id', '!=', own.waiting ?? 0],
        '|',
        ['state', '=', 'waiting'],
        '&',
        ['state', '=', 'offered'],
        ['offered_until', '>', system.now()],
      ],
      { select: { event_id: true, event_ticket_id: true, state: true, quantity: true } },
    );
  for (const { event_id, event_ticket_id, state, quantity } of waiting) {
    const found = at(event_id, event_ticket_id);
    if (state === 'offered') found.offered += quantity;
    else found.awaited += quantity;
  }
  return counts;
}

function standing(limit: number | null, count: Count): TakenSeats {
  const max = limit || null;
  const free = max === null ? null : max - count.reserved - count.used - count.held - count.offered;
  return { ...count, max, free, available: free === null ? null : Math.max(0, free - count.awaited) };
}

function sum(counts: readonly Count[]): Count {
  return counts.reduce(
    (total, one) => ({
      reserved: total.reserved + one.reserved,
      used: total.used + one.used,
      unconfirmed: total.unconfirmed + one.unconfirmed,
      held: total.held + one.held,
      offered: total.offered + one.offered,
      awaited: total.awaited + one.awaited,
    }),
    none(),
  );
}

function none(): Count {
  return { reserved: 0, used: 0, unconfirmed: 0, held: 0, offered: 0, awaited: 0 };
}

function least(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

function keyOf(event: Id, ticket: Id | null): string {
  return `${event}:${ticket ?? ''}`;
}
