import type { Row } from '../../db/types.ts';
import { guardFor } from '../access/guard.ts';
import { mayOperate } from '../access/rights.ts';
import type { BoundModel, CompiledField, ToMany } from '../compiled.ts';
import { behindSql, column, valueSql } from '../domain/columns.ts';
import { domainSql, guardSql } from '../domain/compile.ts';
import { orderSql } from '../domain/order.ts';
import type { ParsedDomain } from '../domain/parse.ts';
import type { Level, SqlScope } from '../domain/scope.ts';
import type { Id } from '../fields.ts';
import { META } from '../meta.ts';
import { rankingSql, type SearchWay } from '../search/matches.ts';
import { keepRaws, knownRaws } from './known.ts';
import { limitKey, limitSql, own, type Window } from './limit.ts';
import { kept } from './plan-cache.ts';
import { languageOf, type Prepared, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
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
  readonly name: string | null;
}

/** Reads the rows of one level: a single statement, whatever their number. */
export async function fetchRows(bound: BoundModel, query: Prepared, asked: RowsQuery): Promise<Fetched> {
  const found = mayWriteWhich(bound, query);
  const writable = found instanceof Promise ? await found : found;
  const asksWritable = typeof writable === 'object';
  const key = `rows|${query.key}|${anchorKey(asked.anchor)}|${asked.shape}|${limitKey(asked)}|${wayKey(asked.way)}|${asksWritable ? writable.shape : ''}`;
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

function anchorKey(anchor: Anchor): string {
  if (anchor.kind === 'lines') return `lines ${anchor.inverse}`;
  return anchor.kind === 'links' ? `links ${anchor.relation.table} ${anchor.relation.from}` : anchor.kind;
}

function compileRows(bound: BoundModel, query: Prepared, asked: RowsQuery, writable: ParsedDomain | null): RowsPlan {
  const scope = scopeFor(bound, query);
  const level = rootLevel(bound, scope);
  const { anchor, plan } = asked;
  const ranked = anchor.kind === 'find' ? query.ranked : null;
  const where = whereSql(bound, scope, level, query, ranked);
  const ranking = ranked ? rankingSql(scope, level, ranked, { where: where.splice(0), way: asked.way ?? null }) : null;
  const selected = [
    column(level.alias, 'id'),
    ...plan.columns
      .filter(({ name }) => name !== 'id')
      .map((field) => `${valueSql(scope, level.alias, field)} as "${field.name}"`),
  ];
  for (const { name, path } of plan.behind) {
    selected.push(`${behindSql(scope, level, path, (inner) => guardSql(scope, inner))} as "${name}"`);
  }
  const { from, parent, held } = anchorSql(bound, scope, level, anchor);
  if (held) where.unshift(held);
  if (parent) selected.push(`${parent} as "parent__id"`);
  if (writable) {
    const mine = domainSql(scope, { ...level, source: source.write, guarded: false }, writable.node);
    selected.push(`case when ${mine} then 1 else 0 end as "may__write"`);
  }
  const parts = [
    `select ${selected.join(', ')} from ${ranking?.from ?? from}`,
    where.length > 0 ? `where ${where.join(' and ')}` : '',
    anchor.kind === 'ids' ? '' : orderBy(scope, level, query, ranking?.order),
    limitSql(scope, asked),
  ];
  const columns = plan.columns.filter(({ name }) => name !== 'id');
  return {
    ...compiledFrom(scope, parts.filter(Boolean).join(' ')),
    names: [...columns, ...plan.behind].map(({ name }) => name),
    decoders: [
      ...columns.map((field) => decoderOf(bound, field)),
      ...plan.behind.map(({ path }) => endDecoder(bound, path)),
    ],
    name: plan.displayName !== null && typeof plan.displayName === 'object' ? plan.displayName.name : null,
  };
}

function orderBy(scope: SqlScope, level: Level, query: Prepared, ranking: string | undefined): string {
  const terms = ranking ? [ranking, `${level.alias}."id"`] : orderSql(scope, level, query.order);
  return `order by ${terms.join(', ')}`;
}

function anchorSql(
  bound: BoundModel,
  scope: SqlScope,
  level: Level,
  anchor: Anchor,
): { from: string; parent?: string; held?: string } {
  const from = `"${bound.compiled.table}" ${level.alias}`;
  const id = bound.compiled.fields.get('id');
  if (anchor.kind === 'find' || !id) return { from };
  const held = (parent: string) => scope.inList(parent, source.own, own.ids, id);
  if (anchor.kind === 'ids') return { from, held: held(column(level.alias, 'id')) };
  if (anchor.kind === 'lines') {
    const parent = column(level.alias, anchor.inverse);
    return { from, parent, held: held(parent) };
  }
  const { table, from: mine, toColumn } = anchor.relation;
  const between = scope.alias();
  scope.tables.add(table);
  const parent = column(between, mine);
  return {
    from: `"${table}" ${between} join ${from} on ${column(level.alias, 'id')} = ${column(between, toColumn)}`,
    parent,
    held: held(parent),
  };
}

/** From a raw value of a field's column to what the application sees; null when it already is. */
export function decoderOf({ codec }: BoundModel, field: CompiledField): ((raw: unknown) => unknown) | null {
  const decode = field.translated || field.kind === null ? null : codec.decoder(field.kind);
  const { fromColumn } = field;
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
  row[META] = { model: compiled.name, id, lang: languageOf(bound), mayWrite, fields: compiled.declared };
  return row;
}
