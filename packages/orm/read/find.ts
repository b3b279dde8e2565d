import { mayReadField, requireFields, requireRight } from '../access/rights.ts';
import type { BoundModel } from '../compiled.ts';
import { allWhere } from '../domain/combine.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Id } from '../fields.ts';
import { allWords, maxRanked, type SearchStrategy } from '../search/matches.ts';
import type { CountOptions, FindOptions, RawDomain } from '../types.ts';
import { complete } from './complete.ts';
import { limited, limitKey } from './limit.ts';
import { cachedPlan } from './plan-cache.ts';
import { type Prepared, prepare, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
import { fetchRows, type RowsQuery } from './rows.ts';
import { compiledFrom, run } from './run.ts';
import { searchStrategy } from './search-way.ts';
import { type PlainRow, type SelectSpec, selected } from './select.ts';

/**
 * Returns matching rows; see `Model.find`.
 *
 * ```
 *  domain ─▶ parseDomain ─▶ tree, shape, values          guardFor ─▶ records visible to the user, as such a tree
 *                                │                            │
 *  select ─▶ planSelect ─────────┴──────── prepare ◀──────────┘        also for every model behind a named relation
 *                                             │ key: all shapes together
 *                          fetchRows: SQL cached by that key ─▶ run: one statement ─▶ rows with META
 *                                             │
 *                          complete: names, computed and related values, then each relation: fetchRows again, one level down
 * ```
 */
export async function findRecords(
  bound: BoundModel,
  domain: RawDomain,
  { select, order, limit, offset }: FindOptions<SelectSpec>,
): Promise<PlainRow[]> {
  requireRight(bound, 'read');
  const { shape, plan } = selected(bound, select);
  requireFields(bound.ctx, plan.restricted, mayReadField);
  const query = await prepare(bound, { domain: parseDomain(domain), order, onlyActive: true, reads: plan.behind });
  if (!query || limit === 0) return [];
  const rows = await fetchFound(bound, query, { shape, plan, limit, offset });
  await complete(bound, select, plan, rows);
  return rows;
}

/** Returns ids of matching records, in order; see `Model.search`. */
export async function searchIds(
  bound: BoundModel,
  domain: RawDomain,
  { order, limit, offset }: Omit<FindOptions<never>, 'select'>,
): Promise<Id[]> {
  requireRight(bound, 'read');
  const query = await prepare(bound, { domain: parseDomain(domain), order, onlyActive: true });
  if (!query || limit === 0) return [];
  const { shape, plan } = selected(bound, {});
  const rows = await fetchFound(bound, query, { shape, plan, limit, offset });
  return rows.map(({ id }) => id);
}

/** If the newest records contain fewer matches than this, older ones are searched, too. */
const fewMatches = 20;

/**
 * Fetches the rows of a query without an anchor. A ranked page uses the fastest strategy, unless it lies beyond the number of records that
 * are ranked. Words that are each frequent but rarely occur together are searched in the whole table if the newest records contain too few
 * matches.
 */
async function fetchFound(
  bound: BoundModel,
  query: Prepared,
  selection: Pick<RowsQuery, 'shape' | 'plan' | 'limit' | 'offset'>,
): Promise<PlainRow[]> {
  const { limit, offset = 0 } = selection;
  const fetch = async (strategy: SearchStrategy | null) =>
    (await fetchRows(bound, query, { ...selection, anchor: { kind: 'find' }, strategy })).rows;
  if (!query.ranked || limit === undefined || offset + limit > maxRanked) return fetch(null);
  const strategy = await searchStrategy(bound, query, query.ranked);
  const rows = await fetch(strategy);
  const isAll = strategy.by === 'index' || bound.codec.dialect === 'sqlite';
  return isAll || rows.length >= Math.min(limit, fewMatches - offset) ? rows : fetch({ by: 'index', words: allWords });
}

/** Counts matching records; see `Model.count`. */
export async function countRecords(
  bound: BoundModel,
  domain: RawDomain,
  { most: max }: CountOptions = {},
): Promise<number> {
  requireRight(bound, 'read');
  const query = await prepare(bound, { domain: parseDomain(domain), order: null, onlyActive: true });
  if (!query) return 0;
  const plan = cachedPlan(bound, `count|${query.key}|${limitKey({ limit: max })}`, () => {
    const scope = scopeFor(bound, query);
    const level = rootLevel(bound, scope);
    const where = whereSql(bound, scope, level, query);
    const matching = allWhere(scope.knex({ [level.alias]: bound.compiled.table }), where);
    const capped = limited(scope, matching.clone().select(scope.knex.raw('1')), { limit: max }).as('found');
    return compiledFrom(scope, (max === undefined ? matching : scope.knex(capped)).count({ count: '*' }));
  });
  const sources = [...query.sources];
  sources[source.own] = [undefined, max];
  const [row] = await run(bound, plan, sources);
  return Number(row?.count ?? 0);
}
