import { SaleHold } from '@pergola/sale';
import { app, type Ctx, type Decimal, emailKey, type Id, type Ids, service } from 'pergola';
import { hasEnded, isPaused } from './on-sale.ts';
import { WaitingMails } from './waiting-mails.ts';

/** Whether offered seats are still reserved. */
export function isLive(ctx: Ctx, offeredUntil: Date | null): boolean {
  return offeredUntil !== null && !ctx.isPast(offeredUntil);
}

/** State of an expired offer: waiting again if the event is paused, else expired. */
function expiredState(event: { readonly state: string; readonly website_published: boolean | null } | null) {
  const isKept = event !== null && isPaused({ ...event, website_published: event.website_published === true });
  return isKept ? ({ state: 'waiting', offered_until: null } as const) : ({ state: 'expired' } as const);
}

/** Offered seats that an order line uses. */
export interface LineSeats {
  readonly id: Id;
  readonly order_id: Id;
  readonly event_ticket_id: Id | null;
  readonly product_uom_qty: Decimal;
}

/**
 * Lifecycle of seats offered to the waiting list, from the offer to the payment:
 *
 * ```
 * waiting ─▶ offered ◀──▶ claimed (in a cart) ─▶ claimed (paid: no longer kept)
 *    │          │             │
 *    │◀── (paused event) ─────┤
 *    └──────────┴─────────────┴─▶ left, expired, closed, cancelled
 * ```
 *
 * An offer lasts until it expires, in the cart or not. If it expires while the event is unpublished or back in draft, the person keeps
 * their position in the list. Callers must hold the lock of the event, or of the cart.
 */
export class WaitingOffers extends service('website_event.waiting_offers', { ctx: app.ctx, mails: WaitingMails }) {
  // Visitors have no access to the lists; changes to carts and events update their places.
  readonly #system = this.ctx.sudo();

  /**
   * Aligns claimed places with the order lines: offered again if the seats were removed from the cart, claimed if they are in it. Holds
   * last as long as the offer.
   *
   * @param readLines reads the tickets of these orders; only called if one of them has claimed offered seats
   */
  async follow(orders: Ids, readLines: () => Promise<readonly LineSeats[]>): Promise<void> {
    const list = this.#system.model('event.waiting');
    const places = await list.find(
      [
        ['order_id', 'in', orders],
        ['state', 'in', ['offered', 'claimed']],
        ['offered_until', '!=', null],
      ],
      {
        select: {
          state: true,
          quantity: true,
          offered_until: true,
          event_ticket_id: true,
          order_id: { state: true },
          event_id: { state: true, website_published: true },
        },
      },
    );
    if (places.length === 0) return;
    const lines = await readLines();
    for (const { id, state, offered_until, event_ticket_id: ticket, order_id: order, event_id: event } of places) {
      const holds = isLive(this.ctx, offered_until);
      const isOpen = order?.state === 'draft' || order?.state === 'sent';
      const line = isOpen ? lines.find((row) => row.order_id === order?.id && row.event_ticket_id === ticket) : null;
      if (line) {
        if (state === 'offered' && holds) await list.write(id, { state: 'claimed' });
        continue;
      }
      const values = holds ? ({ state: 'offered' } as const) : expiredState(event);
      // An open cart can claim the same seats again; a cancelled order can't.
      if (state === 'claimed' || !isOpen) await list.write(id, isOpen ? values : { ...values, order_id: null });
    }
    for (const line of lines) {
      const claimedPlaces = places.filter(
        (place) => place.order_id?.id === line.order_id && place.event_ticket_id === line.event_ticket_id,
      );
      const until = claimedPlaces
        .flatMap(({ offered_until }) => offered_until ?? [])
        .sort((a, b) => a.getTime() - b.getTime());
      const seats = claimedPlaces.reduce((sum, { quantity }) => sum + quantity, 0);
      // Seats beyond the offer have a normal cart hold.
      if (until[0] && Number(line.product_uom_qty) <= seats) await this.#extend(line.id, until[0]);
    }
  }

  /** Ends the offers of paid seats. */
  async settle(orders: Ids): Promise<void> {
    const list = this.#system.model('event.waiting');
    const paid = await list.find(
      [
        ['order_id', 'in', orders],
        ['state', '=', 'claimed'],
        ['offered_until', '!=', null],
      ],
      { select: { event_id: true } },
    );
    if (paid.length === 0) return;
    await list.write(
      paid.map(({ id }) => id),
      { offered_until: null },
    );
    await this.#system.model('event.event').seatsCameFree(paid.map(({ event_id }) => event_id));
  }

  /** Hands offered seats over when carts are merged or deleted. */
  async handOver(from: Ids, into: Id | null): Promise<void> {
    const list = this.#system.model('event.waiting');
    const open = await list.find(
      [
        ['order_id', 'in', from],
        ['state', 'in', ['offered', 'claimed']],
        ['offered_until', '!=', null],
      ],
      { select: { offered_until: true, event_id: { state: true, website_published: true } } },
    );
    for (const { id, offered_until, event_id: event } of open) {
      const values = isLive(this.ctx, offered_until) ? ({ state: 'offered' } as const) : expiredState(event);
      await list.write(id, into === null ? { ...values, order_id: null } : { order_id: into });
    }
  }

  /** Ends expired offers whose seats aren't being paid. */
  async expire(event: Id): Promise<void> {
    const list = this.#system.model('event.waiting');
    const late = await list.search([
      ['event_id', '=', event],
      ['offered_until', '<=', this.ctx.now()],
      '|',
      ['state', '=', 'offered'],
      '&',
      ['state', '=', 'claimed'],
      '|',
      ['order_id', '=', null],
      ['order_id.state', 'in', ['draft', 'cancel']],
    ]);
    if (late.length === 0) return;
    const [eventRow] = await this.#system
      .model('event.event')
      .read([event], { select: { state: true, website_published: true } });
    await list.write(late, { ...expiredState(eventRow ?? null), order_id: null });
  }

  /**
   * Closes places for tickets that won't be sold again, and notifies their owners. Seats in an order that is being paid stay with it.
   * Places of an event that is unpublished or back in draft stay open.
   */
  async closeEnded(events: Ids): Promise<void> {
    const list = this.#system.model('event.waiting');
    const open = await this.#open([['event_id', 'in', events]]);
    const rows = await list.read(open, {
      select: {
        event_id: { state: true, date_end: true },
        event_ticket_id: { sale_start: true, deadline: true },
      },
    });
    const ended = rows.filter(
      ({ event_id: event, event_ticket_id: ticket }) => event && ticket && hasEnded(this.#system, event, ticket),
    );
    if (ended.length === 0) return;
    for (const [isCancelled, places] of Map.groupBy(ended, ({ event_id }) => event_id?.state === 'cancel')) {
      const ids = places.map(({ id }) => id);
      await this.mails.send(ids, 'closed');
      await list.write(ids, { state: isCancelled ? 'cancelled' : 'closed', order_id: null });
    }
  }

  /** Notifies the owners of places whose ticket or event is deleted. */
  async tellDeleted(domain: readonly (readonly ['event_id' | 'event_ticket_id', 'in', Ids])[]): Promise<void> {
    await this.mails.send(await this.#open(domain), 'closed');
  }

  /**
   * Notifies owners of open places that the time or place of the event has changed.
   *
   * @param change key of the new values; each person is notified once
   * @param notifiedKeys address keys of ticket holders, who are notified separately
   */
  async tellOfChange(event: Id, change: string, notifiedKeys: ReadonlySet<string>): Promise<void> {
    const places = await this.#system
      .model('event.waiting')
      .read(await this.#open([['event_id', 'in', [event]]]), { select: { email: true } });
    const ids = places.filter(({ email }) => !notifiedKeys.has(emailKey(email))).map(({ id }) => id);
    await this.mails.send(ids, 'changed', change);
  }

  #open(domain: readonly (readonly ['event_id' | 'event_ticket_id', 'in', Ids])[]): Promise<Ids> {
    return this.#system
      .model('event.waiting')
      .search([
        ...domain,
        '|',
        ['state', 'in', ['waiting', 'offered']],
        '&',
        '&',
        ['state', '=', 'claimed'],
        ['offered_until', '!=', null],
        ['order_id.state', '=', 'draft'],
      ]);
  }

  async #extend(line: Id, until: Date): Promise<void> {
    const holds = this.#system.model(SaleHold);
    const short = await holds.search([
      ['line_id', '=', line],
      ['until', '>', this.ctx.now()],
      ['until', '<', until],
    ]);
    if (short.length > 0) await holds.write(short, { until });
  }
}
