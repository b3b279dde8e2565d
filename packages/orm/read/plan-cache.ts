import { namedCache } from '@pergola/core';
import type { LRUCache } from 'lru-cache';
import type { BoundModel } from '../compiled.ts';

/** What was made once for the shapes of queries, by what tells them apart. */
export type QueryPlans = LRUCache<string, NonNullable<unknown>>;

/** An empty cache; an application has some hundreds of shapes. */
export function queryPlans(): QueryPlans {
  return namedCache('query_plans', { max: 4_000, entryBytes: 3000 });
}

/**
 * What was made for this key, made now when it is new (or was made a long time ago). Compiling a statement takes knex some 0.5 ms of CPU, twice what putting texts
 * together by hand took; what runs again takes the same.
 */
export function kept<T extends NonNullable<unknown>>({ plans }: BoundModel, key: string, make: () => T): T {
  // Some fifty times a request: to note which was used last would cost as much as finding it.
  const known = plans.peek(key);
  if (known !== undefined) return known as T;
  const made = make();
  plans.set(key, made);
  return made;
}
