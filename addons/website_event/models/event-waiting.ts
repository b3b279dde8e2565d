import { Followers, type MessageRecipient } from '@pergola/mail';
import { beside } from '@pergola/website';
import {
  emailKey,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  model,
  type Values,
} from 'pergola';
import { plural } from '../texts.ts';
import { EventEvent } from './event-event.ts';
import { EventTicket } from './event-event-ticket.ts';

/** A person's place on the waiting list for a sold-out ticket. */
export class EventWaiting extends model(
  'event.waiting',
  {
    event_id: f.many2one('event.event', { required: true, ondelete: 'cascade', index: true }),
    event_ticket_id: f.many2one('event.event.ticket', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Ticket',
    }),
    name: f.char({ required: true, size: 120 }),
    email: f.char({ required: true, size: 254, normalize: (text) => text.trim(), index: true, label: 'Email' }),
    lang: f.char({ size: 10, label: 'Language' }),
    quantity: f.integer({ required: true, default: 1, min: 1, label: 'Seats' }),
    state: f.selection(
      {
        waiting: 'Waiting',
        offered: 'Offered',
        claimed: 'Accepted',
        expired: 'Expired',
        left: 'Left the list',
        closed: 'Sales ended',
        cancelled: 'Event cancelled',
      },
      {
        default: 'waiting',
        readonly: true,
        copy: false,
        index: true,
        label: 'Status',
        colors: { offered: 'info', claimed: 'success', expired: 'warning', cancelled: 'danger' },
      },
    ),
    /** When the reservation of the offered seats expires; empty once they are paid for. */
    event_tz: f.char({ related: 'event_id.date_tz', label: 'Time zone' }),
    offered_until: f.datetime({ timezone: 'event_tz', readonly: true, copy: false, label: 'Offered until' }),
    /** The cart or order the offered seats were added to. */
    order_id: f.many2one('sale.order', {
      empty: 'none',
      readonly: true,
      copy: false,
      index: true,
      label: 'Order',
    }),
    /** Normalised address while the place is open; see `emailKey`. */
    open_key: f.char({
      compute: 'computeOpenKey',
      store: true,
      depends: ['email', 'state', 'offered_until'],
      size: 254,
      label: 'Email of an open entry',
    }),
  },
  {
    order: 'id',
    label: 'Waiting list entry',
    nameField: 'name',
    search: ['name', 'email'],
    mixins: [Followers],
    unique: [
      {
        fields: ['event_ticket_id', 'open_key'],
        where: 'open_key',
        message: 'This person is already on the waiting list for this ticket.',
      },
    ],
  },
) {
  override async afterWrite(ids: Ids, values: Values<FieldsOf<EventWaiting>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.state !== 'left' && values.state !== 'expired') return;
    await this.#seatsCameFree(ids);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await this.#seatsCameFree(ids);
    await super.beforeUnlink(ids);
  }

  /** Ensures one open place per person and ticket: waiting, offered, or in a cart that isn't paid yet. */
  async computeOpenKey(ids: Ids): Promise<Map<Id, string | null>> {
    const rows = await this.read(ids, { select: { email: true, state: true, offered_until: true } });
    return new Map(
      rows.map(({ id, email, state, offered_until }) => {
        const isOpen = state === 'waiting' || ((state === 'offered' || state === 'claimed') && offered_until !== null);
        return [id, isOpen ? emailKey(email) : null];
      }),
    );
  }

  /** Sends messages about a place to its owner, who may not have an account. */
  override async messageRecipients(id: Id): Promise<readonly MessageRecipient[]> {
    const { name, email, lang } = await this.ctx
      .sudo() // The discussion has already checked that the caller may read the place.
      .model(EventWaiting)
      .get(id, { select: { name: true, email: true, lang: true } });
    return [{ email, name, lang, partnerId: null, ticked: true }];
  }

  /** Gives up places that are waiting or offered. */
  async leave(ids: Ids): Promise<void> {
    const events = await this.read(ids, { select: { event_id: true } });
    await this.ctx.lock(
      EventEvent,
      events.map(({ event_id }) => event_id),
    );
    const open = await this.search([
      ['id', 'in', ids],
      ['state', 'in', ['waiting', 'offered']],
    ]);
    await this.write(open, { state: 'left' });
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, {
      select: {
        event_id: true,
        email: true,
        quantity: true,
        event_ticket_id: { event_id: true, order_max: true },
      },
    });
    const tickets = this.ctx.model(EventTicket);
    for (const { event_id, email, quantity, event_ticket_id: ticket } of rows) {
      if (!isEmailAddress(email)) {
        const refusal = new InvalidInput('Enter a valid email address.', { code: 'website_event.bad_email' });
        throw beside('email', refusal);
      }
      if (ticket && ticket.event_id !== event_id) {
        const refusal = new InvalidInput('This ticket is for another event.', { code: 'website_event.other_event' });
        throw beside('event_ticket_id', refusal);
      }
      if (!changed.has('quantity')) continue;
      const max = await tickets.mostWaited(ticket?.order_max);
      if (quantity <= max) continue;
      const message = plural(
        this.ctx,
        'You can join the list for {n} seat.',
        'You can join the list for up to {n} seats.',
        max,
      );
      throw new InvalidInput(message, { code: 'website_event.too_many', fields: { quantity: message } });
    }
    // Seats are counted when an offer is made; staff can increase its quantity later.
    if (changed.has('quantity') && !this.ctx.su) {
      await this.ctx.model(EventEvent).requireSeats([...new Set(rows.map(({ event_id }) => event_id))]);
    }
  }

  async #seatsCameFree(ids: Ids): Promise<void> {
    const rows = await this.read(ids, { select: { event_id: true } });
    await this.ctx.model(EventEvent).seatsCameFree(rows.map(({ event_id }) => event_id));
  }
}

declare module 'pergola' {
  interface Models {
    'event.waiting': EventWaiting;
  }
}
