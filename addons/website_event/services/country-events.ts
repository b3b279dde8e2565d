import type { Ctx, RequestView } from '#core';
import { comingEvents } from './event-cards.ts';
import { visitorCountry } from './visitor-country.ts';

/** Events that are shown; one more is looked for, to know whether there are others. */
const shown = 5;

/**
 * The next events in the visitor's country and online; those of everywhere when it has none, or nobody knows where the visitor is.
 */
export async function countryEvents(ctx: Ctx, request: Pick<RequestView, 'headers'>) {
  const country = await visitorCountry(ctx, request);
  const near = country
    ? await comingEvents(ctx, ['|', ['country_id', '=', country.id], ['is_online', '=', true]], shown + 1)
    : [];
  const found = near.length > 0 ? near : await comingEvents(ctx, [], shown + 1);
  const events = found.slice(0, shown);
  const local = country !== null && events.some(({ place }) => place?.countryCode === country.code);
  return {
    events: events.map((event) => ({
      id: event.id,
      name: event.name,
      url: event.url,
      when: event.when,
      place: event.place,
    })),
    country: local ? country.name : null,
    all: found.length > shown ? (local ? `/event?country=${country.id}` : '/event') : null,
  };
}
