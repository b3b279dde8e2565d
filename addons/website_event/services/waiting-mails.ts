import { app, emailKey, type Id, type Ids, service, signText, TooMany, verifyText } from 'pergola';
import { waitingChanged, waitingClosed, waitingJoined, waitingOffer } from '../mails.ts';
import { whenOf } from './event-dates.ts';

const purpose = 'website_event.waiting';

/** Notifications to people on a waiting list: confirmation, seat offer, changed time or place, and closed list. */
export type WaitingNews = 'joined' | 'offer' | 'changed' | 'closed';

/** Emails to people on waiting lists, with signed links that identify their place. */
export class WaitingMails extends service('website_event.waiting_mails', { ctx: app.ctx }) {
  // Visitors have no access to the lists; only the owner has the link to a place.
  readonly #system = this.ctx.sudo();

  /** Path of a waiting list entry. Must only be sent to its owner. */
  path(id: Id): string {
    return `/event/waiting/${id}-${signText(this.ctx.config.sessionSecret, purpose, String(id))}`;
  }

  /** Returns the place for a link token; null if the signature is invalid. */
  idIn(token: string): Id | null {
    const [, id = '', signature = ''] = /^(\d{1,15})-([\w-]{43})$/.exec(token) ?? [];
    return id !== '' && verifyText(this.ctx.config.sessionSecret, purpose, id, signature) ? Number(id) : null;
  }

  /**
   * Writes to the owners of places, in their languages.
   *
   * @param occasion key of the notification, so each person gets it once even with several places; if omitted, every place gets an email
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
        // Even if an address has too many emails, the page of its place still works.
        if (!(error instanceof TooMany)) throw error;
      }
    }
  }
}
