import { beside } from '#addons/website';
import { type FieldsOf, f, type Ids, InvalidInput, isEmailAddress, model, type Values } from '#core';
import { EventEvent } from './event-event.ts';

/** A place on the waiting list for a ticket that is sold out. */
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
    email: f.char({ required: true, size: 254, index: true, label: 'Email' }),
    lang: f.char({ size: 10, label: 'Language' }),
    quantity: f.integer({ required: true, default: 1, min: 1, max: 9, label: 'Seats' }),
    state: f.selection(
      { waiting: 'Waiting', offered: 'Offered', claimed: 'Taken', expired: 'Not taken in time', left: 'Gone' },
      {
        default: 'waiting',
        readonly: true,
        copy: false,
        index: true,
        label: 'Status',
        colors: { offered: 'info', claimed: 'success', expired: 'warning' },
      },
    ),
    offered_until: f.datetime({ readonly: true, copy: false, label: 'Offered until' }),
  },
  { order: 'id', label: 'Place on a waiting list', nameField: 'name', search: ['name', 'email'] },
) {
  override async afterWrite(ids: Ids, values: Values<FieldsOf<EventWaiting>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.state !== 'left' && values.state !== 'expired') return;
    const rows = await this.read(ids, { select: { event_id: true } });
    await this.ctx.model(EventEvent).seatsCameFree(rows.map(({ event_id }) => event_id));
  }

  /** Gives places up that are still held. */
  async leave(ids: Ids): Promise<void> {
    const open = await this.search([
      ['id', 'in', ids],
      ['state', 'in', ['waiting', 'offered']],
    ]);
    await this.write(open, { state: 'left' });
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, { select: { event_id: true, email: true, event_ticket_id: { event_id: true } } });
    for (const { event_id, email, event_ticket_id } of rows) {
      if (!isEmailAddress(email)) {
        const refusal = new InvalidInput('This is not a valid e-mail address.', { code: 'website_event.bad_email' });
        throw beside('email', refusal);
      }
      if (event_ticket_id && event_ticket_id.event_id !== event_id) {
        const refusal = new InvalidInput('This ticket is for another event.', { code: 'website_event.other_event' });
        throw beside('event_ticket_id', refusal);
      }
    }
  }
}

declare module '#core' {
  interface Models {
    'event.waiting': EventWaiting;
  }
}
