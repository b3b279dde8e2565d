import { job, z } from '#core';
import { addressKey, placesOf } from '../services/places.ts';
import { TicketDeliveries } from '../services/ticket-delivery.ts';

/** Tells everybody who has a ticket that time or place of an event have changed; once for each change, whoever makes several at once. */
export const tellChangesJob = job('website_event.tell_changes', {
  input: z.object({ event: z.number().int().positive() }),
  run: async ({ ctx, input, write, signal }) => {
    const [event] = await ctx.model('event.event').read([input.event], {
      select: { state: true, date_begin: true, date_end: true, date_tz: true, address_id: true },
    });
    if (event?.state !== 'confirm' || event.date_end <= ctx.now()) return;
    const open = await ctx.model('event.registration').search([
      ['event_id', '=', event.id],
      ['state', '=', 'open'],
    ]);
    const venue =
      event.address_id === null ? undefined : (await placesOf(ctx, [event.address_id])).get(event.address_id);
    const place = [event.address_id, venue && addressKey(venue)];
    const change = [event.id, event.date_begin.getTime(), event.date_end.getTime(), event.date_tz, ...place].join(':');
    for (const delivery of await ctx.get(TicketDeliveries).of(open)) {
      signal.throwIfAborted();
      await write((writing) => writing.get(TicketDeliveries).tellOfChange(delivery, change));
    }
  },
});
