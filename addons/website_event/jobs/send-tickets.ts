import { type Ctx, type Ids, job, z } from 'pergola';
import { TicketDeliveries, type TicketDelivery } from '../services/ticket-delivery.ts';
import { TicketDocument } from '../services/ticket-document.ts';
import { t } from '../texts.ts';

/** How often a delivery is rebuilt after tickets were cancelled in the meantime. */
const maxRounds = 3;

/** Sends tickets: all tickets of an order to the buyer, and each ticket to its attendee if that is someone else. */
export const sendTicketsJob = job('website_event.send_tickets', {
  mails: true,
  input: z.object({ registrations: z.array(z.number().int().positive()), again: z.number().optional() }),
  run: async ({ ctx, input, write, signal }) => {
    let pendingIds: Ids = input.registrations;
    for (let round = 0; pendingIds.length > 0 && round < maxRounds; round += 1) {
      const outdated: TicketDelivery[] = [];
      for (const delivery of await ctx.get(TicketDeliveries).of(pendingIds)) {
        signal.throwIfAborted();
        const file = await fileOf(ctx, delivery);
        const isSent = await write((writing) => writing.get(TicketDeliveries).sendTickets(delivery, file, input.again));
        if (!isSent) outdated.push(delivery);
      }
      pendingIds = outdated.flatMap(({ registrations }) => registrations);
    }
  },
});

/** Renders the tickets of a delivery as a document, in its language. */
async function fileOf(ctx: Ctx, { lang, registrations }: TicketDelivery) {
  const reader = ctx.as({ lang });
  return ctx.files.put(await reader.get(TicketDocument).pdf(registrations), {
    name: `${t(reader, 'tickets')}.pdf`,
    mimetype: 'application/pdf',
  });
}
