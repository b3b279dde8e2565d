import type { Ctx, Id } from '#core';
import type { EventFacts } from '../mails.ts';
import { EventEvent } from '../models/event-event.ts';
import { whenOf } from './event-dates.ts';
import { placesOf } from './places.ts';

/** What mails and tickets say of an event, in a language. */
export async function factsOf(ctx: Ctx, id: Id, lang: string): Promise<EventFacts> {
  // Whoever has a ticket for an event, or waits for one, is told of it, whether it is published or not.
  const reader = ctx.sudo().as({ lang });
  const event = await reader.model(EventEvent).get(id, {
    select: {
      name: true,
      date_begin: true,
      date_end: true,
      date_tz: true,
      address_id: true,
      website_url: true,
      online_url: true,
    },
  });
  const place = (await placesOf(reader, event.address_id === null ? [] : [event.address_id])).get(
    event.address_id ?? 0,
  );
  const when = whenOf(reader, event);
  return {
    event: event.name,
    when: when.zoned,
    place: place ? [place.name, ...place.lines].join(', ') : reader.t('Online'),
    online: place ? null : { url: event.online_url ?? '' },
    path: `${event.website_url}/register`,
  };
}
