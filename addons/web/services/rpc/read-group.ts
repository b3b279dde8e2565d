import { fromMinor, type Id, InvalidInput, type RawDomain } from 'pergola';
import {
  type BoundModel,
  bindOther,
  bindSudo,
  type CompiledField,
  checkFields,
  type GroupRow,
  isGroupable,
  noCurrency,
  periodBasis,
} from 'pergola/orm';
import { Temporal } from 'temporal-polyfill';
import type { Call } from './call-context.ts';
import { currencyField } from './currency.ts';
import { domainFromWire } from './domain.ts';
import { type Granularity, periodOf } from './periods.ts';
import { momentToWire, valueToWire } from './to-wire.ts';

export interface ReadGroupArgs {
  readonly domain?: unknown;
  readonly fields?: readonly string[] | null;
  readonly groupby: string | readonly string[];
  readonly offset?: number | null;
  readonly limit?: number | false | null;
  readonly orderby?: string | false | null;
  readonly lazy?: boolean | null;
}

/** A grouping: `partner_id`, `date_order:month`. */
interface Key {
  /** Name used by the caller and in the response. */
  readonly wire: string;
  readonly field: CompiledField;
  readonly granularity: Granularity | null;
  /** In the format of `Model.group`. */
  readonly name: string;
}

/** An aggregate of each group. */
interface Total {
  readonly field: CompiledField;
  readonly name: `${string}:${Aggregate}`;
}

const aggregates = ['sum', 'avg', 'min', 'max', 'count', 'count_distinct'] as const;
type Aggregate = (typeof aggregates)[number];
const granularities: readonly string[] = ['day', 'week', 'month', 'quarter', 'year'];
const numeric: ReadonlySet<string> = new Set(['integer', 'float', 'decimal', 'money']);
const maxGroups = 10_000;

/** `read_group` in Odoo's format: totals per group, with the domain of the group's records. */
export async function readGroup(call: Call, args: ReadGroupArgs): Promise<Record<string, unknown>[]> {
  const { bound } = call;
  const lazy = args.lazy ?? true;
  const groupings = typeof args.groupby === 'string' ? [args.groupby] : args.groupby;
  const activeGroupings = (lazy ? groupings.slice(0, 1) : groupings).filter((text) => text !== '');
  const keys = activeGroupings.map((text) => keyOf(bound, text));
  const totals = totalsOf(bound, args.fields ?? [], keys);
  const domain = await domainFromWire(call, args.domain);
  const order = orderOf(args.orderby, keys, totals);
  const groups = await bound.self.group(domain, {
    by: keys.map(({ name }) => name) as never[],
    aggregates: totals.map(({ name }) => name) as never[],
    ...(order ? { order } : {}),
    ...(args.offset ? { offset: args.offset } : {}),
    limit: args.limit || maxGroups,
  });
  const scene: Scene = {
    call,
    keys,
    totals,
    names: await keyNames(bound, keys, groups),
    amounts: await amounts(call, domain, keys, totals, groups),
    baseDomain: Array.isArray(args.domain) ? args.domain : [],
    countName: lazy && keys[0] ? `${keys[0].field.name}_count` : '__count',
    remainingGroupings: lazy ? groupings.slice(1) : [],
  };
  return groups.map((group) => groupToWire(scene, group));
}

interface Scene {
  readonly call: Call;
  readonly keys: readonly Key[];
  readonly totals: readonly Total[];
  readonly names: ReadonlyMap<Key, ReadonlyMap<Id, string>>;
  readonly amounts: (total: Total, group: GroupRow) => number | false;
  readonly baseDomain: readonly unknown[];
  readonly countName: string;
  readonly remainingGroupings: readonly string[];
}

function keyOf(bound: BoundModel, text: string): Key {
  const [name = '', periodName] = text.split(':');
  checkFields(bound, [name]);
  const field = bound.compiled.fields.get(name);
  if (!field || (periodName !== undefined && !granularities.includes(periodName))) throw badGroup(text);
  const isDate = field.type === 'date' || field.type === 'datetime';
  if (periodName !== undefined && !isDate) throw badGroup(text);
  const granularity = isDate ? ((periodName ?? 'month') as Granularity) : null;
  return { wire: text, field, granularity, name: granularity ? `${name}:${granularity}` : name };
}

/**
 * Returns the numeric fields to aggregate, by sum unless requested otherwise (`name:avg`). Other requested fields only apply to single
 * records.
 */
function totalsOf(bound: BoundModel, fields: readonly string[], keys: readonly Key[]): Total[] {
  const totals: Total[] = [];
  for (const text of fields) {
    const [name = '', aggregateName = 'sum'] = text.split(':');
    checkFields(bound, [name]);
    const field = bound.compiled.fields.get(name);
    const aggregate = aggregates.find((candidate) => candidate === aggregateName);
    if (!field || !aggregate) throw badGroup(text);
    const isKey = keys.some((key) => key.field === field);
    if (
      !isGroupable(bound.registry, field) ||
      name === 'id' ||
      isKey ||
      (!text.includes(':') && !numeric.has(field.type))
    )
      continue;
    if (!totals.some((total) => total.field === field)) totals.push({ field, name: `${name}:${aggregate}` });
  }
  return totals;
}

function orderOf(orderby: ReadGroupArgs['orderby'], keys: readonly Key[], totals: readonly Total[]): string | null {
  if (!orderby) return null;
  const terms = orderby.split(',').map((part) => {
    const [, name = '', direction = 'asc'] = /^\s*([\w:]+)(?:\s+(asc|desc))?\s*$/i.exec(part) ?? [];
    const key = keys.find(({ wire, field }) => wire === name || field.name === name);
    const total = totals.find(({ field }) => field.name === name);
    const isCount = name === '__count' || keys.some(({ field }) => name === `${field.name}_count`);
    const sorted = key?.name ?? total?.name ?? (isCount ? 'count' : null);
    if (sorted === null) throw badGroup(part.trim());
    return `${sorted} ${direction.toLowerCase()}`;
  });
  return terms.join(', ');
}

function badGroup(text: string): InvalidInput {
  return new InvalidInput('Records can’t be grouped or sorted by “{field}”.', {
    code: 'core.bad_group',
    params: { field: text.slice(0, 80) },
  });
}

/** Returns the names of records in grouped many2one fields. They are readable along with the records that refer to them. */
async function keyNames(
  bound: BoundModel,
  keys: readonly Key[],
  groups: readonly GroupRow[],
): Promise<Map<Key, ReadonlyMap<Id, string>>> {
  const names = new Map<Key, ReadonlyMap<Id, string>>();
  for (const key of keys) {
    if (!key.field.relation) continue;
    const ids = groups.flatMap((group) => (typeof group[key.name] === 'number' ? [group[key.name] as Id] : []));
    names.set(key, await bindSudo(bindOther(bound, key.field.relation.to)).self.displayNames(ids));
  }
  return names;
}

/**
 * Returns totals of amounts in major units. If the currencies of a group have different decimals, the amounts are added up by currency
 * first; as in Odoo, interpreting such a sum is up to the caller.
 */
async function amounts(
  call: Call,
  domain: RawDomain,
  keys: readonly Key[],
  totals: readonly Total[],
  groups: readonly GroupRow[],
): Promise<Scene['amounts']> {
  const money = totals.filter(({ field, name }) => field.type === 'money' && !/:count/.test(name));
  const sums = new Map<Total, ReadonlyMap<string, number>>();
  for (const total of money) sums.set(total, await amountsOf(call, domain, keys, total, groups));
  return (total, group) => sums.get(total)?.get(groupKey(keys, group)) ?? false;
}

async function amountsOf(
  { bound, currencies }: Call,
  domain: RawDomain,
  keys: readonly Key[],
  { field, name }: Total,
  groups: readonly GroupRow[],
): Promise<Map<string, number>> {
  const currency = currencyField(bound, field);
  const amountOf = (group: GroupRow, units = noCurrency): number | null =>
    typeof group[name] === 'number' ? Number(fromMinor(Math.round(group[name]), units)) : null;
  const amountsByKey = new Map<string, number>();
  const isKept = currency?.relation && isGroupable(bound.registry, currency);
  const parts = isKept
    ? await bound.self.group(domain, {
        by: [...keys.map((key) => key.name), currency.name] as never[],
        aggregates: [name] as never[],
        limit: maxGroups,
      })
    : groups;
  const units =
    isKept && currency.relation
      ? await currencies.units(
          bindOther(bound, currency.relation.to),
          parts.flatMap((part) => (typeof part[currency.name] === 'number' ? [part[currency.name] as Id] : [])),
        )
      : new Map();
  for (const part of parts) {
    const amount = amountOf(part, isKept ? units.get(part[currency.name] as Id) : undefined);
    if (amount === null) continue;
    const key = groupKey(keys, part);
    const previous = amountsByKey.get(key);
    amountsByKey.set(key, previous === undefined ? amount : merge(name, previous, amount));
  }
  return amountsByKey;
}

function merge(name: string, a: number, b: number): number {
  if (name.endsWith(':min')) return Math.min(a, b);
  return name.endsWith(':max') ? Math.max(a, b) : a + b;
}

function groupKey(keys: readonly Key[], group: GroupRow): string {
  return JSON.stringify(keys.map(({ name }) => group[name]));
}

function groupToWire(scene: Scene, group: GroupRow): Record<string, unknown> {
  const { call, keys, totals, baseDomain, countName, remainingGroupings } = scene;
  const wire: Record<string, unknown> = {};
  const conditions: unknown[] = [];
  for (const key of keys) {
    wire[key.wire] = keyToWire(scene, key, group[key.name]);
    conditions.push(...keyConditions(call, key, group[key.name]));
  }
  for (const total of totals) {
    const { field, name } = total;
    const isAmount = field.type === 'money' && !/:count/.test(name);
    wire[field.name] = isAmount ? scene.amounts(total, group) : valueToWire(field, group[name]);
  }
  wire[countName] = group.count;
  wire.__domain = [...conditions, ...baseDomain];
  if (remainingGroupings.length > 0) wire.__context = { group_by: remainingGroupings };
  return wire;
}

function keyToWire({ call, names }: Scene, key: Key, value: unknown): unknown {
  if (value === null || value === undefined) return false;
  if (key.granularity) return periodOf(String(value), key.granularity, call.bound.ctx.lang).label;
  if (!key.field.relation) return valueToWire(key.field, value);
  return [value, names.get(key)?.get(value as Id) ?? String(value)];
}

/** Returns the domain of a group's records in the caller's notation. Periods use the time zone in which they were grouped. */
function keyConditions({ bound }: Call, { field, granularity }: Key, value: unknown): unknown[] {
  const { path, zone } = periodBasis(bound, field);
  const isByDay = granularity !== null && field.type === 'datetime' && zone === null;
  const name = isByDay ? path.map((step) => step.name).join('.') : field.name;
  if (value === null || value === undefined) return [[name, '=', false]];
  if (!granularity) return [[name, '=', valueToWire(field, value)]];
  const { start, end } = periodOf(String(value), granularity, bound.ctx.lang);
  const edge = (day: string) => (zone === null ? day : midnight(day, zone));
  return [
    [name, '>=', edge(start)],
    [name, '<', edge(end)],
  ];
}

/** Returns the start of a day in a time zone, in the format of calls. */
function midnight(day: string, timezone: string): string {
  const begins = Temporal.PlainDate.from(day).toZonedDateTime(timezone);
  return momentToWire(new Date(begins.epochMilliseconds));
}
