import { pagerOf, SiteSearch } from '@pergola/website';
import type { Ctx } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { t } from '../texts.ts';
import { readEvents, showEvents } from './card.ts';
import { domainOf, type EventFilter, filterChoices } from './filter.ts';

/** Events per page of the list. */
const perPage = 10;

/** Returns one page of the filtered event list. */
export async function listPage(ctx: Ctx, filter: EventFilter, requestedPage: number) {
  const keep = filterQuery(filter);
  const activeFilters = filterQuery({ ...filter, search: '' });
  const look = (search: string) => filterResult(ctx, { ...filter, search });
  const { found: result, corrected } = await ctx
    .get(SiteSearch)
    .meant(filter.search, look, (events) => events.count > 0);
  const { choices, domain, count } = result;
  const pager = pagerOf({ page: requestedPage, count, size: perPage, address: (page) => addressOf(page, keep) });
  const { page, offset } = pager;
  const byDate = filter.date === 'old' ? 'date_begin desc, id desc' : 'date_begin, id';
  // Unpublished events, which only staff can see, come last; visitors get the order of the index.
  const order = ctx.user.groups.has('base.group_user') ? `website_published desc, ${byDate}` : byDate;
  const rows = await readEvents(ctx, domain, { order, limit: perPage, offset });
  const title = filter.date === 'old' ? t(ctx, 'Past events') : t(ctx, 'Events');
  return {
    title,
    filter,
    corrected,
    kept: activeFilters,
    chosen: Object.keys(activeFilters).length,
    count,
    events: await showEvents(ctx, rows, { eager: 1 }),
    filters: linked(choices, keep),
    narrowed: Object.keys(keep).length > 0,
    // Events near the visitor are only shown without filters.
    near: page === 1 && Object.keys(keep).length === 0,
    pager,
    seo: {
      title,
      description: t(ctx, 'Upcoming events: dates, venues and tickets.'),
      canonical: page === 1 ? '/event' : `/event/page/${page}`,
      // Search results aren't indexed.
      noindex: filter.search !== '',
    },
  };
}

async function filterResult(ctx: Ctx, filter: EventFilter) {
  const choices = await filterChoices(ctx, filter);
  const domain = domainOf(ctx, filter);
  const count = choices.dates.find(({ active }) => active)?.count ?? (await ctx.model(EventEvent).count(domain));
  return { choices, domain, count };
}

type FilterParams = Readonly<Partial<Record<'date' | 'type' | 'country' | 'search', string>>>;

/** Query parameters that preserve the filter; inactive filters are omitted. */
function filterQuery({ date, type, country, search }: EventFilter): FilterParams {
  return {
    ...(date === 'all' ? {} : { date }),
    ...(type === null ? {} : { type: String(type) }),
    ...(country === null ? {} : { country: String(country) }),
    ...(search === '' ? {} : { search }),
  };
}

function linked(choices: Awaited<ReturnType<typeof filterChoices>>, keep: FilterParams) {
  const link = <C extends { readonly value: string }>(name: keyof FilterParams, rows: readonly C[], all: string) =>
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

function addressOf(page: number, keep: FilterParams): string {
  const query = new URLSearchParams(keep).toString();
  return `/event${page === 1 ? '' : `/page/${page}`}${query === '' ? '' : `?${query}`}`;
}
