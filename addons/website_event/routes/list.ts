import { type PageInput, type Reply, route, z } from '#core';
import { type EventFilter, filterChoices } from '../pages/filter.ts';
import { listEvents } from '../pages/list.ts';
import { periods } from '../services/event-periods.ts';

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
type ListInput = Pick<PageInput<Record<never, never>, typeof query>, 'ctx' | 'query' | 'render'>;

/** What takes place: the next events first, narrowed by date, kind and country. */
export const list = route.page('/event', { name: 'website_event.list', query, sitemap: true }, (input) =>
  show(input, 1),
);

/** The pages after the first one. */
export const listPage = route.page(
  '/event/page/:page',
  { name: 'website_event.list_page', query, params: { page: z.coerce.number().int().min(1).max(100_000) } },
  (input) => show(input, input.params.page),
);

async function show({ ctx, query, render }: ListInput, wanted: number): Promise<Reply> {
  const filter: EventFilter = query;
  const { count, pages, page, events } = await listEvents(ctx, filter, wanted);
  const keep = keptQuery(filter);
  const title = filter.date === 'old' ? ctx.t('Past events') : ctx.t('Events');
  return render('website_event.list', {
    title,
    filter,
    count,
    events,
    filters: linked(await filterChoices(ctx, filter), keep),
    narrowed: Object.keys(keep).length > 0,
    // Who looks for something has said what.
    near: page === 1 && Object.keys(keep).length === 0,
    pager: pagerOf(page, pages, keep),
    seo: {
      title,
      description: ctx.t('What takes place, where and when, with tickets.'),
      canonical: page === 1 ? '/event' : `/event/page/${page}`,
      // What is searched for is no page of its own.
      noindex: filter.search !== '',
    },
  });
}

type Kept = Readonly<Partial<Record<'date' | 'type' | 'country' | 'search', string>>>;

/** The part of the address that keeps a filter; what is not narrowed is left out. */
function keptQuery({ date, type, country, search }: EventFilter): Kept {
  return {
    ...(date === 'all' ? {} : { date }),
    ...(type === null ? {} : { type: String(type) }),
    ...(country === null ? {} : { country: String(country) }),
    ...(search === '' ? {} : { search }),
  };
}

function linked(choices: Awaited<ReturnType<typeof filterChoices>>, keep: Kept) {
  const link = (name: keyof Kept, rows: readonly { readonly value: string }[], all: string) =>
    rows.map((choice) => {
      const { [name]: _old, ...rest } = keep;
      return { ...choice, href: addressOf(1, choice.value === all ? rest : { ...rest, [name]: choice.value }) };
    });
  return {
    dates: link('date', choices.dates, 'all'),
    types: link('type', choices.types, ''),
    countries: link('country', choices.countries, ''),
  };
}

function pagerOf(page: number, pages: number, keep: Kept) {
  if (pages === 1) return null;
  const first = Math.max(1, Math.min(page - 2, pages - 4));
  const numbers = Array.from({ length: Math.min(5, pages) }, (_, index) => first + index);
  return {
    previous: page > 1 ? addressOf(page - 1, keep) : null,
    next: page < pages ? addressOf(page + 1, keep) : null,
    pages: numbers.map((number) => ({ number, href: addressOf(number, keep), active: number === page })),
  };
}

function addressOf(page: number, keep: Kept): string {
  const query = new URLSearchParams(keep).toString();
  return `/event${page === 1 ? '' : `/page/${page}`}${query === '' ? '' : `?${query}`}`;
}
