import { Partner } from '@pergola/base';
import { extend, type FieldsOf, type Ids, type Values } from 'pergola';
import { EventEvent } from './event-event.ts';

/** Fields of a venue's contact that events show. */
const addressFields = ['name', 'street', 'street2', 'zip', 'city', 'state_id', 'country_id'] as const;

/** Updates events when the address of their venue changes. */
export const VenuePartner = extend(
  Partner,
  {},
  (Base) =>
    class extends Base {
      override async afterWrite(ids: Ids, values: Values<FieldsOf<Partner>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (!addressFields.some((name) => name in values)) return;
        const events = this.ctx
          .sudo() // Ticket holders are notified of a new address, whatever the permissions of the user who changes it.
          .model(EventEvent);
        await events.moved(
          await events.search([
            ['address_id', 'in', ids],
            ['state', 'in', ['draft', 'confirm']],
            ['date_end', '>', this.ctx.now()],
          ]),
        );
      }
    },
);
