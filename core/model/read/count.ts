import { requireRight } from '../access/rights.ts';
import type { BoundModel } from '../compiled.ts';
import { allWhere } from '../domain/combine.ts';
import type { CountOptions, RawDomain } from '../types.ts';
import { limited, limitKey } from './limit.ts';
import { kept } from './plan-cache.ts';
import { parsed, prepare, rootLevel, scopeFor, source, whereSql } from './prepare.ts';
import { compiledFrom, run } from './run.ts';

/** How many records match; see `Model.count`. */
export async function countRecords(bound: BoundModel, domain: RawDomain, { most }: CountOptions = {}): Promise<number> {
  requireRight(bound, 'read');
  const query = await prepare(bound, { domain: parsed(domain), order: null, onlyActive: true });
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
