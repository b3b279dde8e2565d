import { type ErrorDetails, InvalidInput } from '@pergola/core';
import type { Row } from '@pergola/db';
import type { Knex } from 'knex';
import { mayReadField, requireFields, requireRight } from '../access/rights.ts';
import { isFault, resolvePath } from '../build/paths.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import { decimalText } from '../decimal.ts';
import { sortSql, valueSql } from '../domain/columns.ts';
import { allWhere } from '../domain/combine.ts';
import { fieldOf, guardSql } from '../domain/compile.ts';
import { sortTerm, termSql } from '../domain/order.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Level, Sql, SqlScope } from '../domain/scope.ts';
import type { ModelRegistry } from '../registry.ts';
import type { GroupOptions, GroupRow, RawDomain } from '../types.ts';
import { limited, limitKey } from './limit.ts';
import { type Granularity, granularities, periodSql, zoneKey, zoneRange } from './periods.ts';
import { cachedPlan } from './plan-cache.ts';
import { type Prepared, prepare, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
import { decoderOf } from './rows.ts';
import { type Compiled, compiledFrom, run } from './run.ts';

// biome-ignore lint/suspicious/noExplicitAny: groups of any model's fields
type Options = GroupOptions<any>;

const functions = ['sum', 'avg', 'min', 'max', 'count', 'count_distinct'] as const;
type AggregateFunction = (typeof functions)[number];

/** Location of a stored value: a column of the model's own table, or of one reached through many2one fields. */
interface StoredValue {
  /** The requested name. */
  readonly name: string;
  readonly path: readonly CompiledField[];
  /** The last field of the path, which holds the value. */
  readonly field: CompiledField;
}
interface Key extends StoredValue {
  readonly granularity: Granularity | null;
  /** Time zone in which periods of datetimes start; null for all other values. */
  readonly zone: string | null;
}
interface Aggregate extends StoredValue {
  readonly aggregateFunction: AggregateFunction;
}
interface GroupPlan extends Compiled {
  readonly decoders: readonly {
    readonly name: string;
    readonly key: string;
    readonly decode: ((raw: unknown) => unknown) | null;
  }[];
}

/** Returns groups of records with aggregates, in one statement; see `Model.group`. */
export async function groupRecords(bound: BoundModel, domain: RawDomain, options: Options): Promise<GroupRow[]> {
  requireRight(bound, 'read');
  const keys = options.by.map((text) => keyOf(bound, String(text)));
  const aggregates = (options.aggregates ?? []).map((text) => aggregateOf(bound, String(text)));
  const fields = [...keys, ...aggregates].map(({ name }) => fieldOf(bound.compiled, name.split(':')[0] ?? name));
  requireFields(bound.ctx, fields, mayReadField);
  const reads = [...keys, ...aggregates].filter(({ path }) => path.length > 1);
  const query = await prepare(bound, { domain: parseDomain(domain), order: null, reads, onlyActive: true });
  if (!query || options.limit === 0) return [];
  const zones = await zonesFor(bound, query, keys);
  const shape = `${options.by}|${options.aggregates}|${options.order}|${limitKey(options)}|${zones}`;
  const plan = cachedPlan(bound, `group|${query.key}|${shape}`, () =>
    compileGroups(bound, query, keys, aggregates, options, zones),
  );
  const sources = [...query.sources];
  sources[source.own] = [null, options.limit, options.offset];
  return (await run(bound, plan, sources)).map((raw) => groupFrom(plan, raw));
}

function keyOf(bound: BoundModel, text: string): Key {
  const [name = '', granularity] = text.split(':');
  const path = storedPath(bound.registry, fieldOf(bound.compiled, name));
  const field = path?.at(-1);
  if (!path || !field || ['json', 'binary', 'image'].includes(field.type))
    throw new InvalidInput('Records can’t be grouped by “{field}”.', aboutGroup(name));
  if (granularity === undefined) return { name: text, path, field, granularity: null, zone: null };
  const validGranularity = granularities.find((candidate) => candidate === granularity);
  if (!validGranularity || (field.type !== 'date' && field.type !== 'datetime'))
    throw new InvalidInput('“{field}” isn’t a date period.', aboutGroup(text));
  const basis = periodBasis(bound, fieldOf(bound.compiled, name));
  return {
    name: text,
    path: basis.path,
    field: basis.path.at(-1) ?? field,
    granularity: validGranularity,
    zone: basis.zone,
  };
}

/** Value and time zone that the periods of a date or datetime are based on. */
interface PeriodBasis {
  /** Path to the stored value: to the local calendar day if the model stores it with `f.localDay`. */
  readonly path: readonly CompiledField[];
  /** Time zone in which periods of datetimes start: the field's declared zone, else the reader's. Null for calendar days. */
  readonly zone: string | null;
}

/** Returns the basis for grouping by day, week or month, consistent with filters on the same field. */
export function periodBasis({ registry, ctx }: BoundModel, field: CompiledField): PeriodBasis {
  const path = storedPath(registry, field) ?? [field];
  const moment = path.at(-1) ?? field;
  if (moment.type !== 'datetime') return { path, zone: null };
  const siblings = registry.get(moment.model)?.fields.values() ?? [];
  const day = [...siblings].find(({ options, column }) => options.localDayOf === moment.name && column !== null);
  if (day) return { path: [...path.slice(0, -1), day], zone: null };
  const isOfSite = (field.options.timezone ?? moment.options.timezone) === '@site';
  return { path, zone: isOfSite ? ctx.siteTimezone : ctx.timezone };
}

/**
 * Whether records can be grouped by a field, and it can be aggregated: its values are stored, by the model or by the target of a related
 * field.
 */
export function isGroupable(registry: ModelRegistry, field: CompiledField): boolean {
  return storedPath(registry, field) !== null && !['json', 'binary', 'image'].includes(field.type);
}

/** Returns the path to a field's stored value, or null if it is calculated when read. */
function storedPath(registry: ModelRegistry, field: CompiledField): readonly CompiledField[] | null {
  if (field.column !== null) return [field];
  if (!field.related) return null;
  const resolved = resolvePath((model) => registry.get(model)?.fields, field.model, field.related);
  if (isFault(resolved)) return null;
  const path: CompiledField[] = [];
  for (const step of resolved) {
    const part = storedPath(registry, step);
    if (!part) return null;
    path.push(...part);
  }
  return path;
}

function aggregateOf(bound: BoundModel, text: string): Aggregate {
  const [name = '', suffix] = text.split(':');
  const path = storedPath(bound.registry, fieldOf(bound.compiled, name));
  const field = path?.at(-1);
  const aggregateFunction = functions.find((candidate) => candidate === suffix);
  if (!path || !field || !aggregateFunction || !fits(field, aggregateFunction))
    throw new InvalidInput('“{field}” can’t be aggregated over groups.', aboutGroup(text));
  return { name: text, path, field, aggregateFunction };
}

function fits({ type }: CompiledField, aggregateFunction: AggregateFunction): boolean {
  if (aggregateFunction === 'count' || aggregateFunction === 'count_distinct') return true;
  const isNumber = ['integer', 'float', 'decimal', 'money'].includes(type);
  const isTime = type === 'date' || type === 'datetime';
  return isNumber || (isTime && (aggregateFunction === 'min' || aggregateFunction === 'max'));
}

/**
 * Returns the zone for each key: its name for PostgreSQL; for SQLite, which doesn't know zones, the offset changes between the first and
 * the last value.
 */
async function zonesFor(bound: BoundModel, query: Prepared, keys: readonly Key[]): Promise<readonly string[]> {
  if (bound.codec.dialect === 'postgres') return keys.map(({ zone }) => zone ?? '');
  const timed = keys.filter(({ zone }) => zone !== null);
  if (timed.length === 0) return keys.map(() => '');
  const plan = cachedPlan(bound, `range|${query.key}|${timed.map(({ name }) => name)}`, () => {
    const scope = scopeFor(bound, query);
    const level = rootLevel(bound, scope);
    const where = whereSql(bound, scope, level, query);
    const ends = allWhere(scope.knex({ [level.alias]: bound.compiled.table }), where);
    const holder = joins(scope, ends, level);
    for (const [position, { path, field }] of timed.entries()) {
      const value = valueSql(scope, holder(path).alias, field);
      ends.select({
        [`low${position}`]: scope.knex.raw('min(?)', [value]),
        [`high${position}`]: scope.knex.raw('max(?)', [value]),
      });
    }
    return compiledFrom(scope, ends);
  });
  const [row = {}] = await run(bound, plan, query.sources);
  const ends = Object.values(row).flatMap((value) => (typeof value === 'number' ? [value] : []));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return keys.map(({ zone }) => (zone === null ? '' : zoneKey(zoneRange(zone, low, high))));
}

function compileGroups(
  bound: BoundModel,
  query: Prepared,
  keys: readonly Key[],
  aggregates: readonly Aggregate[],
  options: Options,
  zones: readonly string[],
): GroupPlan {
  const scope = scopeFor(bound, query);
  const level = rootLevel(bound, scope);
  const where = whereSql(bound, scope, level, query);
  const rows = allWhere(scope.knex({ [level.alias]: bound.compiled.table }), where);
  const holder = joins(scope, rows, level);
  const groups = keys.map((key, position) => {
    const fieldLevel = holder(key.path);
    return { ...key, fieldLevel, sql: keySql(scope, fieldLevel, key, zones[position] ?? '') };
  });
  const totals = aggregates.map((aggregate) => ({
    ...aggregate,
    sql: aggregateSql(scope, holder(aggregate.path), aggregate),
  }));
  for (const [position, { sql }] of groups.entries()) rows.select({ [`g${position}`]: sql });
  for (const [position, { sql }] of totals.entries()) rows.select({ [`a${position}`]: sql });
  rows.count({ count: '*' });
  for (const { sql, fieldLevel, field, granularity } of groups) {
    rows.groupByRaw(sql);
    // The sort key has to be grouped by, too; it depends on the group key, so no group is split.
    if (!granularity && field.foldColumn !== null) rows.groupByRaw(sortSql(scope, fieldLevel.alias, field));
  }
  if (groups.length > 0) {
    for (const term of orderOf(scope, groups, totals, options.order)) rows.orderByRaw(term);
  }
  return {
    ...compiledFrom(scope, limited(scope, rows, options)),
    decoders: [
      ...keys.map(({ name, field, granularity }, position) => ({
        name,
        key: `g${position}`,
        decode: granularity ? null : decoderOf(bound, field),
      })),
      ...aggregates.map(({ name, field, aggregateFunction }, position) => ({
        name,
        key: `a${position}`,
        decode: totalDecoder(bound, field, aggregateFunction),
      })),
    ],
  };
}

/**
 * Joins the tables along paths, each once, and returns the level that holds a path's value. Values of hidden records are null, as if the
 * path ended early.
 */
function joins(scope: SqlScope, rows: Knex.QueryBuilder, root: Level): (path: readonly CompiledField[]) => Level {
  const joined = new Map<string, Level>();
  return (path) => {
    let current = root;
    let pathKey = '';
    for (const { name, column, relation } of path.slice(0, -1)) {
      pathKey += `.${name}`;
      const existing = joined.get(pathKey);
      const model = scope.registry.need(relation?.to ?? '');
      const inner = existing ?? { ...current, model, alias: scope.use(model) };
      if (!existing) {
        const seen = guardSql(scope, inner);
        const outer = current.alias;
        rows.leftJoin({ [inner.alias]: model.table }, (on) => {
          on.on(`${inner.alias}.id`, `${outer}.${column}`);
          if (seen) on.on(seen);
        });
        joined.set(pathKey, inner);
      }
      current = inner;
    }
    return current;
  };
}

function keySql(scope: SqlScope, level: Level, { field, granularity }: Key, zone: string): Sql {
  const value = valueSql(scope, level.alias, field);
  return granularity ? periodSql(scope, value, field.type === 'datetime' ? zone : null, granularity) : value;
}

function aggregateSql(scope: SqlScope, level: Level, { field, aggregateFunction }: Aggregate): Sql {
  const value = valueSql(scope, level.alias, field);
  if (aggregateFunction === 'count') return scope.knex.raw('count(?)', [value]);
  if (aggregateFunction === 'count_distinct') return scope.knex.raw('count(distinct ?)', [value]);
  // PostgreSQL returns sums and averages of integers as numeric texts.
  const cast =
    scope.dialect === 'sqlite'
      ? ''
      : aggregateFunction === 'avg'
        ? '::double precision'
        : aggregateFunction === 'sum' && field.kind === 'bigint'
          ? '::bigint'
          : '';
  return scope.knex.raw(`${aggregateFunction}(?)${cast}`, [value]);
}

function totalDecoder(
  bound: BoundModel,
  field: CompiledField,
  aggregateFunction: AggregateFunction,
): ((raw: unknown) => unknown) | null {
  if (aggregateFunction === 'count' || aggregateFunction === 'count_distinct') return Number;
  if (aggregateFunction === 'avg')
    return field.type === 'decimal' ? (raw) => (raw === null ? null : decimalText(Math.round(Number(raw)))) : null;
  return decoderOf(bound, field);
}

function orderOf(
  scope: SqlScope,
  groups: readonly (Key & { readonly sql: Sql; readonly fieldLevel: Level })[],
  totals: readonly { readonly name: string; readonly sql: Sql }[],
  order: string | undefined,
): Sql[] {
  const keys = groups.map((group) => {
    if (group.granularity) return { name: group.name, sql: group.sql, nullable: true };
    return { name: group.name, ...termSql(scope, group.fieldLevel, [group.field.name]) };
  });
  const sortable = [
    ...keys,
    ...totals.map(({ name, sql }) => ({ name, sql, nullable: true })),
    { name: 'count', sql: scope.knex.raw('count(*)'), nullable: false },
  ];
  const parts = (order ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const terms = parts.map((part) => {
    const [, name = '', direction] = /^(\S+)(?:\s+(asc|desc))?$/i.exec(part) ?? [];
    const match = sortable.find((candidate) => candidate.name === name);
    if (!match)
      throw new InvalidInput(
        'Groups can’t be sorted by “{field}”: it’s neither a group nor a measure.',
        aboutGroup(part),
      );
    return { ...match, descending: direction?.toLowerCase() === 'desc' };
  });
  const remaining = keys
    .filter(({ name }) => !terms.some((term) => term.name === name))
    .map((key) => ({ ...key, descending: false }));
  return [...terms, ...remaining].map(({ sql, nullable, descending }) => sortTerm(scope, sql, descending, nullable));
}

function groupFrom({ decoders }: GroupPlan, raw: Row): GroupRow {
  const group: Record<string, unknown> = {};
  for (const { name, key, decode } of decoders) group[name] = decode ? decode(raw[key]) : raw[key];
  return { ...group, count: Number(raw.count) };
}

function aboutGroup(field: string): ErrorDetails {
  return { code: 'core.bad_group', params: { field: field.slice(0, 80) } };
}
