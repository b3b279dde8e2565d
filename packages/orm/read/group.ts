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
import { kept } from './plan-cache.ts';
import { type Prepared, prepare, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
import { decoderOf } from './rows.ts';
import { type Compiled, compiledFrom, run } from './run.ts';

// biome-ignore lint/suspicious/noExplicitAny: groups of any model's fields
type Options = GroupOptions<any>;

const functions = ['sum', 'avg', 'min', 'max', 'count', 'count_distinct'] as const;
type AggregateFunction = (typeof functions)[number];

/** Where a value is kept: a column of the model's own table, or of one that many2one fields lead to. */
interface Kept {
  /** As it was asked for. */
  readonly name: string;
  readonly path: readonly CompiledField[];
  /** The last of the path, which holds the value. */
  readonly field: CompiledField;
}
interface Key extends Kept {
  readonly granularity: Granularity | null;
  /** Zone in which the periods of moments begin; null for all other values. */
  readonly zone: string | null;
}
interface Aggregate extends Kept {
  readonly by: AggregateFunction;
}
interface GroupPlan extends Compiled {
  readonly decoders: readonly {
    readonly name: string;
    readonly key: string;
    readonly decode: ((raw: unknown) => unknown) | null;
  }[];
}

/** Groups of records with aggregates, in one statement; see `Model.group`. */
export async function groupRecords(bound: BoundModel, domain: RawDomain, options: Options): Promise<GroupRow[]> {
  requireRight(bound, 'read');
  const keys = options.by.map((text) => keyOf(bound, String(text)));
  const aggregates = (options.aggregates ?? []).map((text) => aggregateOf(bound, String(text)));
  const asked = [...keys, ...aggregates].map(({ name }) => fieldOf(bound.compiled, name.split(':')[0] ?? name));
  requireFields(bound.ctx, asked, mayReadField);
  const reads = [...keys, ...aggregates].filter(({ path }) => path.length > 1);
  const query = await prepare(bound, { domain: parseDomain(domain), order: null, reads, onlyActive: true });
  if (!query || options.limit === 0) return [];
  const zones = await zonesFor(bound, query, keys);
  const shape = `${options.by}|${options.aggregates}|${options.order}|${limitKey(options)}|${zones}`;
  const plan = kept(bound, `group|${query.key}|${shape}`, () =>
    compileGroups(bound, query, keys, aggregates, options, zones),
  );
  const sources = [...query.sources];
  sources[source.own] = [null, options.limit, options.offset];
  return (await run(bound, plan, sources)).map((raw) => groupFrom(plan, raw));
}

function keyOf(bound: BoundModel, text: string): Key {
  const [name = '', granularity] = text.split(':');
  const path = keptPath(bound.registry, fieldOf(bound.compiled, name));
  const field = path?.at(-1);
  if (!path || !field || ['json', 'binary', 'image'].includes(field.type))
    throw new InvalidInput('Records can’t be grouped by “{field}”.', aboutGroup(name));
  if (granularity === undefined) return { name: text, path, field, granularity: null, zone: null };
  const known = granularities.find((candidate) => candidate === granularity);
  if (!known || (field.type !== 'date' && field.type !== 'datetime'))
    throw new InvalidInput('“{field}” isn’t a date period.', aboutGroup(text));
  const basis = periodBasis(bound, fieldOf(bound.compiled, name));
  return { name: text, path: basis.path, field: basis.path.at(-1) ?? field, granularity: known, zone: basis.zone };
}

/** What the periods of a date or moment are counted by. */
interface PeriodBasis {
  /** Fields that lead to the stored value: to the calendar day at the place if the model keeps it with `f.localDay`. */
  readonly path: readonly CompiledField[];
  /** Zone in which the periods of moments begin: the one the field declares, else the reader's. Null for days. */
  readonly zone: string | null;
}

/** What groups by day, week or month count by, so that they agree with filters on the same field. */
export function periodBasis({ registry, ctx }: BoundModel, field: CompiledField): PeriodBasis {
  const path = keptPath(registry, field) ?? [field];
  const moment = path.at(-1) ?? field;
  if (moment.type !== 'datetime') return { path, zone: null };
  const siblings = registry.get(moment.model)?.fields.values() ?? [];
  const day = [...siblings].find(({ options, column }) => options.localDayOf === moment.name && column !== null);
  if (day) return { path: [...path.slice(0, -1), day], zone: null };
  const isOfSite = (field.options.timezone ?? moment.options.timezone) === '@site';
  return { path, zone: isOfSite ? ctx.siteTimezone : ctx.timezone };
}

/** Whether records can be grouped by a field, and it can be worked out over groups: its values are kept, by the model or by what a related field leads to. */
export function isGroupable(registry: ModelRegistry, field: CompiledField): boolean {
  return keptPath(registry, field) !== null && !['json', 'binary', 'image'].includes(field.type);
}

/** The fields that lead to where a field's value is kept; null where it is worked out, or there are several. */
function keptPath(registry: ModelRegistry, field: CompiledField): readonly CompiledField[] | null {
  if (field.column !== null) return [field];
  if (!field.related) return null;
  const found = resolvePath((model) => registry.get(model)?.fields, field.model, field.related);
  if (isFault(found)) return null;
  const path: CompiledField[] = [];
  for (const one of found) {
    const part = keptPath(registry, one);
    if (!part) return null;
    path.push(...part);
  }
  return path;
}

function aggregateOf(bound: BoundModel, text: string): Aggregate {
  const [name = '', by] = text.split(':');
  const path = keptPath(bound.registry, fieldOf(bound.compiled, name));
  const field = path?.at(-1);
  const known = functions.find((candidate) => candidate === by);
  if (!path || !field || !known || !fits(field, known))
    throw new InvalidInput('“{field}” can’t be aggregated over groups.', aboutGroup(text));
  return { name: text, path, field, by: known };
}

function fits({ type }: CompiledField, by: AggregateFunction): boolean {
  if (by === 'count' || by === 'count_distinct') return true;
  const isNumber = ['integer', 'float', 'decimal', 'money'].includes(type);
  const isTime = type === 'date' || type === 'datetime';
  return isNumber || (isTime && (by === 'min' || by === 'max'));
}

/** By key: the zone of its moments for PostgreSQL; for SQLite, which knows no zones, where the offset changes between the first and the last. */
async function zonesFor(bound: BoundModel, query: Prepared, keys: readonly Key[]): Promise<readonly string[]> {
  if (bound.codec.dialect === 'postgres') return keys.map(({ zone }) => zone ?? '');
  const timed = keys.filter(({ zone }) => zone !== null);
  if (timed.length === 0) return keys.map(() => '');
  const plan = kept(bound, `range|${query.key}|${timed.map(({ name }) => name)}`, () => {
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
    const at = holder(key.path);
    return { ...key, at, sql: keySql(scope, at, key, zones[position] ?? '') };
  });
  const totals = aggregates.map((one) => ({ ...one, sql: aggregateSql(scope, holder(one.path), one) }));
  for (const [position, { sql }] of groups.entries()) rows.select({ [`g${position}`]: sql });
  for (const [position, { sql }] of totals.entries()) rows.select({ [`a${position}`]: sql });
  rows.count({ count: '*' });
  for (const { sql, at, field, granularity } of groups) {
    rows.groupByRaw(sql);
    // What a key is sorted by has to be grouped by too; it follows from the key, so no group falls apart.
    if (!granularity && field.foldColumn !== null) rows.groupByRaw(sortSql(scope, at.alias, field));
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
      ...aggregates.map(({ name, field, by }, position) => ({
        name,
        key: `a${position}`,
        decode: totalDecoder(bound, field, by),
      })),
    ],
  };
}

/**
 * Joins the tables that paths lead to, each once, and answers where a path's value is. What the reader may not see there is empty, as where the way
 * ends.
 */
function joins(scope: SqlScope, rows: Knex.QueryBuilder, root: Level): (path: readonly CompiledField[]) => Level {
  const joined = new Map<string, Level>();
  return (path) => {
    let here = root;
    let way = '';
    for (const { name, column, relation } of path.slice(0, -1)) {
      way += `.${name}`;
      const known = joined.get(way);
      const model = scope.registry.need(relation?.to ?? '');
      const inner = known ?? { ...here, model, alias: scope.use(model) };
      if (!known) {
        const seen = guardSql(scope, inner);
        const outer = here.alias;
        rows.leftJoin({ [inner.alias]: model.table }, (on) => {
          on.on(`${inner.alias}.id`, `${outer}.${column}`);
          if (seen) on.on(seen);
        });
        joined.set(way, inner);
      }
      here = inner;
    }
    return here;
  };
}

function keySql(scope: SqlScope, level: Level, { field, granularity }: Key, zone: string): Sql {
  const value = valueSql(scope, level.alias, field);
  return granularity ? periodSql(scope, value, field.type === 'datetime' ? zone : null, granularity) : value;
}

function aggregateSql(scope: SqlScope, level: Level, { field, by }: Aggregate): Sql {
  const value = valueSql(scope, level.alias, field);
  if (by === 'count') return scope.knex.raw('count(?)', [value]);
  if (by === 'count_distinct') return scope.knex.raw('count(distinct ?)', [value]);
  // PostgreSQL answers sums and means of whole numbers as numeric texts.
  const cast =
    scope.dialect === 'sqlite'
      ? ''
      : by === 'avg'
        ? '::double precision'
        : by === 'sum' && field.kind === 'bigint'
          ? '::bigint'
          : '';
  return scope.knex.raw(`${by}(?)${cast}`, [value]);
}

function totalDecoder(
  bound: BoundModel,
  field: CompiledField,
  by: AggregateFunction,
): ((raw: unknown) => unknown) | null {
  if (by === 'count' || by === 'count_distinct') return Number;
  if (by === 'avg')
    return field.type === 'decimal' ? (raw) => (raw === null ? null : decimalText(Math.round(Number(raw)))) : null;
  return decoderOf(bound, field);
}

function orderOf(
  scope: SqlScope,
  groups: readonly (Key & { readonly sql: Sql; readonly at: Level })[],
  totals: readonly { readonly name: string; readonly sql: Sql }[],
  order: string | undefined,
): Sql[] {
  const keys = groups.map((group) => {
    if (group.granularity) return { name: group.name, sql: group.sql, nullable: true };
    return { name: group.name, ...termSql(scope, group.at, [group.field.name]) };
  });
  const known = [
    ...keys,
    ...totals.map(({ name, sql }) => ({ name, sql, nullable: true })),
    { name: 'count', sql: scope.knex.raw('count(*)'), nullable: false },
  ];
  const asked = (order ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const terms = asked.map((part) => {
    const [, name = '', direction] = /^(\S+)(?:\s+(asc|desc))?$/i.exec(part) ?? [];
    const found = known.find((candidate) => candidate.name === name);
    if (!found)
      throw new InvalidInput(
        'Groups can’t be sorted by “{field}”: it’s neither a group nor a measure.',
        aboutGroup(part),
      );
    return { ...found, descending: direction?.toLowerCase() === 'desc' };
  });
  const rest = keys
    .filter(({ name }) => !terms.some((term) => term.name === name))
    .map((key) => ({ ...key, descending: false }));
  return [...terms, ...rest].map(({ sql, nullable, descending }) => sortTerm(scope, sql, descending, nullable));
}

function groupFrom({ decoders }: GroupPlan, raw: Row): GroupRow {
  const group: Record<string, unknown> = {};
  for (const { name, key, decode } of decoders) group[name] = decode ? decode(raw[key]) : raw[key];
  return { ...group, count: Number(raw.count) };
}

function aboutGroup(field: string): ErrorDetails {
  return { code: 'core.bad_group', params: { field: field.slice(0, 80) } };
}
