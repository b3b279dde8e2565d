import { route, z } from 'pergola';
import { listPage } from '../pages/list.ts';
import { periods } from '../services/event-dates.ts';

/** Odd values of old or mistyped links show everything. */
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

/** What takes place: the next events first, narrowed by date, kind and country. */
export const list = route.page(
  '/event',
  { name: 'website_event.list', query, sitemap: true },
  async ({ ctx, query, render }) => render('website_event.list', await listPage(ctx, query, 1)),
);

/** The pages after the first one. */
export const listPages = route.page(
  '/event/page/:page',
  { name: 'website_event.list_page', query, params: { page: z.coerce.number().int().min(1).max(100_000) } },
  async ({ ctx, query, params, render }) => render('website_event.list', await listPage(ctx, query, params.page)),
);
