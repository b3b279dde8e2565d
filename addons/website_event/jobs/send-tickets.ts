import { createHash } from 'node:crypto';
import { job, z } from '#core';
import { ticketsMail } from '../mails.ts';
import { parcelsOf, ticketValues } from '../services/ticket-delivery.ts';
import { ticketPdf } from '../services/ticket-document.ts';

/** Sends tickets: all of an order to whoever ordered, and each one to whoever it is for where that is somebody else. */
export const sendTicketsJob = job('website_event.send_tickets', {
  input: z.object({ registrations: z.array(z.number().int().positive()), again: z.number().optional() }),
  run: async ({ ctx, input, write, signal }) => {
    for (const parcel of await parcelsOf(ctx, input.registrations)) {
      signal.throwIfAborted();
      const file = await ctx.files.put(await ticketPdf(ctx, parcel.registrations, parcel.lang), {
        name: `${ctx.as({ lang: parcel.lang }).t('tickets')}.pdf`,
        mimetype: 'application/pdf',
      });
      await write(async (writing) => {
        await writing.mail.send(ticketsMail, {
          to: { email: parcel.email, name: parcel.name, lang: parcel.lang },
          ...(parcel.replyTo ? { replyTo: { email: parcel.replyTo } } : {}),
          values: await ticketValues(writing, parcel),
          attachments: [file],
          // A job that is run again sends nothing twice.
          key: `website_event.tickets:${hash([parcel.email, parcel.registrations, input.again])}`,
        });
      });
    }
  },
});

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
