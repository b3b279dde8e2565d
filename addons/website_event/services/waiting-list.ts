import { SaleOrder } from '#addons/sale';
import { HOUR } from '#addons/website';
import { ensureCart } from '#addons/website_sale';
import { app, Conflict, type Id, NotFound, service, signText, TooMany, verifyText } from '#core';
import { waitingJoined, waitingOffer } from '../mails.ts';
import { offerHours } from '../settings.ts';
import { whenOf } from './event-dates.ts';
import { Seats } from './seats.ts';

const purpose = 'website_event.waiting';

/** Who wants how many seats of a ticket. */
export interface WaitingRequest {
  readonly ticket: Id;
  readonly name: string;
  readonly email: string;
  readonly quantity: number;
}

/** The waiting lists of events whose tickets are sold out. */
export class WaitingList extends service('website_event.waiting_list', { ctx: app.ctx, seats: Seats }) {
  // Visitors may neither read nor write the lists; whoever has the address of a place owns it.
  readonly #system = this.ctx.sudo();

  /** The address of somebody's own place on a list; whoever has it owns the place. */
  path(id: Id): string {
    return `/event/waiting/${id}-${signText(this.ctx.config.sessionSecret, purpose, String(id))}`;
  }

  /** The place behind such an address; the same answer for a wrong one and for none. */
  idIn(token: string): Id {
    const [, id = '', signature = ''] = /^(\d{1,15})-([\w-]{43})$/.exec(token) ?? [];
    if (id === '' || !verifyText(this.ctx.config.sessionSecret, purpose, id, signature)) {
      throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
    }
    return Number(id);
  }

  /**
   * Puts somebody on the list for a ticket, at its end; who is on it already keeps the place, with the new number of seats. The answer does not tell
   * which.
   */
  async join({ ticket, name, email, quantity }: WaitingRequest): Promise<void> {
    const { event_id } = await this.ctx.model('event.event.ticket').get(ticket, { select: { event_id: true } });
    await this.ctx.lock('event.event', [event_id]);
    const list = this.#system.model('event.waiting');
    const [known] = await list.search(
      [
        ['event_ticket_id', '=', ticket],
        ['email', '=', email],
        ['state', 'in', ['waiting', 'offered']],
      ],
      { limit: 1 },
    );
    if (known === undefined) {
      const id = await list.create({ event_id, event_ticket_id: ticket, name, email, quantity, lang: this.ctx.lang });
      await this.#notify(id, 'joined');
    } else {
      const [{ state } = { state: 'offered' }] = await list.read([known], { select: { state: true } });
      if (state === 'waiting') await list.write(known, { quantity });
    }
  }

  /** Offers the free seats of an event to those who wait, the first first; offers that nobody took are over. Answers how many were made. */
  async offer(event: Id): Promise<number> {
    await this.ctx.lock('event.event', [event]);
    const list = this.#system.model('event.waiting');
    const late = await list.search([
      ['event_id', '=', event],
      ['state', '=', 'offered'],
      ['offered_until', '<=', this.ctx.now()],
    ]);
    if (late.length > 0) await list.write(late, { state: 'expired' });
    const { state, date_end } = await this.#system
      .model('event.event')
      .get(event, { select: { state: true, date_end: true } });
    if (state !== 'confirm' || date_end <= this.ctx.now()) return 0;
    const until = new Date(
      Math.min(this.ctx.now().getTime() + (await this.ctx.settings.get(offerHours)) * HOUR, date_end.getTime()),
    );
    const waiting = await list.find(
      [
        ['event_id', '=', event],
        ['state', '=', 'waiting'],
      ],
      { select: { event_ticket_id: true, quantity: true }, order: 'id', limit: 500 },
    );
    let made = 0;
    for (const { id, event_ticket_id, quantity } of waiting) {
      // Worked out anew for each: an offer takes from every ticket of the event.
      const free = (await this.seats.of([event])).get(event)?.tickets.get(event_ticket_id)?.free ?? quantity;
      const seats = Math.min(free, quantity);
      if (seats < 1) continue;
      await list.write(id, { state: 'offered', offered_until: until, quantity: seats });
      await this.#notify(id, 'offer');
      made += 1;
    }
    return made;
  }

  /**
   * Puts the seats that are offered into the cart of whoever takes them.
   *
   * @throws Conflict when they are no longer offered
   */
  async take(id: Id): Promise<void> {
    const list = this.#system.model('event.waiting');
    const { event_id } = await list.get(id, { select: { event_id: true } });
    const cart = await ensureCart(this.ctx);
    // The order first, then the event, as everybody locks them.
    await this.ctx.lock(SaleOrder, [cart]);
    await this.ctx.lock('event.event', [event_id]);
    const place = await list.get(id, {
      select: { state: true, offered_until: true, quantity: true, event_ticket_id: { product_id: true } },
    });
    const ticket = place.event_ticket_id;
    const holds = place.state === 'offered' && place.offered_until !== null && place.offered_until > this.ctx.now();
    if (!holds || !ticket) {
      throw new Conflict('These seats are no longer kept for you.', { code: 'website_event.offer_over' });
    }
    // First the offer ends, then the cart holds the seats: both or neither.
    await list.write(id, { state: 'claimed' });
    // The cart is the caller's: the session says so.
    await this.#system.model(SaleOrder).setLine(cart, {
      product: ticket.product_id,
      add: place.quantity,
      extra: { event_ticket_id: ticket.id },
    });
  }

  async #notify(id: Id, what: 'joined' | 'offer'): Promise<void> {
    const place = await this.#system.model('event.waiting').get(id, {
      select: {
        name: true,
        email: true,
        lang: true,
        quantity: true,
        offered_until: true,
        event_id: true,
        event_ticket_id: true,
      },
    });
    const { name, email, offered_until: until } = place;
    const reader = this.#system.as({ lang: place.lang ?? this.ctx.lang });
    const ticket = await reader.model('event.event.ticket').get(place.event_ticket_id, { select: { name: true } });
    const events = reader.model('event.event');
    const { date_tz } = await events.get(place.event_id, { select: { date_tz: true } });
    try {
      await this.ctx.mail.send(what === 'joined' ? waitingJoined : waitingOffer, {
        to: { email, name, lang: reader.lang },
        values: {
          ...(await events.facts(place.event_id)),
          name,
          ticket: ticket.name,
          seats: place.quantity,
          own: this.path(id),
          until: until ? whenOf(reader, { date_begin: until, date_end: until, date_tz }).zoned : '',
        },
      });
    } catch (error) {
      // An address that gets too many mails is told by its page.
      if (!(error instanceof TooMany)) throw error;
    }
  }
}
