import { onWebsite, type Snippet } from '#addons/website';
import { block, type Domain, type FieldsOf, z } from '#core';
import type { EventEvent } from '../models/event-event.ts';
import { readEvents, showEvents } from '../pages/card.ts';

/** Events that an editor chose by their kind and their time, for any page. */
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
          { value: 'coming', label: 'To come' },
          { value: 'past', label: 'Past' },
        ],
      }),
    type: z.number().int().min(0).default(0).meta({ title: 'Kind', records: 'event.type', none: 'All kinds' }),
    limit: z.number().int().min(1).max(12).default(3).meta({ title: 'How many' }),
    more: z.boolean().default(true).meta({ title: 'With a link to all events' }),
  }),
  template: 'website_event.events_block',
  load: async (ctx, { title, time, type, limit, more }) => {
    const domain: Domain<FieldsOf<EventEvent>> = [
      ['state', '!=', 'cancel'],
      ['website_published', '=', true],
      ['date_end', time === 'past' ? '<' : '>=', ctx.now()],
      ...onWebsite(ctx),
      ...(type === 0 ? [] : [['type', '=', type] as const]),
    ];
    const order = time === 'past' ? 'date_begin desc, id' : 'date_begin, id';
    const rows = await readEvents(ctx, domain, { order, limit, offset: 0 });
    return { title, more, events: await showEvents(ctx, rows) };
  },
});

export const eventsSnippet: readonly Snippet[] = [
  {
    id: 'website_event.events',
    label: 'Events',
    tab: 'dynamic',
    thumbnail: '/website_event/static/snippets/events.svg',
    block: 'website_event.events',
  },
];
