import { job, z } from '#core';
import { TicketDeliveries } from '../services/ticket-delivery.ts';
import { TicketDocument } from '../services/ticket-document.ts';

/** Sends tickets: all of an order to whoever ordered, and each one to whoever it is for where that is somebody else. */
export const sendTicketsJob = job('website_event.send_tickets', {
  input: z.object({ registrations: z.array(z.number().int().positive()), again: z.number().optional() }),
  run: async ({ ctx, input, write, signal }) => {
    for (const delivery of await ctx.get(TicketDeliveries).of(input.registrations)) {
      signal.throwIfAborted();
      const reader = ctx.as({ lang: delivery.lang });
      const file = await ctx.files.put(await reader.get(TicketDocument).pdf(delivery.registrations), {
        name: `${reader.t('tickets')}.pdf`,
        mimetype: 'application/pdf',
      });
      await write((writing) => writing.get(TicketDeliveries).sendTickets(delivery, file, input.again));
    }
  },
});
