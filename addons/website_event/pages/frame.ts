import { Partner } from '@pergola/base';
import { currencyFormats } from '@pergola/sale';
import { localizePath, originOf, type SeoValues, seoOf, seoSelect } from '@pergola/website';
import { type Ctx, fromMinor, type Id, kept, record } from 'pergola';
import { pictureSet, pictureUrl } from 'pergola/pages';
import { EventEvent } from '../models/event-event.ts';
import { EventPage } from '../models/event-event-page.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { type When, whenOf } from '../services/event-dates.ts';
import type { SaleState, TicketState } from '../services/on-sale.ts';
import { type Place, placesOf } from '../services/places.ts';
import { TicketSales } from '../services/ticket-sales.ts';
import { t } from '../texts.ts';

/** Event fields used by all event pages. */
export const shownSelect = {
  ...seoSelect,
  name: true,
  summary: true,
  description: true,
  image: true,
  state: true,
  date_begin: true,
  date_end: true,
  date_tz: true,
  type: { name: true },
  address_id: true,
  organizer_id: true,
  country_id: true,
  show_menu: true,
  twitter_hashtag: true,
  website_published: true,
  website_url: true,
  message_is_follower: true,
  write_date: true,
  calendar_sequence: true,
} as const;

/** Path parameter for an event, as in `/event/garden-party-5`. */
export const eventParam = record(EventEvent, { slug: 'name', select: shownSelect });
export type ShownEvent = NonNullable<(typeof eventParam)['$']>;

/** Values shared by all pages of an event. */
export interface EventFrame {
  readonly event: ShownEvent;
  /** The event image in all displayed sizes. */
  readonly imageSet: string;
  readonly when: When;
  readonly place: Place | null;
  readonly organizer: string | null;
  readonly over: boolean;
  readonly menu: readonly { readonly label: string; readonly href: string; readonly active: boolean }[];
  readonly mapLink: string | null;
  /** Absolute URL of the event page, for sharing. */
  readonly address: string;
}

/** Name of the organiser, which is public; no other contact data is read. */
export const partnerName = kept(
  'website_event.partner_name',
  async (ctx, lang: string, id: Id): Promise<string | null> =>
    (await ctx.as({ lang }).model(Partner).displayNames([id])).get(id) ?? null,
);

/** Builds the frame of an event page; `current` is the last part of its path. */
export async function frameOf(ctx: Ctx, event: ShownEvent, current: string): Promise<EventFrame> {
  const places = await placesOf(ctx, event.address_id === null ? [] : [event.address_id]);
  const place = places.get(event.address_id ?? 0) ?? null;
  const site = ctx.attributes.website;
  return {
    event,
    imageSet: pictureSet('event.event', event.id, 'image', event.image, 'page'),
    address:
      originOf(ctx, site) +
      (site ? localizePath(site, `${event.website_url}/register`, ctx.lang) : `${event.website_url}/register`),
    when: whenOf(ctx, event),
    place,
    organizer: event.organizer_id === null ? null : await partnerName.get(ctx.sudo(), ctx.lang, event.organizer_id),
    over: ctx.isPast(event.date_end),
    menu: event.show_menu ? await menuOf(ctx, event, place !== null, current) : [],
    mapLink:
      place &&
      `https://www.openstreetmap.org/search?query=${encodeURIComponent([place.name, ...place.lines].join(', '))}`,
  };
}

/** Pages of an event with a menu, in order. */
async function menuOf(ctx: Ctx, event: ShownEvent, hasPlace: boolean, current: string): Promise<EventFrame['menu']> {
  const pages = await ctx.model(EventPage).find([['event_id', '=', event.id]], { select: { name: true, path: true } });
  const entries = [
    { label: t(ctx, 'Introduction'), path: 'page/introduction' },
    ...pages.map(({ name, path }) => ({ label: name, path: `page/${path}` })),
    ...(hasPlace ? [{ label: t(ctx, 'Location'), path: 'page/location' }] : []),
    { label: t(ctx, 'Tickets'), path: 'register' },
  ];
  return entries.map(({ label, path }) => ({ label, href: `${event.website_url}/${path}`, active: path === current }));
}

/** SEO metadata of an event page, including previews for sharing. */
export async function eventSeo(ctx: Ctx, frame: EventFrame, title = frame.event.name): Promise<SeoValues> {
  const { event } = frame;
  const picture = pictureUrl('event.event', event.id, 'image', event.image, 1280);
  return seoOf(event, {
    title,
    description: event.summary ?? `${frame.when.zoned}${frame.place ? `, ${frame.place.short}` : ''}`,
    image: picture,
    type: 'event',
    breadcrumbs: [
      { name: t(ctx, 'Events'), url: '/event' },
      { name: event.name, url: `${event.website_url}/register` },
    ],
    jsonLd: [await eventJsonLd(ctx, frame, picture)],
  });
}

/** The event as schema.org JSON-LD. */
async function eventJsonLd(ctx: Ctx, frame: EventFrame, picture: string | null): Promise<object> {
  const { event, when: dates, place, organizer } = frame;
  const origin = originOf(ctx, ctx.attributes.website);
  const url = `${origin}${event.website_url}/register`;
  return {
    '@type': 'Event',
    name: event.name,
    startDate: dates.start,
    endDate: dates.end,
    url,
    eventStatus: `https://schema.org/${event.state === 'cancel' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${place ? 'OfflineEventAttendanceMode' : 'OnlineEventAttendanceMode'}`,
    location: place ? placeJsonLd(place) : { '@type': 'VirtualLocation', url },
    ...(event.summary ? { description: event.summary } : {}),
    ...(picture ? { image: [origin + picture] } : {}),
    ...(organizer ? { organizer: { '@type': 'Organization', name: organizer, url: origin } } : {}),
    offers: await offersOf(ctx, event, url),
  };
}

function placeJsonLd(place: Place): object {
  return {
    '@type': 'Place',
    name: place.name,
    address: {
      '@type': 'PostalAddress',
      ...(place.street ? { streetAddress: [place.street, place.street2].filter(Boolean).join(', ') } : {}),
      ...(place.city ? { addressLocality: place.city } : {}),
      ...(place.zip ? { postalCode: place.zip } : {}),
      ...(place.state ? { addressRegion: place.state } : {}),
      ...(place.countryCode ? { addressCountry: place.countryCode } : {}),
    },
  };
}

/** The tickets as schema.org offers, at the prices shown on the event page. */
async function offersOf(ctx: Ctx, event: ShownEvent, url: string): Promise<object[]> {
  const tickets = await ctx.model(EventTicket).find([['event_id', '=', event.id]], {
    select: { name: true, price: true, product_id: true, sale_start: true, deadline: true },
  });
  const sales = ctx.get(TicketSales);
  const prices = await sales.prices([{ address_id: event.address_id, tickets }]);
  const formats = await currencyFormats(ctx, [...new Set([...prices.values()].map(({ currency }) => currency))]);
  const sale = (await sales.of([event.id])).get(event.id);
  return tickets.flatMap(({ id, name, sale_start, deadline }) => {
    const price = prices.get(id);
    const currency = price && formats.get(price.currency);
    if (!currency) return [];
    return [
      {
        '@type': 'Offer',
        name,
        url,
        price: fromMinor(price.amount, currency),
        priceCurrency: currency.code,
        availability: `https://schema.org/${availabilityOf(sale?.state, sale?.states.get(id))}`,
        ...(sale_start ? { validFrom: sale_start.toISOString() } : {}),
        ...(deadline ? { validThrough: deadline.toISOString() } : {}),
      },
    ];
  });
}

function availabilityOf(event: SaleState | undefined, ticket: TicketState | undefined): string {
  if (event === 'closed' || event === 'over') return 'SoldOut';
  return ticket === 'open' ? 'InStock' : ticket === 'soon' ? 'PreOrder' : 'SoldOut';
}
