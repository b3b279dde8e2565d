import { Country } from '@pergola/base';
import { onWebsite } from '@pergola/website';
import { type Ctx, type Domain, type FieldsOf, type Id, liveValues, type RequestView } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { EventEvent } from '../models/event-event.ts';
import { whenOf } from '../services/event-dates.ts';
import { placesOf } from '../services/places.ts';
import { type VisitorCountry, visitorCountry } from '../services/visitor-country.ts';
import { eventUrl } from './card.ts';

/** Number of events shown; one more is read to know whether there are others. */
const MAX_EVENTS = 5;

type Request = Pick<RequestView, 'headers' | 'cookies'>;

/** Returns the next events in the visitor's country and online. Falls back to all countries if the country has no events or is unknown. */
export async function countryEvents(ctx: Ctx, request: Request) {
  const { code } = await visitorCountry(ctx, request);
  return eventsNear(ctx, { code, open: false });
}

/** Same as `countryEvents`, with the countries the visitor can switch to. */
export async function countryChoice(ctx: Ctx, request: Request) {
  return eventsNear(ctx, await visitorCountry(ctx, request));
}

/** Keyed by `site:language:country:open`. Shared by all anonymous visitors. */
export const liveNearby = liveValues('website_event.near', {
  read: async (system, key) => {
    const [, lang = '', code = '', open] = key.split(':');
    const visitor = await anonymousIdentity(system);
    return visitor
      ? readNear(system.as({ user: visitor, lang }), { code: code || null, open: open === 'open' })
      : emptyResult;
  },
});
const emptyResult = { events: [], country: null, all: null, countries: [] };

async function eventsNear(ctx: Ctx, where: VisitorCountry) {
  if (ctx.user.id !== null || ctx.su) return readNear(ctx, where);
  const { code, open } = where;
  const key = [ctx.attributes.website?.id ?? '', ctx.lang, code ?? '', open ? 'open' : ''].join(':');
  return ctx.get(liveNearby).get(ctx, key);
}

async function readNear(ctx: Ctx, { code, open }: VisitorCountry) {
  const country =
    code === null ? null : await ctx.model(Country).first([['code', '=', code]], { select: { name: true } });
  const nearbyEvents = country
    ? await upcomingEvents(ctx, ['|', ['country_id', '=', country.id], ['is_online', '=', true]])
    : [];
  const local = country !== null && nearbyEvents.some(({ place }) => place?.countryCode === code);
  const events = local ? nearbyEvents : await upcomingEvents(ctx, []);
  return {
    events: events.slice(0, MAX_EVENTS),
    country: local ? country.name : null,
    all: events.length > MAX_EVENTS ? '/event' : null,
    countries: open ? await countriesWithEvents(ctx, country?.id ?? null) : [],
  };
}

/** Countries with upcoming events, sorted by name. */
async function countriesWithEvents(ctx: Ctx, chosenId: Id | null) {
  const groups = await ctx.model(EventEvent).group(upcomingDomain(ctx), { by: ['country_id'] });
  const ids = groups.flatMap(({ country_id }) => (typeof country_id === 'number' ? [country_id] : []));
  const rows = await ctx
    .model(Country)
    .find([['id', 'in', ids]], { select: { name: true, code: true }, order: 'name, id' });
  return rows.map(({ id, name, code }) => ({ name, code, chosen: id === chosenId }));
}

/** Published events that haven't started yet. */
function upcomingDomain(ctx: Ctx): Domain<FieldsOf<EventEvent>> {
  return [
    ['state', '!=', 'cancel'],
    ['date_begin', '>=', ctx.now()],
    ['website_published', '=', true],
    ...onWebsite(ctx),
  ];
}

async function upcomingEvents(ctx: Ctx, more: Domain<FieldsOf<EventEvent>>) {
  const rows = await ctx.model(EventEvent).find([...upcomingDomain(ctx), ...more], {
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
    limit: MAX_EVENTS + 1,
  });
  const places = await placesOf(
    ctx,
    rows.flatMap(({ address_id }) => address_id ?? []),
  );
  return rows.map((row) => {
    const { zoned: text, start } = whenOf(ctx, row);
    return {
      id: row.id,
      name: row.name,
      url: eventUrl(row),
      when: { text, start },
      place: places.get(row.address_id ?? 0) ?? null,
      online: row.address_id === null,
    };
  });
}
