import { requireRight } from '../access/rights.ts';
import type { BoundModel } from '../compiled.ts';
import type { RawDomain } from '../types.ts';
import { kept } from './plan-cache.ts';
import { parsed, prepare, rootLevel, scopeFor, whereSql } from './prepare.ts';
import { compiledFrom, run } from './run.ts';

/** How many records match; see `Model.count`. */
export async function countRecords(bound: BoundModel, domain: RawDomain): Promise<number> {
  requireRight(bound, 'read');
  const query = await prepare(bound, { domain: parsed(domain), order: null, onlyActive: true });
  if (!query) return 0;
  const plan = kept(bound, `count|${query.key}`, () => {
    const scope = scopeFor(bound, query);
    const level = rootLevel(bound, scope);
    const where = whereSql(bound, scope, level, query);
    const from = `select count(*) as "count" from "${bound.compiled.table}" ${level.alias}`;
    return compiledFrom(scope, where.length > 0 ? `${from} where ${where.join(' and ')}` : from);
  });
  const [row] = await run(bound, plan, query.sources);
  return Number(row?.count ?? 0);
}
