import { app, type Ctx, type Id, type Ids, kept, service } from 'pergola';
import { SaleHold } from '#addons/sale';
import { ticketsPerOrder } from '../settings.ts';
import { t } from '../texts.ts';
import { isOnSale } from './on-sale.ts';

/** The names under which seats are held. */
export const ticketResource = 'event.event.ticket';
export const eventResource = 'event.event';

/** How the seats of an event, or of a ticket, are used. */
export interface TakenSeats {
  /** Null: no limit. */
  readonly max: number | null;
  /** Confirmed registrations. */
  readonly reserved: number;
  /** People who came. */
  readonly used: number;
  /** Unconfirmed registrations: they take no seat, the cart or order behind them holds it. */
  readonly unconfirmed: number;
  /** In carts and in orders awaiting payment. */
  readonly held: number;
  /** Kept for people on the waiting list who were offered them, as far as their cart doesn't hold them already. */
  readonly offered: number;
  /** Requested by people on the waiting list who were offered nothing yet. */
  readonly awaited: number;
  /** Free seats that the waiting list is offered before anyone else can buy them. */
  readonly claimed: number;
  /** Seats left before the waiting list is served; null without a limit. Of a ticket never more than of its event. */
  readonly free: number | null;
  /** Seats on public sale; null without a limit. */
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
  /** The same in words, which also say that there is no limit. */
  readonly seats_left: string;
}

export function seatFields(ctx: Ctx, { reserved, used, unconfirmed }: TakenSeats, left: number | null): SeatFields {
  return {
    seats_reserved: reserved,
    seats_used: used,
    seats_unconfirmed: unconfirmed,
    seats_available: left,
    seats_left: left === null ? t(ctx, 'No limit') : ctx.get(app.formats).formatNumber(left, ctx.lang),
  };
}

/** Seats left of an event: by its own limit, and by those of its tickets if each has one; null without a limit. */
export function seatsLeft({ free, tickets }: EventSeats): number | null {
  return least(free, total([...tickets.values()].map((ticket) => ticket.free)));
}

/** Sum of numbers of seats; null if there are none, or one of them is unlimited. */
export function total(numbers: readonly (number | null)[]): number | null {
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, number) => (sum === null || number === null ? null : sum + number), 0);
}

/** The smaller of two numbers of seats, null being unlimited. */
export function least(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

/** For whom, and how, seats are counted. */
export interface SeatsFor {
  /** The order whose own seats aren't counted against it: those it holds, and those offered to it. */
  readonly order?: Id | null;
  /**
   * `kept`: seats that are only in carts aren't counted, and orders awaiting payment count by their registrations; for cached pages. `sold`: held seats
   * are left out, for callers that count holds themselves.
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

/** Seats that the waiting list was offered, and that somebody took into a cart. */
interface OrderPlace {
  readonly event: Id;
  readonly ticket: Id;
  readonly order: Id;
  /** Whether the order's cart holds them, as long as its hold lasts. */
  readonly inCart: boolean;
  quantity: number;
}

/** What is taken of events' seats, by event and ticket; without holds. */
export interface Taken {
  readonly limits: readonly {
    readonly id: Id;
    readonly seats_max: number | null;
    readonly event_ticket_ids: readonly { readonly id: Id; readonly seats_max: number | null }[];
  }[];
  readonly counts: ReadonlyMap<string, Count>;
  readonly places: readonly OrderPlace[];
}

/** Seats in carts. */
export interface Held {
  /** Of all orders, by ticket. */
  readonly all: ReadonlyMap<Id, number>;
  /** Of the order that asks, and of those that hold seats they were offered: by order and ticket. */
  readonly byOrder: ReadonlyMap<string, number>;
}

/** The seats of events: counted from registrations, holds of carts and the waiting list. */
export class Seats extends service('website_event.seats', { ctx: app.ctx }) {
  // The numbers are public; the people behind them are never read here.
  readonly #system = this.ctx.sudo();

  /** The seats of events and of each of their tickets. Callers that decide on them must have locked the events. */
  async of(events: Ids, own: SeatsFor = {}): Promise<Map<Id, EventSeats>> {
    return this.#count(await this.taken(events), own);
  }

  /** The same for pages, which decide nothing: only holds are counted each time. `order` as in `SeatsFor`. */
  async shown(events: Ids, order: Id | null): Promise<Map<Id, EventSeats>> {
    return this.#count(await takenSeats.get(this.#system, events), { order });
  }

  async #count(taken: Taken, own: SeatsFor): Promise<Map<Id, EventSeats>> {
    const { limits, places } = taken;
    const counts = new Map([...taken.counts].map(([key, count]) => [key, { ...count }]));
    const isAwaited = places.length > 0 || [...counts.values()].some(({ awaited }) => awaited > 0);
    let held: Held = { all: new Map(), byOrder: new Map() };
    if (own.counted === 'kept') held = await this.#unconfirmed(taken);
    else if (own.counted !== 'sold' || isAwaited) held = await this.#held(taken, own.order ?? null);
    return new Map(limits.map((event) => [event.id, countEvent(event, counts, places, held, own)]));
  }

  /** The limits of events, and what is taken for good or by the waiting list. */
  async taken(events: Ids): Promise<Taken> {
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
    const most = waiting.length > 0 ? await this.ctx.settings.get(ticketsPerOrder) : 0;
    const places: OrderPlace[] = [];
    for (const group of waiting) {
      const [event, ticket] = [Number(group.event_id), Number(group.event_ticket_id)];
      const [quantity, count] = [Number(group.quantity), group.count];
      if (group.state === 'waiting') {
        const sold = limits.find(({ id }) => id === event);
        const kind = sold?.event_ticket_ids.find(({ id }) => id === ticket);
        // Seats are kept only for people who can be offered them.
        if (!sold || !kind || !isOnSale(this.ctx, sold, kind)) continue;
        countAt(counts, event, ticket).awaited += Math.min(quantity, kind.order_max || most) * count;
      } else if (group.order_id !== null) {
        const order = Number(group.order_id);
        places.push({ event, ticket, order, inCart: group.state === 'claimed', quantity: quantity * count });
      } else if (group.state === 'offered') countAt(counts, event, ticket).offered += quantity * count;
    }
    return { limits, counts, places };
  }

  /** Live holds on the tickets of events. */
  async #held({ limits, places }: Taken, own: Id | null): Promise<Held> {
    const tickets = limits.flatMap(({ event_ticket_ids }) => event_ticket_ids.map(({ id }) => id));
    const holds = this.#system.model(SaleHold);
    const live = [
      ['resource', '=', ticketResource],
      ['resource_id', 'in', tickets],
      ['until', '>', this.ctx.now()],
    ] as const;
    const groups = await holds.group([...live], { by: ['resource_id'], aggregates: ['quantity:sum'] });
    const orders = [...new Set([...(own === null ? [] : [own]), ...places.map(({ order }) => order)])];
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

  /** What stands for holds on cached pages: registrations that aren't confirmed. */
  async #unconfirmed({ counts, limits, places }: Taken): Promise<Held> {
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

/** What of the seats of events is taken, the same for every visitor. */
export const takenSeats = kept('website_event.taken_seats', (ctx, events: Ids) => ctx.get(Seats).taken(events));

function countAt(counts: Map<string, Count>, event: unknown, ticket: unknown): Count {
  const key = keyOf(Number(event), ticket === null ? null : Number(ticket));
  const known = counts.get(key) ?? none();
  counts.set(key, known);
  return known;
}

/**
 * Counts the seats of one event and its tickets.
 *
 * @param counts what is taken, by event and ticket
 * @param held live holds of carts
 */
export function countEvent(
  { id, seats_max, event_ticket_ids }: Taken['limits'][number],
  counts: ReadonlyMap<string, Count>,
  places: readonly OrderPlace[],
  held: Held,
  { order = null, counted = 'all' }: SeatsFor,
): EventSeats {
  const pools = event_ticket_ids.map(({ id: ticket, seats_max: max }): Pool => {
    const count = { ...(counts.get(keyOf(id, ticket)) ?? none()), held: held.all.get(ticket) ?? 0 };
    const orders = Map.groupBy(
      places.filter((place) => place.ticket === ticket),
      (place) => place.order,
    );
    const reservedFor = (owner: Id) =>
      outstanding(orders.get(owner) ?? [], held.byOrder.get(keyOf(owner, ticket)) ?? 0);
    for (const owner of orders.keys()) count.offered += reservedFor(owner);
    if (order === null) return { ticket, max: max || null, count, ownHeld: 0, ownOffered: 0 };
    const ownHeld = held.byOrder.get(keyOf(order, ticket)) ?? 0;
    return { ticket, max: max || null, count, ownHeld, ownOffered: reservedFor(order) };
  });
  const whole = sum([...pools.map(({ count }) => count), counts.get(keyOf(id, null)) ?? none()]);
  const all: Pool = {
    ticket: null,
    max: seats_max || null,
    count: whole,
    ownHeld: pools.reduce((seats, { ownHeld }) => seats + ownHeld, 0),
    ownOffered: pools.reduce((seats, { ownOffered }) => seats + ownOffered, 0),
  };
  const claims = pools.map((pool) => Math.min(pool.count.awaited, Math.max(0, leftOf(pool) ?? Infinity)));
  // The waiting list comes first for seats it can be offered: those its ticket and the event both have left. People waiting for a ticket that has none left
  // claim nothing of the others.
  const claimed = Math.min(
    claims.reduce((seats, claim) => seats + claim, 0),
    Math.max(0, leftOf(all) ?? Infinity),
  );
  const event = standing(all, claimed, counted);
  const tickets = pools.map((pool, index) => {
    const own = standing(pool, Math.min(claims[index] ?? 0, claimed), counted);
    const free = least(own.free, event.free);
    return [pool.ticket ?? 0, { ...own, free, available: least(own.available, event.available) }] as const;
  });
  return { ...event, tickets: new Map(tickets) };
}

/** Seats that share one limit. */
interface Pool {
  readonly ticket: Id | null;
  readonly max: number | null;
  readonly count: Count;
  /** Of the seats held and offered: those of the order that asks. */
  readonly ownHeld: number;
  readonly ownOffered: number;
}

/** Seats reserved for an order beyond those it holds. */
function outstanding(places: readonly OrderPlace[], held: number): number {
  const seats = (inCart: boolean) =>
    places.reduce((sum, place) => (place.inCart === inCart ? sum + place.quantity : sum), 0);
  return seats(false) + Math.max(0, seats(true) - held);
}

function leftOf({ max, count }: Pool): number | null {
  return max === null ? null : max - count.reserved - count.used - count.held - count.offered;
}

function standing(pool: Pool, claimed: number, counted: NonNullable<SeatsFor['counted']>): TakenSeats {
  const { max, count, ownHeld, ownOffered } = pool;
  const left = leftOf(pool);
  const own = ownHeld + ownOffered;
  const held = counted === 'sold' ? 0 : count.held - ownHeld;
  return {
    ...count,
    max,
    held,
    offered: count.offered - ownOffered,
    claimed,
    free: left === null ? null : left + own,
    available: left === null ? null : Math.max(0, left - claimed + own),
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
    none(),
  );
}

function none(): Count {
  return { reserved: 0, used: 0, unconfirmed: 0, held: 0, offered: 0, awaited: 0 };
}

function keyOf(first: Id, second: Id | null): string {
  return `${first}:${second ?? ''}`;
}
