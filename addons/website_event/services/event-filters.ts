import { Country } from '#addons/base';
import { onWebsite } from '#addons/website';
import type { Ctx, Domain, FieldsOf, Id } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { EventType } from '../models/event-type.ts';
import { inPeriod, type Period, periodNames, periods } from './periods.ts';

/** What the list is narrowed to. */
export interface EventFilter {
  readonly date: Period;
  readonly type: Id | null;
  /** A country (and what is online), what is online only, or everything. */
  readonly country: Id | 'online' | null;
  readonly search: string;
}

/** A choice among the filters, with how many events it shows. */
export interface FilterChoice {
  readonly value: string;
  readonly label: string;
  /** Null where nobody needs to know: how much is over. */
  readonly count: number | null;
  readonly active: boolean;
}

/** The filters with their choices; each is counted with the others applied. */
export async function filterChoices(ctx: Ctx, filter: EventFilter) {
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
  const some = types.filter(({ id }) => counts.has(id) || filter.type === id);
  return [
    { value: '', label: ctx.t('All kinds'), count: all, active: filter.type === null },
    ...some.map(({ id, name }) => ({
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
  const online = groups.reduce((total, { is_online, count }) => total + (is_online ? count : 0), 0);
  const all = groups.reduce((total, { count }) => total + count, 0);
  const ids = groups.flatMap(({ country_id }) => (typeof country_id === 'number' ? [country_id] : []));
  const chosen = typeof filter.country === 'number' ? [filter.country] : [];
  const names = await ctx.model(Country).find([['id', 'in', [...ids, ...chosen]]], { select: { name: true } });
  const countIn = (id: Id): number =>
    groups.reduce((total, { country_id, is_online, count }) => total + (country_id === id || is_online ? count : 0), 0);
  return [
    { value: '', label: ctx.t('All countries'), count: all, active: filter.country === null },
    { value: 'online', label: ctx.t('Online'), count: online, active: filter.country === 'online' },
    ...names.map(({ id, name }) => ({
      value: String(id),
      label: name,
      count: countIn(id),
      active: filter.country === id,
    })),
  ];
}

/** The events that a filter lets through; cancelled ones are in no list. */
export function domainOf(ctx: Ctx, { date, type, country, search }: EventFilter): Domain<FieldsOf<EventEvent>> {
  return [
    ['state', '!=', 'cancel'],
    ...onWebsite(ctx),
    ...inPeriod(ctx, date),
    ...(type === null ? [] : [['type', '=', type] as const]),
    ...(country === null
      ? []
      : country === 'online'
        ? [['is_online', '=', true] as const]
        : (['|', ['country_id', '=', country], ['is_online', '=', true]] as const)),
    ...(search === '' ? [] : [['id', 'matches', search] as const]),
  ];
}
