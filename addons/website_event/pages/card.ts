import type { Ctx, Domain, FieldsOf } from 'pergola';
import { pictureSet, pictureUrl } from 'pergola/pages';
import { EventEvent } from '../models/event-event.ts';
import { whenOf } from '../services/event-dates.ts';
import { placesOf } from '../services/places.ts';
import { TicketSales } from '../services/ticket-sales.ts';

const listSelect = {
  name: true,
  summary: true,
  image: true,
  state: true,
  date_begin: true,
  date_end: true,
  date_tz: true,
  show_menu: true,
  website_url: true,
  website_published: true,
  type: { name: true },
  address_id: true,
} as const;

/** Rendered width of the card image, unless the image is lazy and the browser can determine it. */
const cardWidths = '(min-width: 768px) 192px, 104px';

type EventRow = Awaited<ReturnType<typeof readEvents>>[number];

/** Reads events with the fields that cards show. */
export async function readEvents(
  ctx: Ctx,
  domain: Domain<FieldsOf<EventEvent>>,
  options: { order: string; limit: number; offset: number },
) {
  return ctx.model(EventEvent).find(domain, { select: listSelect, ...options });
}

/**
 * Prepares event rows for cards, with dates in their time zones, places and tickets, in a fixed number of queries. Loads the images of the
 * first `eager` events eagerly, so a prerendered page doesn't wait for lazy ones until it is shown.
 */
export async function showEvents(ctx: Ctx, rows: readonly EventRow[], { eager = 0 } = {}) {
  const places = await placesOf(
    ctx,
    rows.flatMap(({ address_id }) => address_id ?? []),
  );
  const sales = await ctx.get(TicketSales).of(rows.map(({ id }) => id));
  return rows.map((row, place) => ({
    ...row,
    url: eventUrl(row),
    picture: pictureUrl('event.event', row.id, 'image', row.image, 500),
    imageSet: pictureSet('event.event', row.id, 'image', row.image, 'card'),
    ...(place < eager ? { loading: 'eager', sizes: cardWidths } : { loading: 'lazy', sizes: `auto, ${cardWidths}` }),
    when: whenOf(ctx, row),
    place: places.get(row.address_id ?? 0) ?? null,
    online: row.address_id === null,
    sale: sales.get(row.id) ?? null,
    cancelled: row.state === 'cancel',
  }));
}

/** URL of the event page; without a page menu, that is the ticket page. */
export function eventUrl({ show_menu, website_url }: { show_menu: boolean; website_url: string | null }): string {
  return show_menu ? (website_url ?? '/event') : `${website_url}/register`;
}
