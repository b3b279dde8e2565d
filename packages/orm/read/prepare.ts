import type { Operation } from '../access/compiled.ts';
import { guardFor } from '../access/guard.ts';
import { mayReadField, requireFields } from '../access/rights.ts';
import type { BoundModel, CompiledField, OrderTerm } from '../compiled.ts';
import { behindSql, column } from '../domain/columns.ts';
import { domainSql, guardSql } from '../domain/compile.ts';
import { orderSql, orderTerms } from '../domain/order.ts';
import { allRecords, type DomainNode, type Leaf, leavesOf, type ParsedDomain } from '../domain/parse.ts';
import { type Guard, type Level, type Sql, SqlScope } from '../domain/scope.ts';
import { cachedPlan } from './plan-cache.ts';

/** A query's inputs that are needed to look up its SQL: the rows visible in each model, and the values of its placeholders. */
export interface Prepared {
  /** Equal for queries whose conditions and order produce the same SQL. */
  readonly key: string;
  readonly domain: ParsedDomain;
  /** The model's own rows that the reader sees. */
  readonly guard: ParsedDomain;
  readonly order: readonly OrderTerm[];
  /** Condition to rank by, if a domain with `matches` has no order. */
  readonly ranked: Leaf | null;
  readonly onlyActive: boolean;
  readonly guards: ReadonlyMap<string, Guard>;
  /** Lists of values by source: the query's own (limit, ids), the domain's, the guard's, then one per model behind a relation. */
  readonly sources: unknown[][];
}

export interface QueryParts {
  readonly domain?: ParsedDomain;
  /** An order written in code, or null for none. The model's default order if undefined. */
  readonly order?: string | null;
  /** Paths whose last fields are read by the statement, to determine the records visible along them. */
  readonly reads?: readonly { readonly path: readonly CompiledField[] }[];
  /** Omits inactive records unless the domain names `active`. */
  readonly onlyActive?: boolean;
  /** Operation that the records must allow; reading by default. */
  readonly operation?: Operation;
}

/** Positions of the query's own, the domain's and the guard's values in the sources. */
export const source = { own: 0, domain: 1, guard: 2, write: 3, behind: 4 } as const;

/** Analyses the domain and determines the visible rows. Returns null if no record can match. */
export async function prepare(bound: BoundModel, parts: QueryParts): Promise<Prepared | null> {
  const { ctx, registry, compiled } = bound;
  const { domain = allRecords, order, operation = 'read', reads = [] } = parts;
  const facts = factsOf(bound, domain, order, reads);
  if (facts.restricted.length > 0) requireFields(ctx, facts.restricted, mayReadField);
  const pendingGuard = guardFor(ctx, registry, compiled.name, operation);
  const guard = pendingGuard instanceof Promise ? await pendingGuard : pendingGuard;
  if (guard.node.kind === 'none' || facts.isNever) return null;
  const guards = new Map<string, Guard>();
  const sources: unknown[][] = [[], domain.values as unknown[], guard.values as unknown[], []];
  let shapes = '';
  for (const model of facts.behind) {
    const modelGuard = guardFor(ctx, registry, model, 'read');
    const seen = modelGuard instanceof Promise ? await modelGuard : modelGuard;
    shapes += `${model}${seen.shape}`;
    guards.set(model, { domain: seen, source: sources.length });
    sources.push(seen.values as unknown[]);
  }
  const onlyActive = parts.onlyActive === true && compiled.activeField && !facts.namesActive;
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

/** Facts that depend only on a domain's shape and an order. */
interface Facts {
  readonly order: readonly OrderTerm[];
  /** Models behind relations, whose guards apply. */
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
  const readPaths = reads.map(({ path }) => path.map(({ name }) => name).join('.')).join();
  return cachedPlan(bound, `facts|${compiled.name}|${ctx.su ? 's' : 'u'}|${domain.shape}|${order}|${readPaths}`, () => {
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

/** Whether no record can match: `in` with an empty list is always false, so no query is needed. */
function isNever(node: DomainNode): boolean {
  if (node.kind === 'and') return node.nodes.some(isNever);
  if (node.kind === 'or') return node.nodes.every(isNever);
  if (node.kind !== 'leaf') return node.kind === 'none';
  const { kind, count, hasEmpty, hasFalse, hasTrue } = node.value;
  return node.operator === 'in' && kind === 'list' && count === 0 && !hasEmpty && !hasFalse && !hasTrue;
}

/** Compiles once to record the models that relations lead to. */
class Recorder extends SqlScope {
  readonly behind = new Set<string>();

  constructor(bound: BoundModel) {
    super({ knex: bound.knex, registry: bound.registry, codec: bound.codec, languages: bound.registry.languages });
  }

  override guardOf(model: string): Guard {
    this.behind.add(model);
    return { domain: allRecords, source: 0 };
  }
}

/** Creates a scope for trial compilation, and the level of the model's rows in it. */
export function factsRecorder(bound: BoundModel): { scope: Recorder; level: Level } {
  const scope = new Recorder(bound);
  return { scope, level: rootLevel(bound, scope) };
}

/** Returns the full-text condition that all records must meet, if there is exactly one. */
function rankedLeaf({ node }: ParsedDomain): Leaf | null {
  const top = node.kind === 'and' ? node.nodes : [node];
  const matchLeaves = top.filter(
    (inner): inner is Leaf => inner.kind === 'leaf' && inner.operator === 'matches' && inner.path.length === 1,
  );
  return matchLeaves.length === 1 ? (matchLeaves[0] ?? null) : null;
}

/** Creates the scope for compiling a prepared query. */
export function scopeFor(bound: BoundModel, { guards }: Prepared): SqlScope {
  const { knex, registry, codec } = bound;
  return new SqlScope({ knex, registry, codec, languages: languagesOf(bound), guards });
}

/** Returns the level of the model's own rows, with the domain's values. */
export function rootLevel({ compiled, ctx }: BoundModel, scope: SqlScope): Level {
  return { model: compiled, alias: scope.use(compiled), source: source.domain, guarded: !ctx.su };
}

/** Returns the conditions of a prepared query, without `excludedLeaf`, which a ranking covers. */
export function whereSql(
  bound: BoundModel,
  scope: SqlScope,
  level: Level,
  query: Prepared,
  excludedLeaf: Leaf | null = null,
): Sql[] {
  const node = excludedLeaf === null ? query.domain.node : withoutLeaf(query.domain.node, excludedLeaf);
  const conditions = [
    domainSql(scope, level, node),
    domainSql(scope, { ...level, source: source.guard, guarded: false }, query.guard.node),
    query.onlyActive ? column(scope, level.alias, activeColumn(bound)) : null,
  ];
  return conditions.filter((sql) => sql !== null);
}

function withoutLeaf(node: ParsedDomain['node'], leaf: Leaf): ParsedDomain['node'] {
  // By index, because the cached plan applies to every domain of this shape.
  if (node.kind === 'leaf' && node.index === leaf.index) return { kind: 'all' };
  return node.kind === 'and' ? { kind: 'and', nodes: node.nodes.map((inner) => withoutLeaf(inner, leaf)) } : node;
}

function activeColumn({ compiled }: BoundModel): string {
  return compiled.fields.get('active')?.column ?? 'active';
}

/** The reader's language, then the default one, then all others. */
function languagesOf(bound: BoundModel): readonly string[] {
  const readerLanguage = languageOf(bound);
  return [readerLanguage, ...bound.registry.languages.filter((lang) => lang !== readerLanguage)];
}

/** The language in which translated fields are read. */
function languageOf({ ctx, registry }: BoundModel): string {
  return registry.languages.includes(ctx.lang) ? ctx.lang : registry.defaultLanguage;
}
