import { SaleHold } from '#addons/sale';
import { app, type Ctx, type Id, type Ids, kept, service } from '#core';

/** The names under which seats are held. */
export const ticketResource = 'event.event.ticket';
export const eventResource = 'event.event';

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

/** What is taken of events' seats, by event and ticket; without what is only held. */
interface Taken {
  readonly limits: readonly {
    readonly id: Id;
    readonly seats_max: number | null;
    readonly event_ticket_ids: readonly { readonly id: Id; readonly seats_max: number | null }[];
  }[];
  readonly counts: ReadonlyMap<string, Count>;
}

/** The seats of events: counted from registrations, what carts hold and the waiting list. */
export class Seats extends service('website_event.seats', { ctx: app.ctx }) {
  // How many come is public; who they are is read by nobody here.
  readonly #system = this.ctx.sudo();

  /** How the seats of events stand, with those of each of their tickets. Whoever decides on it has locked the events before. */
  async of(events: Ids, own: SeatsFor = {}): Promise<Map<Id, EventSeats>> {
    return this.#standing(await this.taken(events, own.waiting), own);
  }

  /** The same for pages, on which nobody decides: only what carts hold is counted each time. `order` as in `SeatsFor`. */
  async shown(events: Ids, order: Id | null): Promise<Map<Id, EventSeats>> {
    return this.#standing(await takenSeats.get(this.#system, events), { order });
  }

  async #standing({ limits, counts: taken }: Taken, own: SeatsFor): Promise<Map<Id, EventSeats>> {
    const counts = new Map([...taken].map(([key, count]) => [key, { ...count }]));
    if (own.counted === 'kept') {
      for (const count of counts.values()) count.held = count.unconfirmed;
    } else if (own.counted !== 'sold') {
      const eventOf = new Map(
        limits.flatMap(({ id, event_ticket_ids }) => event_ticket_ids.map((ticket) => [ticket.id, id])),
      );
      for (const { ticket, quantity } of await this.#held([...eventOf.keys()], own.order ?? null)) {
        countAt(counts, eventOf.get(ticket) ?? 0, ticket).held += quantity;
      }
    }
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

  /** The limits of events, and what is taken for good or by the waiting list. */
  async taken(events: Ids, except: Id | null = null): Promise<Taken> {
    const limits = await this.#system
      .model('event.event')
      .read(events, { select: { seats_max: true, event_ticket_ids: { seats_max: true } } });
    const counts = new Map<string, Count>();
    const registered = await this.#system
      .model('event.registration')
      .group([['event_id', 'in', events]], { by: ['event_id', 'event_ticket_id', 'state'] });
    for (const { event_id, event_ticket_id, state, count } of registered) {
      const found = countAt(counts, event_id, event_ticket_id);
      if (state === 'open') found.reserved += count;
      else if (state === 'done') found.used += count;
      else if (state === 'draft') found.unconfirmed += count;
    }
    const waiting = await this.#system
      .model('event.waiting')
      .find(
        [
          ['event_id', 'in', events],
          ['id', '!=', except ?? 0],
          '|',
          ['state', '=', 'waiting'],
          '&',
          ['state', '=', 'offered'],
          ['offered_until', '>', this.ctx.now()],
        ],
        { select: { event_id: true, event_ticket_id: true, state: true, quantity: true } },
      );
    for (const { event_id, event_ticket_id, state, quantity } of waiting) {
      const found = countAt(counts, event_id, event_ticket_id);
      if (state === 'offered') found.offered += quantity;
      else found.awaited += quantity;
    }
    return { limits, counts };
  }

  /** Seats in carts, and in orders that wait for their payment; not those of one order. */
  async #held(tickets: Ids, except: Id | null): Promise<{ ticket: Id; quantity: number }[]> {
    const groups = await this.#system
      .model(SaleHold)
      .group(
        [
          ['resource', '=', ticketResource],
          ['resource_id', 'in', tickets],
          ['until', '>', this.ctx.now()],
          ...(except === null ? [] : [['order_id', '!=', except] as const]),
        ],
        { by: ['resource_id'], aggregates: ['quantity:sum'] },
      );
    return groups.map((group) => ({ ticket: Number(group.resource_id), quantity: Number(group['quantity:sum']) }));
  }
}

/** What of the seats of events is taken, as it stands for everybody who decides nothing. */
export const takenSeats = kept('website_event.taken_seats', (ctx, events: Ids) => ctx.get(Seats).taken(events));

function countAt(counts: Map<string, Count>, event: unknown, ticket: unknown): Count {
  const key = keyOf(Number(event), ticket === null ? null : Number(ticket));
  const known = counts.get(key) ?? none();
  counts.set(key, known);
  return known;
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
