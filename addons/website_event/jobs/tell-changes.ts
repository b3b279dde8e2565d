import { emailKey, job, z } from 'pergola';
import { addressKey, placesOf } from '../services/places.ts';
import { TicketDeliveries } from '../services/ticket-delivery.ts';
import { WaitingOffers } from '../services/waiting-offers.ts';

/** Notifies ticket holders and people on the waiting list that the time or place of an event has changed, once per change. */
export const tellChangesJob = job('website_event.tell_changes', {
  mails: true,
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
    const deliveries = await ctx.get(TicketDeliveries).of(open);
    for (const delivery of deliveries) {
      signal.throwIfAborted();
      await write((writing) => writing.get(TicketDeliveries).tellOfChange(delivery, change));
    }
    const notifiedKeys = new Set(deliveries.map(({ email }) => emailKey(email)));
    await write((writing) => writing.get(WaitingOffers).tellOfChange(event.id, change, notifiedKeys));
  },
});
