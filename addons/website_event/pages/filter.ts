import { Country } from '@pergola/base';
import { onWebsite } from '@pergola/website';
import { type Ctx, type Domain, type FieldsOf, type Id, liveValues } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { EventEvent } from '../models/event-event.ts';
import { EventType } from '../models/event-type.ts';
import { inPeriod, type Period, periodNames, periods } from '../services/event-dates.ts';
import { t } from '../texts.ts';

/** Active filters of the event list. */
export interface EventFilter {
  readonly date: Period;
  readonly type: Id | null;
  /** Country, online, or elsewhere: each event counts under exactly one of them. */
  readonly country: Id | 'online' | 'elsewhere' | null;
  readonly search: string;
}

/** A filter option with the number of events it matches. */
export interface FilterChoice {
  readonly value: string;
  readonly label: string;
  /** Null for past events, which aren't counted. */
  readonly count: number | null;
  readonly active: boolean;
}

type FilterChoices = Awaited<ReturnType<typeof readChoices>>;

/** Keyed by `[site, language, zone, filter]`. Shared by all anonymous visitors. */
export const visitorChoices = liveValues('website_event.choices', {
  read: async (system, key): Promise<FilterChoices | null> => {
    const [, lang, timezone, filter] = JSON.parse(key) as [unknown, string, string, EventFilter];
    const user = await anonymousIdentity(system);
    return user && readChoices(system.as({ user, lang, timezone }), filter);
  },
});

/** Returns the filter options, each counted with the other filters applied. */
export async function filterChoices(ctx: Ctx, filter: EventFilter): Promise<FilterChoices> {
  const isForAll = ctx.user.id === null && !ctx.su && filter.search === '';
  const key = JSON.stringify([ctx.attributes.website?.id, ctx.lang, ctx.timezone, filter]);
  const cachedChoices = isForAll ? await ctx.get(visitorChoices).get(ctx, key) : null;
  return cachedChoices ?? readChoices(ctx, filter);
}

async function readChoices(ctx: Ctx, filter: EventFilter) {
  const events = ctx.model(EventEvent);
  const dates: FilterChoice[] = [];
  const names = periodNames(ctx);
  for (const value of periods) {
    const count = value === 'old' ? null : await events.count(domainOf(ctx, { ...filter, date: value }));
    dates.push({ value, label: names[value], count, active: filter.date === value });
  }
  return { dates, types: await typeChoices(ctx, filter), countries: await countryChoices(ctx, filter) };
}

async function typeChoices(ctx: Ctx, filter: EventFilter): Promise<FilterChoice[]> {
  const groups = await ctx.model(EventEvent).group(domainOf(ctx, { ...filter, type: null }), { by: ['type'] });
  const counts = new Map(groups.map(({ type, count }) => [type, count]));
  const types = await ctx.model(EventType).find([], { select: { name: true } });
  const all = groups.reduce((total, { count }) => total + count, 0);
  const visibleTypes = types.filter(({ id }) => counts.has(id) || filter.type === id);
  return [
    { value: '', label: t(ctx, 'All types'), count: all, active: filter.type === null },
    ...visibleTypes.map(({ id, name }) => ({
      value: String(id),
      label: name,
      count: counts.get(id) ?? 0,
      active: filter.type === id,
    })),
  ];
}

async function countryChoices(ctx: Ctx, filter: EventFilter): Promise<FilterChoice[]> {
  const groups = await ctx
    .model(EventEvent)
    .group(domainOf(ctx, { ...filter, country: null }), { by: ['country_id', 'is_online'] });
  const counts = new Map<Id | 'online' | 'elsewhere', number>();
  for (const { country_id, is_online, count } of groups) {
    const place = is_online ? 'online' : typeof country_id === 'number' ? country_id : 'elsewhere';
    counts.set(place, (counts.get(place) ?? 0) + count);
  }
  const all = groups.reduce((total, { count }) => total + count, 0);
  const choice = (value: Id | 'online' | 'elsewhere', label: string): FilterChoice[] => {
    const [count, active] = [counts.get(value) ?? 0, filter.country === value];
    return count === 0 && !active && value !== 'online' ? [] : [{ value: String(value), label, count, active }];
  };
  const ids = [...counts.keys(), filter.country].filter((id) => typeof id === 'number');
  const names = await ctx.model(Country).find([['id', 'in', ids]], { select: { name: true } });
  return [
    { value: '', label: t(ctx, 'All countries'), count: all, active: filter.country === null },
    ...choice('online', t(ctx, 'Online')),
    ...names.flatMap(({ id, name }) => choice(id, name)),
    ...choice('elsewhere', t(ctx, 'Elsewhere')),
  ];
}

/** Domain of the events that match a filter; cancelled events are never listed. */
export function domainOf(ctx: Ctx, { date, type, country, search }: EventFilter): Domain<FieldsOf<EventEvent>> {
  return [
    ['state', '!=', 'cancel'],
    ...onWebsite(ctx),
    ...inPeriod(ctx, date),
    ...(type === null ? [] : [['type', '=', type] as const]),
    ...inCountry(country),
    ...(search === '' ? [] : [['id', 'matches', search] as const]),
  ];
}

function inCountry(country: EventFilter['country']): Domain<FieldsOf<EventEvent>> {
  if (country === null) return [];
  if (country === 'online') return [['is_online', '=', true]];
  if (country !== 'elsewhere') return [['country_id', '=', country]];
  return [
    ['country_id', '=', null],
    ['is_online', '=', false],
  ];
}
