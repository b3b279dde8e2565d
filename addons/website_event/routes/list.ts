import { route, z } from 'pergola';
import { listPage } from '../pages/list.ts';
import { periods } from '../services/event-dates.ts';

/** Invalid values from old or mistyped links show all events. */
const query = z.object({
  date: z.enum(periods).catch('all').default('all'),
  type: z.coerce.number().int().positive().nullable().catch(null).default(null),
  country: z
    .union([z.enum(['online', 'elsewhere']), z.coerce.number().int().positive()])
    .nullable()
    .catch(null)
    .default(null),
  search: z.string().trim().max(100).catch('').default(''),
});

/** Event list: upcoming events first, filtered by date, type and country. */
export const list = route.page(
  '/event',
  { name: 'website_event.list', query, sitemap: true },
  async ({ ctx, query, render }) => render('website_event.list', await listPage(ctx, query, 1)),
);

/** Further pages of the event list. */
export const listPages = route.page(
  '/event/page/:page',
  { name: 'website_event.list_page', query, params: { page: z.coerce.number().int().min(1).max(100_000) } },
  async ({ ctx, query, params, render }) => render('website_event.list', await listPage(ctx, query, params.page)),
);
