import { Country } from '#addons/base';
import { onWebsite } from '#addons/website';
import type { Ctx, Domain, FieldsOf, Id, RequestView } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { eventUrl } from './event-cards.ts';
import { placesOf } from './places.ts';
import { type VisitorCountry, visitorCountry } from './visitor-country.ts';
import { whenOf } from './when.ts';

/** Events that are shown; one more is looked for, to know whether there are others. */
const shown = 5;

type Request = Pick<RequestView, 'headers' | 'cookies'>;

/**
 * The next events in the visitor's country and online; those of everywhere when it has none, or nobody knows where the visitor is.
 */
export async function countryEvents(ctx: Ctx, request: Request) {
  return eventsNear(ctx, await visitorCountry(ctx, request));
}

/** The same, with the countries that the visitor may choose instead. */
export async function countryChoice(ctx: Ctx, request: Request) {
  const where = await visitorCountry(ctx, request);
  const countries = where.open ? await countriesWithEvents(ctx, where.country?.id ?? null) : [];
  return { ...(await eventsNear(ctx, where)), countries };
}

async function eventsNear(ctx: Ctx, { country }: VisitorCountry) {
  const near = country ? await comingEvents(ctx, ['|', ['country_id', '=', country.id], ['is_online', '=', true]]) : [];
  const local = country !== null && near.some(({ place }) => place?.countryCode === country.code);
  const found = local ? near : await comingEvents(ctx, []);
  return {
    events: found.slice(0, shown),
    country: local ? country.name : null,
    all: found.length > shown ? '/event' : null,
  };
}

/** Countries that have events to come, by name. */
async function countriesWithEvents(ctx: Ctx, chosen: Id | null) {
  const groups = await ctx.model(EventEvent).group(coming(ctx), { by: ['country_id'] });
  const ids = groups.flatMap(({ country_id }) => (typeof country_id === 'number' ? [country_id] : []));
  const rows = await ctx
    .model(Country)
    .find([['id', 'in', ids]], { select: { name: true, code: true }, order: 'name, id' });
  return rows.map(({ id, name, code }) => ({ name, code, chosen: id === chosen }));
}

/** What the list of events announces and has not begun. */
function coming(ctx: Ctx): Domain<FieldsOf<EventEvent>> {
  return [
    ['state', '!=', 'cancel'],
    ['date_begin', '>=', ctx.now()],
    ['website_published', '=', true],
    ...onWebsite(ctx),
  ];
}

async function comingEvents(ctx: Ctx, more: Domain<FieldsOf<EventEvent>>) {
  const rows = await ctx.model(EventEvent).find([...coming(ctx), ...more], {
    select: {
      name: true,
      date_begin: true,
      date_end: true,
      date_tz: true,
      show_menu: true,
      website_url: true,
      address_id: true,
    },
    order: 'date_begin, id',
    limit: shown + 1,
  });
  const places = await placesOf(
    ctx,
    rows.flatMap(({ address_id }) => address_id ?? []),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: eventUrl(row),
    when: whenOf(ctx, row),
    place: places.get(row.address_id ?? 0) ?? null,
    online: row.address_id === null,
  }));
}
