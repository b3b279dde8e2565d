import { namedCache } from '@pergola/caches';
import type { LRUCache } from 'lru-cache';
import type { BoundModel } from '../compiled.ts';

/** Cached results by the shapes of queries. */
export type QueryPlans = LRUCache<string, NonNullable<unknown>>;

/** Creates an empty cache; an application has a few hundred shapes. */
export function queryPlans(): QueryPlans {
  return namedCache('query_plans', { max: 4_000, entryBytes: 3000 });
}

/**
 * Returns the cached result for this key, creating it if it is missing. Compiling a statement takes knex about 0.5 ms of CPU, twice as long
 * as concatenating strings by hand; running it again takes the same.
 */
export function cachedPlan<T extends NonNullable<unknown>>({ plans }: BoundModel, key: string, make: () => T): T {
  // Called about fifty times per request: tracking recent use would cost as much as the lookup.
  const cached = plans.peek(key);
  if (cached !== undefined) return cached as T;
  const created = make();
  plans.set(key, created);
  return created;
}
