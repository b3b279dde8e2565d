import { SaleOrder } from '@pergola/sale';
import { HOUR } from '@pergola/website';
import { ensureCart } from '@pergola/website_sale';
import { app, Conflict, emailKey, type Id, NotFound, service } from 'pergola';
import { offerHours } from '../settings.ts';
import { t } from '../texts.ts';
import { isOnSale, isPaused, saleState, ticketState } from './on-sale.ts';
import { Seats } from './seats.ts';
import { WaitingMails } from './waiting-mails.ts';
import { isLive, WaitingOffers } from './waiting-offers.ts';

/** Number of offers per transaction. */
const BATCH = 200;

/** A visitor's request for seats of a sold-out ticket. */
export interface WaitingRequest {
  readonly ticket: Id;
  readonly name: string;
  readonly email: string;
  readonly quantity: number;
}

/** Waiting lists of events whose tickets are sold out. */
export class WaitingList extends service('website_event.waiting_list', {
  ctx: app.ctx,
  seats: Seats,
  mails: WaitingMails,
}) {
  // Visitors have no access to the lists; only the owner has the link to a place.
  readonly #system = this.ctx.sudo();

  /** Path of a waiting list entry. Must only be sent to its owner. */
  path(id: Id): string {
    return this.mails.path(id);
  }

  /** @throws NotFound for an invalid link, as for a deleted entry */
  idIn(token: string): Id {
    const id = this.mails.idIn(token);
    if (id === null) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
    return id;
  }

  /**
   * Adds a visitor to the list for a ticket. A person has one place per ticket, however their address is spelled: joining again changes the
   * number of seats while the place is waiting, and sends its link again. The response is the same in both cases.
   *
   * @returns the event
   * @throws NotFound if the visitor can't see the ticket; Conflict if it isn't sold out; InvalidInput for more seats than an order allows
   */
  async join({ ticket: id, name, email, quantity }: WaitingRequest): Promise<Id> {
    const [ticket] = await this.ctx.model('event.event.ticket').read([id], {
      select: { sale_start: true, deadline: true, event_id: { state: true, date_end: true, website_published: true } },
    });
    const event = ticket?.event_id;
    if (!ticket || !event) throw new NotFound('We can’t find this ticket.', { code: 'website_event.no_ticket' });
    await this.ctx.lock('event.event', [event.id]);
    const seats = (await this.seats.of([event.id])).get(event.id)?.tickets.get(id);
    const state = saleState(event, [ticketState(this.ctx, event, ticket, seats)]);
    if (state === 'closed' || state === 'over' || !event.website_published)
      throw new Conflict('Tickets for this event are no longer on sale.', { code: 'website_event.no_longer' });
    const list = this.#system.model('event.waiting');
    const existing = await list.first(
      [
        ['event_ticket_id', '=', id],
        ['open_key', '=', emailKey(email)],
      ],
      { select: { state: true } },
    );
    if (existing && existing.state !== 'waiting') {
      await this.mails.send([existing.id], 'offer');
      return event.id;
    }
    if (state !== 'sold_out')
      throw new Conflict('Tickets are available, so you don’t need to wait.', { code: 'website_event.need_not_wait' });
    if (existing) await list.write(existing.id, { name, quantity });
    const values = { event_id: event.id, event_ticket_id: id, name, email, quantity, lang: this.ctx.lang };
    await this.mails.send([existing?.id ?? (await list.create(values))], 'joined');
    return event.id;
  }

  /**
   * Offers the free seats of an event to its waiting list in order, to each person as many as one order can have of a ticket on sale. First
   * expires old offers and closes places for tickets that are no longer sold.
   *
   * @returns whether there may be more to offer: call it again in another transaction
   */
  async offer(event: Id): Promise<boolean> {
    await this.ctx.lock('event.event', [event]);
    const offers = this.ctx.get(WaitingOffers);
    await offers.expire(event);
    await offers.closeEnded([event]);
    const sold = await this.#system.model('event.event').get(event, {
      select: {
        state: true,
        website_published: true,
        date_end: true,
        event_ticket_ids: { sale_start: true, deadline: true, order_max: true },
      },
    });
    const seats = (await this.seats.of([event])).get(event);
    const tickets = new Map(sold.event_ticket_ids.map((ticket) => [ticket.id, ticket]));
    const seatsLeft = new Map([...(seats?.tickets ?? [])].map(([id, { free }]) => [id, free ?? Infinity]));
    let eventLeft = seats?.free ?? Infinity;
    const served = [...tickets.values()].filter(
      (ticket) => isOnSale(this.#system, sold, ticket) && (seatsLeft.get(ticket.id) ?? 0) > 0,
    );
    const list = this.#system.model('event.waiting');
    const waiting = await list.find(
      [
        ['state', '=', 'waiting'],
        ['event_ticket_id', 'in', served.map(({ id }) => id)],
      ],
      { select: { event_ticket_id: true, quantity: true }, order: 'id' },
    );
    const latest = this.ctx.now().getTime() + (await this.ctx.settings.get(offerHours)) * HOUR;
    let offerCount = 0;
    for (const { id, event_ticket_id: kind, quantity } of waiting) {
      const ticket = tickets.get(kind);
      const maxPerOrder = await this.ctx.model('event.event.ticket').mostPerOrder(ticket?.order_max);
      const offeredSeats = Math.min(quantity, maxPerOrder, seatsLeft.get(kind) ?? 0, eventLeft);
      if (offeredSeats < 1) continue;
      if (offerCount === BATCH) return true;
      const until = Math.min(latest, sold.date_end.getTime(), ticket?.deadline?.getTime() ?? Infinity);
      await list.write(id, { state: 'offered', offered_until: new Date(until), quantity: offeredSeats });
      await this.mails.send([id], 'offer');
      seatsLeft.set(kind, (seatsLeft.get(kind) ?? 0) - offeredSeats);
      eventLeft -= offeredSeats;
      offerCount += 1;
    }
    return false;
  }

  /**
   * Adds the offered seats to the caller's cart, which holds them until the offer expires. Seats the order can't have go to the next in
   * line.
   *
   * @returns a warning if the cart got fewer
   * @throws Conflict if they are no longer offered, or the cart can't have any
   */
  async take(id: Id): Promise<string | null> {
    const list = this.#system.model('event.waiting');
    const { event_id } = await list.get(id, { select: { event_id: true } });
    // Checks before creating a cart that might stay empty.
    await this.#requireSale(event_id);
    const cart = await ensureCart(this.ctx);
    // Locks the order before the event, like all other code.
    await this.ctx.lock(SaleOrder, [cart]);
    await this.ctx.lock('event.event', [event_id]);
    const place = await list.get(id, {
      select: {
        state: true,
        offered_until: true,
        quantity: true,
        order_id: true,
        event_ticket_id: { product_id: true },
      },
    });
    if (place.state === 'claimed' && place.order_id === cart) return null;
    const ticket = place.event_ticket_id;
    const holds = place.state === 'offered' && isLive(this.ctx, place.offered_until);
    if (!holds || !ticket)
      throw new Conflict('These seats are no longer reserved for you.', { code: 'website_event.offer_over' });
    // Uses the model name: the ticket extension of lines imports this service.
    const [line] = await this.#system.modelNamed('sale.order.line').find(
      [
        ['order_id', '=', cart],
        ['event_ticket_id', '=', ticket.id],
      ],
      { select: { product_uom_qty: true } },
    );
    // Reserves the seats for this cart, ahead of the rest of the list.
    await list.write(id, { order_id: cart });
    const orders = this.#system.model(SaleOrder); // The cart comes from the caller's session.
    const answer = await orders.setLine(cart, {
      product: ticket.product_id,
      add: place.quantity,
      extra: { event_ticket_id: ticket.id },
    });
    const [problem] = (await orders.problems(cart)).filter((orderProblem) => orderProblem.line === answer.line);
    const added = answer.quantity - Number(line?.product_uom_qty ?? 0);
    if (problem || added <= 0) {
      const message = problem?.message ?? answer.warning ?? t(this.ctx, 'Your cart already has the maximum per order.');
      throw new Conflict(message, { code: 'website_event.offer_refused' });
    }
    if (added >= place.quantity) return null;
    await list.write(id, { quantity: added });
    await this.#system.model('event.event').seatsCameFree([event_id]);
    return answer.warning ?? null;
  }

  /** @throws Conflict while the event is unpublished or back in draft */
  async #requireSale(event: Id): Promise<void> {
    const eventRow = await this.#system
      .model('event.event')
      .get(event, { select: { state: true, website_published: true } });
    if (!isPaused(eventRow)) return;
    throw new Conflict('Tickets aren’t on sale at the moment. You keep your place on the waiting list.', {
      code: 'website_event.sale_paused',
    });
  }
}
