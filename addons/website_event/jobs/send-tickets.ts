import { type Ctx, type Ids, job, z } from 'pergola';
import { TicketDeliveries, type TicketDelivery } from '../services/ticket-delivery.ts';
import { TicketDocument } from '../services/ticket-document.ts';
import { t } from '../texts.ts';

/** How often deliveries are put together again because tickets were cancelled meanwhile. */
const maxRounds = 3;

/** Sends tickets: all of an order to whoever ordered, and each one to whoever it is for where that is somebody else. */
export const sendTicketsJob = job('website_event.send_tickets', {
  mails: true,
  input: z.object({ registrations: z.array(z.number().int().positive()), again: z.number().optional() }),
  run: async ({ ctx, input, write, signal }) => {
    let left: Ids = input.registrations;
    for (let round = 0; left.length > 0 && round < maxRounds; round += 1) {
      const outdated: TicketDelivery[] = [];
      for (const delivery of await ctx.get(TicketDeliveries).of(left)) {
        signal.throwIfAborted();
        const file = await fileOf(ctx, delivery);
        const isSent = await write((writing) => writing.get(TicketDeliveries).sendTickets(delivery, file, input.again));
        if (!isSent) outdated.push(delivery);
      }
      left = outdated.flatMap(({ registrations }) => registrations);
    }
  },
});

/** The document with the tickets of a delivery, in its language. */
async function fileOf(ctx: Ctx, { lang, registrations }: TicketDelivery) {
  const reader = ctx.as({ lang });
  return ctx.files.put(await reader.get(TicketDocument).pdf(registrations), {
    name: `${t(reader, 'tickets')}.pdf`,
    mimetype: 'application/pdf',
  });
}
