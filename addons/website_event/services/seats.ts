import { SaleHold } from '@pergola/sale';
import { app, type Ctx, type Id, type Ids, kept, service } from 'pergola';
import { ticketsPerOrder } from '../settings.ts';
import { t } from '../texts.ts';
import { isOnSale } from './on-sale.ts';

/** Resource names for seat holds. */
export const ticketResource = 'event.event.ticket';
export const eventResource = 'event.event';

/** Seat usage of an event or ticket. */
export interface TakenSeats {
  /** Null if unlimited. */
  readonly max: number | null;
  /** Confirmed registrations. */
  readonly reserved: number;
  /** Attendees who checked in. */
  readonly used: number;
  /** Unconfirmed registrations. They take no seat; their cart or order holds it. */
  readonly unconfirmed: number;
  /** In carts and in orders awaiting payment. */
  readonly held: number;
  /** Reserved for waiting list offers, except seats already held by the carts of those people. */
  readonly offered: number;
  /** Requested by people on the waiting list without an offer. */
  readonly awaited: number;
  /** Free seats reserved for the waiting list before public sale. */
  readonly claimed: number;
  /** Seats left before serving the waiting list; null if unlimited. For a ticket, never more than its event has. */
  readonly free: number | null;
  /** Seats on public sale; null if unlimited. */
  readonly available: number | null;
}

export interface EventSeats extends TakenSeats {
  readonly tickets: ReadonlyMap<Id, TakenSeats>;
}

/** Seat usage as fields of events and tickets. */
export interface SeatFields {
  readonly seats_reserved: number;
  readonly seats_used: number;
  readonly seats_unconfirmed: number;
  readonly seats_available: number | null;
  /** Seats left as text, including "unlimited". */
  readonly seats_left: string;
}

export function seatFields(
  ctx: Ctx,
  { reserved, used, unconfirmed }: TakenSeats,
  available: number | null,
): SeatFields {
  return {
    seats_reserved: reserved,
    seats_used: used,
    seats_unconfirmed: unconfirmed,
    seats_available: available,
    seats_left: available === null ? t(ctx, 'No limit') : ctx.get(app.formats).formatNumber(available, ctx.lang),
  };
}

/** Returns the seats left for an event, limited by the event itself and by its tickets if all of them have a limit; null if unlimited. */
export function seatsLeft({ free, tickets }: EventSeats): number | null {
  return least(free, total([...tickets.values()].map((ticket) => ticket.free)));
}

/** Sums seat numbers; null if the list is empty or one of them is unlimited. */
export function total(numbers: readonly (number | null)[]): number | null {
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, number) => (sum === null || number === null ? null : sum + number), 0);
}

/** Returns the smaller seat number, treating null as unlimited. */
export function least(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

/** Options for counting seats. */
export interface SeatsFor {
  /** Order whose own held and offered seats aren't counted. */
  readonly order?: Id | null;
  /**
   * `kept`: ignores seats in carts and counts orders awaiting payment by their registrations, for cached pages. `sold`: ignores held seats,
   * for callers that count holds themselves.
   */
  readonly mode?: 'all' | 'kept' | 'sold';
}

interface Count {
  reserved: number;
  used: number;
  unconfirmed: number;
  held: number;
  offered: number;
  awaited: number;
}

/** Offered seats of the waiting list that were added to a cart. */
interface OrderPlace {
  readonly event: Id;
  readonly ticket: Id;
  readonly order: Id;
  /** Whether the order's cart holds them, while the hold lasts. */
  readonly inCart: boolean;
  quantity: number;
}

/** Seat limits and usage by event and ticket, without holds. */
export interface SeatCounts {
  readonly limits: readonly {
    readonly id: Id;
    readonly seats_max: number | null;
    readonly event_ticket_ids: readonly { readonly id: Id; readonly seats_max: number | null }[];
  }[];
  readonly counts: ReadonlyMap<string, Count>;
  readonly places: readonly OrderPlace[];
}

/** Seats held by carts. */
export interface SeatHolds {
  /** Held by all orders, by ticket. */
  readonly all: ReadonlyMap<Id, number>;
  /** Held by the given order and by orders with offered seats, by order and ticket. */
  readonly byOrder: ReadonlyMap<string, number>;
}

/** Counts the seats of events from registrations, cart holds and the waiting list. */
export class Seats extends service('website_event.seats', { ctx: app.ctx }) {
  // The numbers are public; personal data is never read here.
  readonly #system = this.ctx.sudo();

  /** Counts the seats of events and of each of their tickets. Callers that act on the numbers must hold the event locks. */
  async of(events: Ids, own: SeatsFor = {}): Promise<Map<Id, EventSeats>> {
    return this.#count(await this.taken(events), own);
  }

  /** Same as `of`, for display only: uses cached counts and reads just the holds. `order` as in `SeatsFor`. */
  async shown(events: Ids, order: Id | null): Promise<Map<Id, EventSeats>> {
    return this.#count(await takenSeats.get(this.#system, events), { order });
  }

  async #count(usage: SeatCounts, options: SeatsFor): Promise<Map<Id, EventSeats>> {
    const { limits, places } = usage;
    const counts = new Map([...usage.counts].map(([key, count]) => [key, { ...count }]));
    const isAwaited = places.length > 0 || [...counts.values()].some(({ awaited }) => awaited > 0);
    let holds: SeatHolds = { all: new Map(), byOrder: new Map() };
    if (options.mode === 'kept') holds = await this.#unconfirmed(usage);
    else if (options.mode !== 'sold' || isAwaited) holds = await this.#held(usage, options.order ?? null);
    return new Map(limits.map((event) => [event.id, countEvent(event, counts, places, holds, options)]));
  }

  /** Reads the limits of events, sold seats and seats reserved for the waiting list. */
  async taken(events: Ids): Promise<SeatCounts> {
    const limits = await this.#system.model('event.event').read(events, {
      select: {
        seats_max: true,
        state: true,
        website_published: true,
        date_end: true,
        event_ticket_ids: { seats_max: true, order_max: true, sale_start: true, deadline: true },
      },
    });
    const counts = new Map<string, Count>();
    const registered = await this.#system
      .model('event.registration')
      .group([['event_id', 'in', events]], { by: ['event_id', 'event_ticket_id', 'state'] });
    for (const { event_id, event_ticket_id, state, count } of registered) {
      const seats = countAt(counts, event_id, event_ticket_id);
      if (state === 'open') seats.reserved += count;
      else if (state === 'done') seats.used += count;
      else if (state === 'draft') seats.unconfirmed += count;
    }
    const waiting = await this.#system
      .model('event.waiting')
      .group(
        [
          ['event_id', 'in', events],
          '|',
          ['state', '=', 'waiting'],
          '&',
          ['state', 'in', ['offered', 'claimed']],
          ['offered_until', '>', this.ctx.now()],
        ],
        { by: ['event_id', 'event_ticket_id', 'state', 'quantity', 'order_id'] },
      );
    const maxPerOrder = waiting.length > 0 ? await this.ctx.settings.get(ticketsPerOrder) : 0;
    const places: OrderPlace[] = [];
    for (const group of waiting) {
      const [event, ticket] = [Number(group.event_id), Number(group.event_ticket_id)];
      const [quantity, count] = [Number(group.quantity), group.count];
      if (group.state === 'waiting') {
        const sold = limits.find(({ id }) => id === event);
        const kind = sold?.event_ticket_ids.find(({ id }) => id === ticket);
        // Only people who can get an offer have seats reserved.
        if (!sold || !kind || !isOnSale(this.ctx, sold, kind)) continue;
        countAt(counts, event, ticket).awaited += Math.min(quantity, kind.order_max || maxPerOrder) * count;
      } else if (group.order_id !== null) {
        const order = Number(group.order_id);
        places.push({ event, ticket, order, inCart: group.state === 'claimed', quantity: quantity * count });
      } else if (group.state === 'offered') countAt(counts, event, ticket).offered += quantity * count;
    }
    return { limits, counts, places };
  }

  /** Active holds on the tickets of events. */
  async #held({ limits, places }: SeatCounts, ownOrder: Id | null): Promise<SeatHolds> {
    const tickets = limits.flatMap(({ event_ticket_ids }) => event_ticket_ids.map(({ id }) => id));
    const holds = this.#system.model(SaleHold);
    const live = [
      ['resource', '=', ticketResource],
      ['resource_id', 'in', tickets],
      ['until', '>', this.ctx.now()],
    ] as const;
    const groups = await holds.group([...live], { by: ['resource_id'], aggregates: ['quantity:sum'] });
    const orders = [...new Set([...(ownOrder === null ? [] : [ownOrder]), ...places.map(({ order }) => order)])];
    const single =
      orders.length === 0
        ? []
        : await holds.group([...live, ['order_id', 'in', orders]], {
            by: ['resource_id', 'order_id'],
            aggregates: ['quantity:sum'],
          });
    return {
      all: new Map(groups.map((group) => [Number(group.resource_id), Number(group['quantity:sum'])])),
      byOrder: new Map(
        single.map((group) => [
          keyOf(Number(group.order_id), Number(group.resource_id)),
          Number(group['quantity:sum']),
        ]),
      ),
    };
  }

  /** Replaces holds on cached pages: unconfirmed registrations. */
  async #unconfirmed({ counts, limits, places }: SeatCounts): Promise<SeatHolds> {
    const orders = places.map(({ order }) => order);
    const single =
      orders.length === 0
        ? []
        : await this.#system.model('event.registration').group(
            [
              ['state', '=', 'draft'],
              ['sale_order_id', 'in', orders],
            ],
            { by: ['sale_order_id', 'event_ticket_id'] },
          );
    return {
      all: new Map(
        limits.flatMap(({ id, event_ticket_ids }) =>
          event_ticket_ids.map((ticket) => [ticket.id, counts.get(keyOf(id, ticket.id))?.unconfirmed ?? 0] as const),
        ),
      ),
      byOrder: new Map(
        single.map(({ sale_order_id, event_ticket_id, count }) => [
          keyOf(Number(sale_order_id), Number(event_ticket_id)),
          count,
        ]),
      ),
    };
  }
}

/** Cached seat usage of events, the same for every visitor. */
export const takenSeats = kept('website_event.taken_seats', (ctx, events: Ids) => ctx.get(Seats).taken(events));

function countAt(counts: Map<string, Count>, event: unknown, ticket: unknown): Count {
  const key = keyOf(Number(event), ticket === null ? null : Number(ticket));
  const entry = counts.get(key) ?? emptyCount();
  counts.set(key, entry);
  return entry;
}

/**
 * Counts the seats of one event and its tickets.
 *
 * @param counts sold and reserved seats, by event and ticket
 * @param holds active holds of carts
 */
export function countEvent(
  { id, seats_max, event_ticket_ids }: SeatCounts['limits'][number],
  counts: ReadonlyMap<string, Count>,
  places: readonly OrderPlace[],
  holds: SeatHolds,
  { order = null, mode = 'all' }: SeatsFor,
): EventSeats {
  const pools = event_ticket_ids.map(({ id: ticket, seats_max: max }): Pool => {
    const count = { ...(counts.get(keyOf(id, ticket)) ?? emptyCount()), held: holds.all.get(ticket) ?? 0 };
    const orders = Map.groupBy(
      places.filter((place) => place.ticket === ticket),
      (place) => place.order,
    );
    const reservedFor = (owner: Id) =>
      reservedSeats(orders.get(owner) ?? [], holds.byOrder.get(keyOf(owner, ticket)) ?? 0);
    for (const owner of orders.keys()) count.offered += reservedFor(owner);
    if (order === null) return { ticket, max: max || null, count, ownHeld: 0, ownOffered: 0 };
    const ownHeld = holds.byOrder.get(keyOf(order, ticket)) ?? 0;
    return { ticket, max: max || null, count, ownHeld, ownOffered: reservedFor(order) };
  });
  const eventCount = sum([...pools.map(({ count }) => count), counts.get(keyOf(id, null)) ?? emptyCount()]);
  const all: Pool = {
    ticket: null,
    max: seats_max || null,
    count: eventCount,
    ownHeld: pools.reduce((seats, { ownHeld }) => seats + ownHeld, 0),
    ownOffered: pools.reduce((seats, { ownOffered }) => seats + ownOffered, 0),
  };
  const claims = pools.map((pool) => Math.min(pool.count.awaited, Math.max(0, remainingSeats(pool) ?? Infinity)));
  // The waiting list gets precedence for seats that both the ticket and the event have left. People waiting for a ticket without seats
  // don't block the other tickets.
  const claimed = Math.min(
    claims.reduce((seats, claim) => seats + claim, 0),
    Math.max(0, remainingSeats(all) ?? Infinity),
  );
  const event = seatUsage(all, claimed, mode);
  const tickets = pools.map((pool, index) => {
    const ticketSeats = seatUsage(pool, Math.min(claims[index] ?? 0, claimed), mode);
    const free = least(ticketSeats.free, event.free);
    return [
      pool.ticket ?? 0,
      { ...ticketSeats, free, available: least(ticketSeats.available, event.available) },
    ] as const;
  });
  return { ...event, tickets: new Map(tickets) };
}

/** Seats that share one limit. */
interface Pool {
  readonly ticket: Id | null;
  readonly max: number | null;
  readonly count: Count;
  /** Part of the held and offered seats that belongs to the given order. */
  readonly ownHeld: number;
  readonly ownOffered: number;
}

/** Seats reserved for an order in addition to those it holds. */
function reservedSeats(places: readonly OrderPlace[], heldCount: number): number {
  const seats = (inCart: boolean) =>
    places.reduce((sum, place) => (place.inCart === inCart ? sum + place.quantity : sum), 0);
  return seats(false) + Math.max(0, seats(true) - heldCount);
}

function remainingSeats({ max, count }: Pool): number | null {
  return max === null ? null : max - count.reserved - count.used - count.held - count.offered;
}

function seatUsage(pool: Pool, claimed: number, mode: NonNullable<SeatsFor['mode']>): TakenSeats {
  const { max, count, ownHeld, ownOffered } = pool;
  const remaining = remainingSeats(pool);
  const ownSeats = ownHeld + ownOffered;
  const otherHeld = mode === 'sold' ? 0 : count.held - ownHeld;
  return {
    ...count,
    max,
    held: otherHeld,
    offered: count.offered - ownOffered,
    claimed,
    free: remaining === null ? null : remaining + ownSeats,
    available: remaining === null ? null : Math.max(0, remaining - claimed + ownSeats),
  };
}

function sum(counts: readonly Count[]): Count {
  return counts.reduce(
    (all, count) => ({
      reserved: all.reserved + count.reserved,
      used: all.used + count.used,
      unconfirmed: all.unconfirmed + count.unconfirmed,
      held: all.held + count.held,
      offered: all.offered + count.offered,
      awaited: all.awaited + count.awaited,
    }),
    emptyCount(),
  );
}

function emptyCount(): Count {
  return { reserved: 0, used: 0, unconfirmed: 0, held: 0, offered: 0, awaited: 0 };
}

function keyOf(first: Id, second: Id | null): string {
  return `${first}:${second ?? ''}`;
}
