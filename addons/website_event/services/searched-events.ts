import { onWebsite, type Searchable } from '@pergola/website';
import type { Ctx } from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { EventEvent } from '../models/event-event.ts';
import { eventUrl } from '../pages/card.ts';
import { whenOf } from './event-dates.ts';

/** Events in the site search. */
export const searchedEvents: Searchable = {
  id: 'website_event.event',
  label: 'Events',
  icon: 'calendar-event',
  async find(ctx, text, limit) {
    const rows = await ctx.model(EventEvent).find([['id', 'matches', text], ...listed(ctx)], {
      select: {
        name: true,
        website_url: true,
        show_menu: true,
        summary: true,
        image: true,
        date_begin: true,
        date_end: true,
        date_tz: true,
      },
      limit,
    });
    return rows.map((event) => ({
      title: event.name,
      url: eventUrl(event),
      text: event.summary,
      image: pictureUrl('event.event', event.id, 'image', event.image, 192),
      note: whenOf(ctx, event).shortZoned,
    }));
  },
  async names(ctx, limit) {
    const rows = await ctx.model(EventEvent).find(listed(ctx), { select: { name: true }, order: 'id desc', limit });
    return rows.map(({ name }) => name);
  },
};

function listed(ctx: Ctx) {
  return [['website_published', '=', true], ...onWebsite(ctx)] as const;
}
