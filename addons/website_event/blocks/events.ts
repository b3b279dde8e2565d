import { onSite, type Snippet } from '@pergola/website';
import { block, type Domain, type FieldsOf, type Id, kept, z } from 'pergola';
import type { EventEvent } from '../models/event-event.ts';
import { readEvents, showEvents } from '../pages/card.ts';

/** Events filtered by type and period, as configured by an editor. */
export const eventsBlock = block('website_event.events', {
  label: 'Events',
  options: z.object({
    title: z.string().max(120).default('').meta({ title: 'Title' }),
    time: z
      .enum(['coming', 'past'])
      .default('coming')
      .meta({
        title: 'When',
        labels: [
          { value: 'coming', label: 'Upcoming' },
          { value: 'past', label: 'Past' },
        ],
      }),
    look: z
      .enum(['list', 'cards'])
      .default('list')
      .meta({
        title: 'Layout',
        labels: [
          { value: 'list', label: 'List' },
          { value: 'cards', label: 'Cards' },
        ],
      }),
    type: z.number().int().min(0).default(0).meta({ title: 'Type', records: 'event.type', none: 'All types' }),
    limit: z.number().int().min(1).max(12).default(3).meta({ title: 'Number of events' }),
    more: z.boolean().default(true).meta({ title: 'Show a link to all events' }),
  }),
  template: 'website_event.events_block',
  load: async (ctx, { title, time, look, type, limit, more }) => {
    const site = ctx.attributes.website?.id ?? null;
    // The list of published events is public.
    const rows = await shownEvents.get(ctx.sudo(), ctx.lang, site, time, type, limit);
    return { title, all: more ? '/event' : '', cards: look === 'cards', events: await showEvents(ctx, rows) };
  },
});

/** Published events of a site, by time and kind. */
export const shownEvents = kept(
  'website_event.shown_events',
  (ctx, lang: string, site: Id | null, time: string, type: Id, limit: number) => {
    const domain: Domain<FieldsOf<EventEvent>> = [
      ['state', '!=', 'cancel'],
      ['website_published', '=', true],
      ['date_end', time === 'past' ? '<' : '>=', ctx.now()],
      ...onSite(site),
      ...(type === 0 ? [] : [['type', '=', type] as const]),
    ];
    const order = time === 'past' ? 'date_begin desc, id' : 'date_begin, id';
    return readEvents(ctx.as({ lang }), domain, { order, limit, offset: 0 });
  },
);

export const eventsSnippet: readonly Snippet[] = [
  {
    id: 'website_event.events',
    label: 'Events',
    tab: 'dynamic',
    thumbnail: '/website_event/static/snippets/events.svg',
    block: 'website_event.events',
  },
];
