import type { Row } from '@pergola/db';
import type { Knex } from 'knex';
import { guardFor } from '../access/guard.ts';
import { mayOperate } from '../access/rights.ts';
import type { BoundModel, CompiledField, ToMany } from '../compiled.ts';
import { behindSql, column, valueSql } from '../domain/columns.ts';
import { allWhere } from '../domain/combine.ts';
import { domainSql, guardSql } from '../domain/compile.ts';
import { orderSql } from '../domain/order.ts';
import type { ParsedDomain } from '../domain/parse.ts';
import type { Level, Sql, SqlScope } from '../domain/scope.ts';
import type { Id } from '../fields.ts';
import { META } from '../meta.ts';
import { unreadableSecret, unsealedValue } from '../sealed.ts';
import { rankingSql, type SearchStrategy } from '../search/matches.ts';
import { anchorKey, keepRaws, knownRaws } from './identity-map.ts';
import { limited, limitKey, ownIndex, type Window } from './limit.ts';
import { cachedPlan } from './plan-cache.ts';
import { type Prepared, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
import { type Compiled, compiledFrom, run } from './run.ts';
import type { PlainRow, SelectPlan } from './select.ts';

/**
 * Starting point of a query: only a domain, or the records behind a relation: by these ids, by a many2one with one of them, or by links to
 * one of them.
 */
export type Anchor =
  | { readonly kind: 'find' }
  | { readonly kind: 'ids' }
  | { readonly kind: 'lines'; readonly inverse: string }
  | { readonly kind: 'links'; readonly relation: ToMany };

export interface RowsQuery extends Window {
  readonly anchor: Anchor;
  /** Ids of the anchor. */
  readonly ids?: readonly Id[];
  /** Strategy for ranked searches; without one, all matches are ranked. */
  readonly strategy?: SearchStrategy | null;
  /** Equal for selects that read the same columns of the table. */
  readonly shape: string;
  readonly plan: SelectPlan;
}

/** Rows of the table, with the parent id of each if they are lines or links. */
export interface Fetched {
  readonly rows: PlainRow[];
  readonly parents: readonly Id[];
}

interface RowsPlan extends Compiled {
  readonly names: readonly string[];
  readonly decoders: readonly (((raw: unknown) => unknown) | null)[];
}

/** Reads the rows of one level with a single statement, regardless of their number. */
export async function fetchRows(bound: BoundModel, query: Prepared, rowsQuery: RowsQuery): Promise<Fetched> {
  const pendingWritable = mayWriteWhich(bound, query);
  const writable = pendingWritable instanceof Promise ? await pendingWritable : pendingWritable;
  const hasWritableDomain = typeof writable === 'object';
  const key = `rows|${query.key}|${anchorKey(rowsQuery.anchor)}${rowsQuery.ids?.length === 1 ? '=' : ''}|${rowsQuery.shape}|${limitKey(rowsQuery)}|${strategyKey(rowsQuery.strategy)}|${hasWritableDomain ? writable.shape : ''}`;
  const plan = cachedPlan(bound, key, () => compileRows(bound, query, rowsQuery, hasWritableDomain ? writable : null));
  const sources = [...query.sources];
  sources[source.own] = [rowsQuery.ids, rowsQuery.limit, rowsQuery.offset];
  if (hasWritableDomain) sources[source.write] = writable.values as unknown[];
  const raws = await rawsOf(bound, query, rowsQuery, { plan, sources });
  return {
    rows: raws.map((raw) => rowFrom(bound, plan, raw, hasWritableDomain ? raw.may__write === 1 : writable)),
    parents:
      rowsQuery.anchor.kind === 'lines' || rowsQuery.anchor.kind === 'links'
        ? raws.map((raw) => Number(raw.parent__id))
        : [],
  };
}

/** Returns rows from the open transaction's identity map, or else from the database. */
async function rawsOf(
  bound: BoundModel,
  query: Prepared,
  rowsQuery: RowsQuery,
  { plan, sources }: { readonly plan: RowsPlan; readonly sources: unknown[][] },
): Promise<readonly Row[]> {
  const { known: identityMap } = bound.connection;
  if (!identityMap) return run(bound, plan, sources);
  const cachedRaws = knownRaws(bound, query, rowsQuery, plan);
  if (cachedRaws) return cachedRaws;
  const { epoch } = identityMap;
  const raws = await run(bound, plan, sources);
  keepRaws(bound, query, rowsQuery, { plan, raws, epoch });
  return raws;
}

function strategyKey(strategy: SearchStrategy | null | undefined): string {
  return strategy ? `${strategy.by}${strategy.by === 'index' ? strategy.words : ''}` : '';
}

function compileRows(
  bound: BoundModel,
  query: Prepared,
  rowsQuery: RowsQuery,
  writable: ParsedDomain | null,
): RowsPlan {
  const scope = scopeFor(bound, query);
  const level = rootLevel(bound, scope);
  const { anchor, plan } = rowsQuery;
  const ranked = anchor.kind === 'find' ? query.ranked : null;
  const where = whereSql(bound, scope, level, query, ranked);
  const ranking = ranked
    ? rankingSql(scope, level, ranked, { where: where.splice(0), strategy: rowsQuery.strategy ?? null })
    : null;
  const columns = plan.columns.filter(({ name }) => name !== 'id');
  const { knex } = scope;
  const rows = knex.select(`${level.alias}.id`);
  for (const field of columns) rows.select({ [field.name]: valueSql(scope, level.alias, field) });
  for (const { name, path } of plan.behind) {
    rows.select({ [name]: behindSql(scope, level, path, (inner) => guardSql(scope, inner)) });
  }
  fromAnchor(bound, scope, level, rowsQuery, rows);
  allWhere(rows, where);
  if (writable) {
    const writableSql = domainSql(scope, { ...level, source: source.write, guarded: false }, writable.node);
    rows.select({ may__write: knex.raw('case when ? then 1 else 0 end', [writableSql ?? knex.raw('true')]) });
  }
  if (ranking) rows.from(ranking.from.as(level.alias)).orderByRaw(ranking.order).orderBy(`${level.alias}.id`);
  else if (anchor.kind !== 'ids') for (const term of orderSql(scope, level, query.order)) rows.orderByRaw(term);
  return {
    ...compiledFrom(scope, limited(scope, rows, rowsQuery)),
    names: [...columns, ...plan.behind].map(({ name }) => name),
    decoders: [
      ...columns.map((field) => decoderOf(bound, field)),
      ...plan.behind.map(({ path }) => endDecoder(bound, path)),
    ],
  };
}

/** Adds the anchor's table and conditions to a query. */
function fromAnchor(
  bound: BoundModel,
  scope: SqlScope,
  level: Level,
  { anchor, ids = [] }: RowsQuery,
  rows: Knex.QueryBuilder,
): void {
  const from = { [level.alias]: bound.compiled.table };
  const id = bound.compiled.fields.get('id');
  if (anchor.kind !== 'links') rows.from(from);
  if (anchor.kind === 'find' || !id) return;
  const list = { source: source.own, index: ownIndex.ids, count: ids.length };
  const whereListed = (parent: Sql) => rows.where(scope.inList(parent, list, id));
  if (anchor.kind === 'ids') {
    whereListed(column(scope, level.alias, 'id'));
    return;
  }
  const between = anchor.kind === 'links' ? scope.alias() : level.alias;
  const parent = column(scope, between, anchor.kind === 'links' ? anchor.relation.from : anchor.inverse);
  if (anchor.kind === 'links') {
    const { table, toColumn } = anchor.relation;
    scope.tables.add(table);
    rows.from({ [between]: table }).join(from, `${level.alias}.id`, `${between}.${toColumn}`);
  }
  whereListed(parent).select({ parent__id: parent });
}

/**
 * Returns a decoder for raw values of a field's column, or null if none is needed. The decoder throws Conflict for an unreadable secret.
 */
export function decoderOf({ codec }: BoundModel, field: CompiledField): ((raw: unknown) => unknown) | null {
  const decode = field.translated || field.kind === null ? null : codec.decoder(field.kind);
  const { fromColumn, sealedFor } = field;
  if (sealedFor !== null)
    return (raw) => {
      const value = unsealedValue(codec, field, decode ? decode(raw) : raw);
      if (value === undefined) throw unreadableSecret(field.label);
      return value;
    };
  if (field.type === 'boolean') return (raw) => (decode ? decode(raw) : raw) ?? false;
  if (decode && fromColumn) return (raw) => fromColumn(decode(raw));
  return decode ?? fromColumn;
}

function endDecoder(bound: BoundModel, path: readonly CompiledField[]): ((raw: unknown) => unknown) | null {
  const end = path.at(-1);
  return end ? decoderOf(bound, end) : null;
}

/**
 * Returns which rows the reader may change: all, none, or the rows that match a domain. The rules for reading and writing are often the
 * same; then every readable row is writable.
 */
function mayWriteWhich(
  bound: BoundModel,
  { guard }: Prepared,
): boolean | ParsedDomain | Promise<boolean | ParsedDomain> {
  const { ctx, registry, compiled } = bound;
  if (ctx.su) return true;
  if (!mayOperate(ctx, registry, compiled.name, 'write')) return false;
  const writeGuard = guardFor(ctx, registry, compiled.name, 'write');
  const settle = (write: ParsedDomain) => {
    if (write.node.kind === 'all' || isSame(write, guard)) return true;
    return write.node.kind === 'none' ? false : write;
  };
  return writeGuard instanceof Promise ? writeGuard.then(settle) : settle(writeGuard);
}

function isSame(a: ParsedDomain, b: ParsedDomain): boolean {
  return a.shape === b.shape && a.values.every((value, index) => value === b.values[index]);
}

function rowFrom(bound: BoundModel, plan: RowsPlan, raw: Row, mayWrite: boolean): PlainRow {
  const { compiled } = bound;
  const id = raw.id as Id;
  const row: PlainRow = { id };
  const { names, decoders } = plan;
  for (let position = 0; position < names.length; position++) {
    const name = names[position] as string;
    const decode = decoders[position];
    const value = raw[name];
    row[name] = decode ? decode(value) : value;
  }
  row[META] = { model: compiled.name, id, mayWrite, fields: compiled.declared };
  return row;
}
