import type { Operation } from '../access/compiled.ts';
import { guardFor } from '../access/guard.ts';
import { mayReadField, requireFields } from '../access/rights.ts';
import type { BoundModel, CompiledField, OrderTerm } from '../compiled.ts';
import { behindSql, column } from '../domain/columns.ts';
import { domainSql, guardSql } from '../domain/compile.ts';
import { orderSql, orderTerms } from '../domain/order.ts';
import { all, type DomainNode, type Leaf, leavesOf, type ParsedDomain } from '../domain/parse.ts';
import { type Guard, type Level, type Sql, SqlScope } from '../domain/scope.ts';
import { kept } from './plan-cache.ts';

/** What a query needs to know before its SQL can be looked up: which rows may be seen where, and the values of its placeholders. */
export interface Prepared {
  /** Equal for queries whose conditions and order make the same SQL. */
  readonly key: string;
  readonly domain: ParsedDomain;
  /** The rows of the model itself that the reader sees. */
  readonly guard: ParsedDomain;
  readonly order: readonly OrderTerm[];
  /** Sort by how well the texts match, because a domain with `matches` came without an order. */
  readonly ranked: Leaf | null;
  readonly onlyActive: boolean;
  readonly guards: ReadonlyMap<string, Guard>;
  /** Lists of values by source: what the query adds (limit, ids), the domain's, the guard's, then one per model behind a relation. */
  readonly sources: unknown[][];
}

export interface QueryParts {
  readonly domain?: ParsedDomain;
  /** An order as code wrote it, or null for none. The model's own when undefined. */
  readonly order?: string | null;
  /** Paths whose ends the statement reads, so that it knows what the reader sees along them. */
  readonly reads?: readonly { readonly path: readonly CompiledField[] }[];
  /** Leave inactive records out unless the domain names `active`. */
  readonly onlyActive?: boolean;
  /** Which records: those one may read unless said otherwise. */
  readonly operation?: Operation;
}

/** Where a query's own additions, the domain's and the guard's values are among the sources. */
export const source = { own: 0, domain: 1, guard: 2, write: 3, behind: 4 } as const;

/** Reads the domain and works out whose rows it may look at. Null when nothing can match. */
export async function prepare(bound: BoundModel, asked: QueryParts): Promise<Prepared | null> {
  const { ctx, registry, compiled } = bound;
  const { domain = all, order, operation = 'read', reads = [] } = asked;
  const facts = factsOf(bound, domain, order, reads);
  if (facts.restricted.length > 0) requireFields(ctx, facts.restricted, mayReadField);
  const found = guardFor(ctx, registry, compiled.name, operation);
  const guard = found instanceof Promise ? await found : found;
  if (guard.node.kind === 'none' || facts.isNever) return null;
  const guards = new Map<string, Guard>();
  const sources: unknown[][] = [[], domain.values as unknown[], guard.values as unknown[], []];
  let shapes = '';
  for (const model of facts.behind) {
    const behind = guardFor(ctx, registry, model, 'read');
    const seen = behind instanceof Promise ? await behind : behind;
    shapes += `${model}${seen.shape}`;
    guards.set(model, { domain: seen, source: sources.length });
    sources.push(seen.values as unknown[]);
  }
  const onlyActive = asked.onlyActive === true && compiled.activeField && !facts.namesActive;
  return {
    key: `${compiled.name}|${languageOf(bound)}|${ctx.su ? 's' : 'u'}${onlyActive ? 'a' : ''}|${domain.shape}|${guard.shape}|${order}|${shapes}`,
    domain,
    guard,
    order: facts.order,
    ranked: order === undefined ? facts.ranked : null,
    onlyActive,
    guards,
    sources,
  };
}

/** What follows from a domain's shape and an order alone. */
interface Facts {
  readonly order: readonly OrderTerm[];
  /** Models behind relations whose guards decide. */
  readonly behind: readonly string[];
  readonly restricted: readonly CompiledField[];
  readonly namesActive: boolean;
  readonly ranked: Leaf | null;
  /** No record can match. */
  readonly isNever: boolean;
}

function factsOf(
  bound: BoundModel,
  domain: ParsedDomain,
  order: string | null | undefined,
  reads: NonNullable<QueryParts['reads']>,
): Facts {
  const { compiled, ctx } = bound;
  const ways = reads.map(({ path }) => path.map(({ name }) => name).join('.')).join();
  return kept(bound, `facts|${compiled.name}|${ctx.su ? 's' : 'u'}|${domain.shape}|${order}|${ways}`, () => {
    const terms = order === undefined ? compiled.order : order === null ? [] : orderTerms(order);
    const { scope: recorder, level } = factsRecorder(bound);
    domainSql(recorder, level, domain.node);
    orderSql(recorder, level, terms);
    for (const { path } of reads) behindSql(recorder, level, path, (inner) => guardSql(recorder, inner));
    const leaves = leavesOf(domain.node);
    return {
      order: terms,
      behind: [...recorder.behind],
      restricted: [...recorder.restricted],
      namesActive: leaves.some(({ path }) => path.length === 1 && path[0] === 'active'),
      ranked: rankedLeaf(domain),
      isNever: isNever(domain.node),
    };
  });
}

/** Whether no record can match: an empty list is `in` nothing, and asking the database what is in it would tell nothing more. */
function isNever(node: DomainNode): boolean {
  if (node.kind === 'and') return node.nodes.some(isNever);
  if (node.kind === 'or') return node.nodes.every(isNever);
  if (node.kind !== 'leaf') return node.kind === 'none';
  const { kind, count, hasEmpty, hasFalse, hasTrue } = node.value;
  return node.operator === 'in' && kind === 'list' && count === 0 && !hasEmpty && !hasFalse && !hasTrue;
}

/** Compiles once to see through which models the relations lead. */
class Recorder extends SqlScope {
  readonly behind = new Set<string>();

  constructor(bound: BoundModel) {
    super({ knex: bound.knex, registry: bound.registry, codec: bound.codec, languages: bound.registry.languages });
  }

  override guardOf(model: string): Guard {
    this.behind.add(model);
    return { domain: all, source: 0 };
  }
}

/** A scope in which SQL is only tried, and the model's rows in it. */
export function factsRecorder(bound: BoundModel): { scope: Recorder; level: Level } {
  const scope = new Recorder(bound);
  return { scope, level: rootLevel(bound, scope) };
}

/** The one condition on full text that all records must meet, if there is one. */
function rankedLeaf({ node }: ParsedDomain): Leaf | null {
  const top = node.kind === 'and' ? node.nodes : [node];
  const found = top.filter(
    (inner): inner is Leaf => inner.kind === 'leaf' && inner.operator === 'matches' && inner.path.length === 1,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The scope a prepared query is put together in. */
export function scopeFor(bound: BoundModel, { guards }: Prepared): SqlScope {
  const { knex, registry, codec } = bound;
  return new SqlScope({ knex, registry, codec, languages: languagesOf(bound), guards });
}

/** The model's own rows, under the domain's conditions. */
export function rootLevel({ compiled, ctx }: BoundModel, scope: SqlScope): Level {
  return { model: compiled, alias: scope.use(compiled), source: source.domain, guarded: !ctx.su };
}

/** The conditions of a prepared query; `without` leaves out the one that a ranking has taken over. */
export function whereSql(
  bound: BoundModel,
  scope: SqlScope,
  level: Level,
  query: Prepared,
  without: Leaf | null = null,
): Sql[] {
  const node = without === null ? query.domain.node : withoutLeaf(query.domain.node, without);
  const conditions = [
    domainSql(scope, level, node),
    domainSql(scope, { ...level, source: source.guard, guarded: false }, query.guard.node),
    query.onlyActive ? column(scope, level.alias, activeColumn(bound)) : null,
  ];
  return conditions.filter((sql) => sql !== null);
}

function withoutLeaf(node: ParsedDomain['node'], leaf: Leaf): ParsedDomain['node'] {
  // By its place: a leaf that was found once stands for the same one of every domain of this shape.
  if (node.kind === 'leaf' && node.index === leaf.index) return { kind: 'all' };
  return node.kind === 'and' ? { kind: 'and', nodes: node.nodes.map((inner) => withoutLeaf(inner, leaf)) } : node;
}

function activeColumn({ compiled }: BoundModel): string {
  return compiled.fields.get('active')?.column ?? 'active';
}

/** The reader's language, then the default one, then any other a text is kept in. */
function languagesOf(bound: BoundModel): readonly string[] {
  const own = languageOf(bound);
  return [own, ...bound.registry.languages.filter((lang) => lang !== own)];
}

/** The language translated fields are read in. */
function languageOf({ ctx, registry }: BoundModel): string {
  return registry.languages.includes(ctx.lang) ? ctx.lang : registry.defaultLanguage;
}
