import { app, emailKey, type Id, type Ids, service, signText, TooMany, verifyText } from 'pergola';
import { waitingChanged, waitingClosed, waitingJoined, waitingOffer } from '../mails.ts';
import { whenOf } from './event-dates.ts';

const purpose = 'website_event.waiting';

/** What people on a waiting list are told: that they are on it, that there are seats for them, that the event takes place at another time or place, or that there won't be any seats. */
export type WaitingNews = 'joined' | 'offer' | 'changed' | 'closed';

/** Mails to people on waiting lists, and the links in them, which show whose place it is. */
export class WaitingMails extends service('website_event.waiting_mails', { ctx: app.ctx }) {
  // Visitors may neither read nor write the lists; the link of a place belongs to its owner.
  readonly #system = this.ctx.sudo();

  /** Path of the page of a place. Only its owner gets it. */
  path(id: Id): string {
    return `/event/waiting/${id}-${signText(this.ctx.config.sessionSecret, purpose, String(id))}`;
  }

  /** The place a link leads to; null if the link is wrong. */
  idIn(token: string): Id | null {
    const [, id = '', signature = ''] = /^(\d{1,15})-([\w-]{43})$/.exec(token) ?? [];
    return id !== '' && verifyText(this.ctx.config.sessionSecret, purpose, id, signature) ? Number(id) : null;
  }

  /**
   * Writes to the owners of places, in their languages.
   *
   * @param occasion what they are told of; each person hears of it once, even with several places. Left out: all are told
   */
  async send(ids: Ids, news: WaitingNews, occasion?: string): Promise<void> {
    const places = await this.#system.model('event.waiting').read(ids, {
      select: {
        name: true,
        email: true,
        lang: true,
        quantity: true,
        offered_until: true,
        event_id: { date_tz: true, state: true },
        event_ticket_id: true,
      },
    });
    for (const { id, name, email, quantity, offered_until: until, event_id: event, ...place } of places) {
      if (!event) continue;
      const reader = this.#system.as({ lang: place.lang ?? this.ctx.lang });
      const ticket = await reader.model('event.event.ticket').get(place.event_ticket_id, { select: { name: true } });
      const values = {
        ...(await reader.model('event.event').facts(event.id)),
        name,
        ticket: ticket.name,
        seats: quantity,
        own: this.path(id),
        until: until ? whenOf(reader, { date_begin: until, date_end: until, date_tz: event.date_tz }).zoned : '',
        isCancelled: event.state === 'cancel',
      };
      const mail = { joined: waitingJoined, offer: waitingOffer, changed: waitingChanged, closed: waitingClosed }[news];
      const key = occasion === undefined ? {} : { key: `${mail.name}:${occasion}:${emailKey(email)}` };
      try {
        await this.#system
          .model('event.waiting')
          .messageMail(id, mail, { to: { email, name, lang: reader.lang }, values, ...key });
      } catch (error) {
        // An address that gets too many mails can still open the page of its place.
        if (!(error instanceof TooMany)) throw error;
      }
    }
  }
}
