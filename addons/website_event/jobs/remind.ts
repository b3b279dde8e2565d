import { job, z } from '#core';
import { reminderMail } from '../mails.ts';
import { EventEvent } from '../models/event-event.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { parcelsOf, ticketValues } from '../services/ticket-delivery.ts';
import { reminderHours } from '../settings.ts';

const hour = 3600_000;

/** Reminds people of events they have tickets for, once each, so many hours before they begin. */
export const remindJob = job('website_event.remind', {
  input: z.object({}),
  cron: '10 * * * *',
  run: async ({ ctx, write, signal }) => {
    const hours = await ctx.settings.get(reminderHours);
    if (hours === 0) return;
    const events = await ctx.model(EventEvent).search([
      ['state', '=', 'confirm'],
      ['date_begin', '>', ctx.now()],
      ['date_begin', '<=', ctx.now().plus(hours * hour)],
    ]);
    const open = await ctx.model(EventRegistration).search([
      ['event_id', 'in', events],
      ['state', '=', 'open'],
      // Whoever has only just got the ticket needs no reminder.
      ['date_open', '<', ctx.now().plus(-6 * hour)],
    ]);
    for (const parcel of await parcelsOf(ctx, open)) {
      signal.throwIfAborted();
      await write(async (writing) =>
        writing.mail.send(reminderMail, {
          to: { email: parcel.email, name: parcel.name, lang: parcel.lang },
          ...(parcel.replyTo ? { replyTo: { email: parcel.replyTo } } : {}),
          values: await ticketValues(writing, parcel),
          key: `website_event.reminder:${parcel.event}:${parcel.email.toLowerCase()}`,
        }),
      );
    }
  },
});
