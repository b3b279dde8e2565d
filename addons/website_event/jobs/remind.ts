import { HOUR } from '@pergola/website';
import { job, z } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { TicketDeliveries } from '../services/ticket-delivery.ts';
import { reminderHours } from '../settings.ts';

/** Sends each ticket holder one reminder, a configurable number of hours before the event. */
export const remindJob = job('website_event.remind', {
  mails: true,
  label: 'Send event reminders',
  input: z.object({}),
  cron: '10 * * * *',
  run: async ({ ctx, write, signal }) => {
    const hours = await ctx.settings.get(reminderHours);
    if (hours === 0) return;
    const events = await ctx.model(EventEvent).search([
      ['state', '=', 'confirm'],
      ['date_begin', '>', ctx.now()],
      ['date_begin', '<=', ctx.now().plus(hours * HOUR)],
    ]);
    const open = await ctx.model(EventRegistration).search([
      ['event_id', 'in', events],
      ['state', '=', 'open'],
      // Skips tickets issued in the last few hours, which need no reminder.
      ['date_open', '<', ctx.now().plus(-6 * HOUR)],
    ]);
    for (const delivery of await ctx.get(TicketDeliveries).of(open)) {
      signal.throwIfAborted();
      await write((writing) => writing.get(TicketDeliveries).remind(delivery));
    }
  },
});
