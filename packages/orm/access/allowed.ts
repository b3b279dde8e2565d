import type { BoundModel } from '../compiled.ts';
import { column } from '../domain/columns.ts';
import { allWhere } from '../domain/combine.ts';
import type { Id, Ids } from '../fields.ts';
import { cachedPlan } from '../read/plan-cache.ts';
import { prepare, rootLevel, scopeFor, source, whereSql } from '../read/prepare.ts';
import { compiledFrom, run } from '../read/run.ts';
import type { Operation } from './compiled.ts';

/** Filters the ids of existing records on which the user may perform the operation, in their order; see `Model.allowed`. */
export async function allowedIds(bound: BoundModel, ids: Ids, operation: Operation): Promise<Id[]> {
  if (ids.length === 0) return [];
  const query = await prepare(bound, { order: null, operation });
  if (!query) return [];
  const plan = cachedPlan(bound, `allowed|${query.key}|${ids.length === 1}`, () => {
    const scope = scopeFor(bound, query);
    const level = rootLevel(bound, scope);
    const id = bound.compiled.fields.get('id');
    const among =
      id && scope.inList(column(scope, level.alias, 'id'), { source: source.own, index: 0, count: ids.length }, id);
    const idQuery = scope.knex({ [level.alias]: bound.compiled.table }).select(`${level.alias}.id`);
    return compiledFrom(scope, allWhere(idQuery, [among, ...whereSql(bound, scope, level, query)]));
  });
  const sources = [...query.sources];
  sources[source.own] = [ids];
  const allowedSet = new Set((await run(bound, plan, sources)).map((row) => row.id));
  return ids.filter((id) => allowedSet.has(id));
}
