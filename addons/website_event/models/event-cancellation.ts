import { type FieldsOf, f, type Ids, InvalidInput, model, NotFound, type Values } from 'pergola';
import { EventCancellations, paidText } from '../services/event-cancellations.ts';
import { t } from '../texts.ts';
import { EventEvent } from './event-event.ts';

type CancellationValues = Values<FieldsOf<EventCancellation>>;

/** Cancels an event: shows the consequences first, and is kept as a record afterwards. */
export class EventCancellation extends model(
  'event.cancellation',
  {
    event_id: f.many2one('event.event', { required: true, ondelete: 'cascade', index: true, label: 'Event' }),
    registrations: f.integer({ readonly: true, label: 'Registrations cancelled' }),
    orders_confirmed: f.integer({ readonly: true, label: 'Confirmed orders' }),
    orders_awaited: f.integer({ readonly: true, label: 'Orders awaiting payment' }),
    money: f.char({ readonly: true, label: 'Paid' }),
  },
  { order: 'id desc', nameField: 'event_id', label: 'Cancelled event' },
) {
  override async beforeCreate(values: readonly CancellationValues[]): Promise<readonly CancellationValues[]> {
    const complete: CancellationValues[] = [];
    for (const value of values) complete.push({ ...value, ...(await this.#figures(value)) });
    return super.beforeCreate(complete);
  }

  override async afterCreate(ids: Ids, values: readonly CancellationValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    for (const { event_id } of values)
      if (typeof event_id === 'number') await this.ctx.model(EventEvent).button_cancel([event_id]);
  }

  /**
   * Counts what would be cancelled.
   *
   * @throws NotFound if the caller may not edit the event
   */
  async #figures({ event_id: event }: CancellationValues): Promise<CancellationValues> {
    if (typeof event !== 'number') {
      const message = t(this.ctx, 'Choose the event.');
      throw new InvalidInput(message, { code: 'website_event.no_event', fields: { event_id: message } });
    }
    if ((await this.ctx.model(EventEvent).allowed([event], 'write')).length === 0)
      throw new NotFound('We can’t find this event.', { code: 'website_event.no_event' });
    const { registrations, confirmed, awaited, paid } = await this.ctx.get(EventCancellations).figures([event]);
    return {
      registrations,
      orders_confirmed: confirmed,
      orders_awaited: awaited,
      money: paid.size === 0 ? t(this.ctx, 'Nothing') : await paidText(this.ctx, paid),
    };
  }
}

declare module 'pergola' {
  interface Models {
    'event.cancellation': EventCancellation;
  }
}
