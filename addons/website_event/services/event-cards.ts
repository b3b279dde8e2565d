import { onWebsite } from '#addons/website';
import type { Ctx, Domain, FieldsOf } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { placesOf } from './places.ts';
import { salesOf } from './ticket-sales.ts';
import { whenOf } from './when.ts';

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

type Shown = Awaited<ReturnType<typeof readEvents>>[number];

/** Events with the fields that cards show. */
export async function readEvents(
  ctx: Ctx,
  domain: Domain<FieldsOf<EventEvent>>,
  about: { order: string; limit: number; offset: number },
) {
  return ctx.model(EventEvent).find(domain, { select: listSelect, ...about });
}

/** Rows of events with what their cards need: dates in their zones, places, tickets. A fixed number of queries. */
export async function showEvents(ctx: Ctx, rows: readonly Shown[]) {
  const places = await placesOf(
    ctx,
    rows.flatMap(({ address_id }) => address_id ?? []),
  );
  const sales = await salesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    url: row.show_menu ? (row.website_url ?? '/event') : `${row.website_url}/register`,
    when: whenOf(ctx, row),
    place: places.get(row.address_id ?? 0) ?? null,
    online: row.address_id === null,
    sale: sales.get(row.id) ?? null,
    cancelled: row.state === 'cancel',
  }));
}

/** The events that coming lists (country events, feeds) show: confirmed, not over, the next ones first. */
export async function comingEvents(ctx: Ctx, more: Domain<FieldsOf<EventEvent>>, limit: number) {
  const domain: Domain<FieldsOf<EventEvent>> = [
    ['state', '=', 'confirm'],
    ['date_begin', '>=', ctx.now()],
    ['website_published', '=', true],
    ...onWebsite(ctx),
    ...more,
  ];
  return showEvents(ctx, await readEvents(ctx, domain, { order: 'date_begin, id', limit, offset: 0 }));
}
