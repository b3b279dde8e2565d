import { mayReadField, requireFields, requireRight } from '../access/rights.ts';
import type { BoundModel } from '../compiled.ts';
import { allWhere } from '../domain/combine.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Id } from '../fields.ts';
import { allWords, mostRanked, type SearchWay } from '../search/matches.ts';
import type { CountOptions, FindOptions, RawDomain } from '../types.ts';
import { complete } from './complete.ts';
import { limited, limitKey } from './limit.ts';
import { kept } from './plan-cache.ts';
import { type Prepared, prepare, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
import { fetchRows, type RowsQuery } from './rows.ts';
import { compiledFrom, run } from './run.ts';
import { searchWay } from './search-way.ts';
import { type PlainRow, type SelectSpec, selected } from './select.ts';

/**
 * Rows that match; see `Model.find`.
 *
 * ```
 *  domain ─▶ parseDomain ─▶ tree, shape, values          guardFor ─▶ which records the user sees, as such a tree
 *                                │                            │
 *  select ─▶ planSelect ─────────┴──────── prepare ◀──────────┘        also for every model behind a relation that is named
 *                                             │ key: all shapes together
 *                          fetchRows: SQL by that key, made once ─▶ run: one statement ─▶ rows with META
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

/** Ids that match, in order; see `Model.search`. */
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

/** Who finds fewer than this among the newest records is shown the older ones too. */
const fewFound = 20;

/**
 * The rows of a query without an anchor. A page of what is ranked is found by the quickest way, unless it lies beyond what that one ranks. Words that each
 * stand in many texts but hardly ever together are looked for in the whole table once the newest records had too few of them.
 */
async function fetchFound(
  bound: BoundModel,
  query: Prepared,
  asked: Pick<RowsQuery, 'shape' | 'plan' | 'limit' | 'offset'>,
): Promise<PlainRow[]> {
  const { limit, offset = 0 } = asked;
  const fetch = async (way: SearchWay | null) =>
    (await fetchRows(bound, query, { ...asked, anchor: { kind: 'find' }, way })).rows;
  if (!query.ranked || limit === undefined || offset + limit > mostRanked) return fetch(null);
  const way = await searchWay(bound, query, query.ranked);
  const rows = await fetch(way);
  const isAll = way.by === 'index' || bound.codec.dialect === 'sqlite';
  return isAll || rows.length >= Math.min(limit, fewFound - offset) ? rows : fetch({ by: 'index', words: allWords });
}

/** How many records match; see `Model.count`. */
export async function countRecords(bound: BoundModel, domain: RawDomain, { most }: CountOptions = {}): Promise<number> {
  requireRight(bound, 'read');
  const query = await prepare(bound, { domain: parseDomain(domain), order: null, onlyActive: true });
  if (!query) return 0;
  const plan = kept(bound, `count|${query.key}|${limitKey({ limit: most })}`, () => {
    const scope = scopeFor(bound, query);
    const level = rootLevel(bound, scope);
    const where = whereSql(bound, scope, level, query);
    const found = allWhere(scope.knex({ [level.alias]: bound.compiled.table }), where);
    const some = limited(scope, found.clone().select(scope.knex.raw('1')), { limit: most }).as('found');
    return compiledFrom(scope, (most === undefined ? found : scope.knex(some)).count({ count: '*' }));
  });
  const sources = [...query.sources];
  sources[source.own] = [undefined, most];
  const [row] = await run(bound, plan, sources);
  return Number(row?.count ?? 0);
}
