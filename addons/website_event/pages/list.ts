import type { Ctx } from 'pergola';
import { pagerOf, SiteSearch } from '#addons/website';
import { EventEvent } from '../models/event-event.ts';
import { t } from '../texts.ts';
import { readEvents, showEvents } from './card.ts';
import { domainOf, type EventFilter, filterChoices } from './filter.ts';

/** Events on one page of the list. */
const perPage = 10;

/** One page of the list of events, as its filter narrows it. */
export async function listPage(ctx: Ctx, filter: EventFilter, wanted: number) {
  const keep = keptQuery(filter);
  const kept = keptQuery({ ...filter, search: '' });
  const look = (search: string) => foundBy(ctx, { ...filter, search });
  const { found, corrected } = await ctx.get(SiteSearch).meant(filter.search, look, (events) => events.count > 0);
  const { choices, domain, count } = found;
  const pager = pagerOf({ page: wanted, count, size: perPage, address: (page) => addressOf(page, keep) });
  const { page, offset } = pager;
  const byDate = filter.date === 'old' ? 'date_begin desc, id desc' : 'date_begin, id';
  // What only the staff sees comes last; for all others an index gives the order.
  const order = ctx.user.groups.has('base.group_user') ? `website_published desc, ${byDate}` : byDate;
  const rows = await readEvents(ctx, domain, { order, limit: perPage, offset });
  const title = filter.date === 'old' ? t(ctx, 'Past events') : t(ctx, 'Events');
  return {
    title,
    filter,
    corrected,
    kept,
    chosen: Object.keys(kept).length,
    count,
    events: await showEvents(ctx, rows, { eager: 1 }),
    filters: linked(choices, keep),
    narrowed: Object.keys(keep).length > 0,
    // Who looks for something has said what.
    near: page === 1 && Object.keys(keep).length === 0,
    pager,
    seo: {
      title,
      description: t(ctx, 'What takes place, where and when, with tickets.'),
      canonical: page === 1 ? '/event' : `/event/page/${page}`,
      // What is searched for is no page of its own.
      noindex: filter.search !== '',
    },
  };
}

async function foundBy(ctx: Ctx, filter: EventFilter) {
  const choices = await filterChoices(ctx, filter);
  const domain = domainOf(ctx, filter);
  const count = choices.dates.find(({ active }) => active)?.count ?? (await ctx.model(EventEvent).count(domain));
  return { choices, domain, count };
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
  const link = <C extends { readonly value: string }>(name: keyof Kept, rows: readonly C[], all: string) =>
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

function addressOf(page: number, keep: Kept): string {
  const query = new URLSearchParams(keep).toString();
  return `/event${page === 1 ? '' : `/page/${page}`}${query === '' ? '' : `?${query}`}`;
}
