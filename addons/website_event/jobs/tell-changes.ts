import { job, z } from '#core';
import { changedMail } from '../mails.ts';
import { EventEvent } from '../models/event-event.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { factsOf } from '../services/event-facts.ts';
import { parcelsOf } from '../services/ticket-delivery.ts';

/** Tells everybody who has a ticket that time or place of an event have changed; once for each change, whoever makes several at once. */
export const tellChangesJob = job('website_event.tell_changes', {
  input: z.object({ event: z.number().int().positive() }),
  run: async ({ ctx, input, write, signal }) => {
    const [event] = await ctx
      .model(EventEvent)
      .read([input.event], { select: { state: true, date_begin: true, date_end: true, address_id: true } });
    if (event?.state !== 'confirm' || event.date_end <= ctx.now()) return;
    const open = await ctx.model(EventRegistration).search([
      ['event_id', '=', event.id],
      ['state', '=', 'open'],
    ]);
    const change = [event.id, event.date_begin.getTime(), event.date_end.getTime(), event.address_id].join(':');
    for (const { email, name, lang, replyTo } of await parcelsOf(ctx, open)) {
      signal.throwIfAborted();
      await write(async (writing) =>
        writing.mail.send(changedMail, {
          to: { email, name, lang },
          ...(replyTo ? { replyTo: { email: replyTo } } : {}),
          values: { ...(await factsOf(writing, event.id, lang)), name },
          key: `website_event.changed:${change}:${email.toLowerCase()}`,
        }),
      );
    }
  },
});
