import type { Ctx } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { readEvents, showEvents } from './card.ts';
import { domainOf, type EventFilter } from './filter.ts';

/** Events on one page of the list. */
export const perPage = 10;

/** One page of events with everything that is shown of them, and how many there are. */
export async function listEvents(ctx: Ctx, filter: EventFilter, page: number) {
  const domain = domainOf(ctx, filter);
  const count = await ctx.model(EventEvent).count(domain);
  const pages = Math.max(1, Math.ceil(count / perPage));
  const current = Math.min(Math.max(page, 1), pages);
  // What only editors see comes last.
  const order = `website_published desc, date_begin ${filter.date === 'old' ? 'desc' : 'asc'}, id`;
  const rows = await readEvents(ctx, domain, { order, limit: perPage, offset: (current - 1) * perPage });
  return { count, pages, page: current, events: await showEvents(ctx, rows) };
}
