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
import { rankingSql, type SearchWay } from '../search/matches.ts';
import { anchorKey, keepRaws, knownRaws } from './identity-map.ts';
import { limited, limitKey, own, type Window } from './limit.ts';
import { kept } from './plan-cache.ts';
import { type Prepared, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
import { type Compiled, compiledFrom, run } from './run.ts';
import type { PlainRow, SelectPlan } from './select.ts';

/**
 * What a query starts from: a domain alone, or the records behind a relation of others: those with these ids, those whose many2one holds one
 * of them, those linked to one of them.
 */
export type Anchor =
  | { readonly kind: 'find' }
  | { readonly kind: 'ids' }
  | { readonly kind: 'lines'; readonly inverse: string }
  | { readonly kind: 'links'; readonly relation: ToMany };

export interface RowsQuery extends Window {
  readonly anchor: Anchor;
  /** Ids the anchor goes by. */
  readonly ids?: readonly Id[];
  /** How what is ranked is found; all of it when there is none. */
  readonly way?: SearchWay | null;
  /** Equal for selects that read the same of the table. */
  readonly shape: string;
  readonly plan: SelectPlan;
}

/** Rows as the table gives them, with the id each belongs to when they stand behind a relation to several. */
export interface Fetched {
  readonly rows: PlainRow[];
  readonly parents: readonly Id[];
}

interface RowsPlan extends Compiled {
  readonly names: readonly string[];
  readonly decoders: readonly (((raw: unknown) => unknown) | null)[];
}

/** Reads the rows of one level: a single statement, whatever their number. */
export async function fetchRows(bound: BoundModel, query: Prepared, asked: RowsQuery): Promise<Fetched> {
  const found = mayWriteWhich(bound, query);
  const writable = found instanceof Promise ? await found : found;
  const asksWritable = typeof writable === 'object';
  const key = `rows|${query.key}|${anchorKey(asked.anchor)}${asked.ids?.length === 1 ? '=' : ''}|${asked.shape}|${limitKey(asked)}|${wayKey(asked.way)}|${asksWritable ? writable.shape : ''}`;
  const plan = kept(bound, key, () => compileRows(bound, query, asked, asksWritable ? writable : null));
  const sources = [...query.sources];
  sources[source.own] = [asked.ids, asked.limit, asked.offset];
  if (asksWritable) sources[source.write] = writable.values as unknown[];
  const raws = await rawsOf(bound, query, asked, { plan, sources });
  return {
    rows: raws.map((raw) => rowFrom(bound, plan, raw, asksWritable ? raw.may__write === 1 : writable)),
    parents:
      asked.anchor.kind === 'lines' || asked.anchor.kind === 'links' ? raws.map((raw) => Number(raw.parent__id)) : [],
  };
}

/** From what the open transaction knows, else from the database. */
async function rawsOf(
  bound: BoundModel,
  query: Prepared,
  asked: RowsQuery,
  { plan, sources }: { readonly plan: RowsPlan; readonly sources: unknown[][] },
): Promise<readonly Row[]> {
  const { known } = bound.connection;
  if (!known) return run(bound, plan, sources);
  const there = knownRaws(bound, query, asked, plan);
  if (there) return there;
  const { epoch } = known;
  const raws = await run(bound, plan, sources);
  keepRaws(bound, query, asked, { plan, raws, epoch });
  return raws;
}

function wayKey(way: SearchWay | null | undefined): string {
  return way ? `${way.by}${way.by === 'index' ? way.words : ''}` : '';
}

function compileRows(bound: BoundModel, query: Prepared, asked: RowsQuery, writable: ParsedDomain | null): RowsPlan {
  const scope = scopeFor(bound, query);
  const level = rootLevel(bound, scope);
  const { anchor, plan } = asked;
  const ranked = anchor.kind === 'find' ? query.ranked : null;
  const where = whereSql(bound, scope, level, query, ranked);
  const ranking = ranked ? rankingSql(scope, level, ranked, { where: where.splice(0), way: asked.way ?? null }) : null;
  const columns = plan.columns.filter(({ name }) => name !== 'id');
  const { knex } = scope;
  const rows = knex.select(`${level.alias}.id`);
  for (const field of columns) rows.select({ [field.name]: valueSql(scope, level.alias, field) });
  for (const { name, path } of plan.behind) {
    rows.select({ [name]: behindSql(scope, level, path, (inner) => guardSql(scope, inner)) });
  }
  fromAnchor(bound, scope, level, asked, rows);
  allWhere(rows, where);
  if (writable) {
    const mine = domainSql(scope, { ...level, source: source.write, guarded: false }, writable.node);
    rows.select({ may__write: knex.raw('case when ? then 1 else 0 end', [mine ?? knex.raw('true')]) });
  }
  if (ranking) rows.from(ranking.from.as(level.alias)).orderByRaw(ranking.order).orderBy(`${level.alias}.id`);
  else if (anchor.kind !== 'ids') for (const term of orderSql(scope, level, query.order)) rows.orderByRaw(term);
  return {
    ...compiledFrom(scope, limited(scope, rows, asked)),
    names: [...columns, ...plan.behind].map(({ name }) => name),
    decoders: [
      ...columns.map((field) => decoderOf(bound, field)),
      ...plan.behind.map(({ path }) => endDecoder(bound, path)),
    ],
  };
}

/** Lets a query start from its anchor. */
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
  const list = { source: source.own, index: own.ids, count: ids.length };
  const held = (parent: Sql) => rows.where(scope.inList(parent, list, id));
  if (anchor.kind === 'ids') {
    held(column(scope, level.alias, 'id'));
    return;
  }
  const between = anchor.kind === 'links' ? scope.alias() : level.alias;
  const parent = column(scope, between, anchor.kind === 'links' ? anchor.relation.from : anchor.inverse);
  if (anchor.kind === 'links') {
    const { table, toColumn } = anchor.relation;
    scope.tables.add(table);
    rows.from({ [between]: table }).join(from, `${level.alias}.id`, `${between}.${toColumn}`);
  }
  held(parent).select({ parent__id: parent });
}

/** From a raw value of a field's column to what the application sees; null when it already is. An unreadable secret throws a Conflict. */
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
 * Whether the reader may change the rows: all, none, or those for which a domain holds. The rules for reading and writing are mostly the
 * same; whatever is read may then be written.
 */
function mayWriteWhich(
  bound: BoundModel,
  { guard }: Prepared,
): boolean | ParsedDomain | Promise<boolean | ParsedDomain> {
  const { ctx, registry, compiled } = bound;
  if (ctx.su) return true;
  if (!mayOperate(ctx, registry, compiled.name, 'write')) return false;
  const found = guardFor(ctx, registry, compiled.name, 'write');
  const settle = (write: ParsedDomain) => {
    if (write.node.kind === 'all' || isSame(write, guard)) return true;
    return write.node.kind === 'none' ? false : write;
  };
  return found instanceof Promise ? found.then(settle) : settle(found);
}

function isSame(one: ParsedDomain, other: ParsedDomain): boolean {
  return one.shape === other.shape && one.values.every((value, index) => value === other.values[index]);
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
