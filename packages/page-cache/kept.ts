import type { Ctx, ServiceClass } from '@pergola/core';
import { type LiveValues, liveValues } from './live-values.ts';

/** Arguments that identify a cached value; lists contain ids. */
type About = readonly (string | number | null | readonly number[])[];

/** Values used by carts and pages all the time, cached in memory until the data they were read from changes. */
export interface Kept<A extends About, T> {
  /** To be listed among the services in `addon.ts`. */
  readonly service: ServiceClass<LiveValues<T>>;
  /**
   * Returns the value; the object is shared. Served from memory in contexts with elevated rights; other callers read it with their own
   * rights.
   */
  get(ctx: Ctx, ...about: A): Promise<T>;
}

/**
 * Declares cached values. `read` may depend only on its arguments; if it reads texts, the language has to be one of them.
 *
 * ```ts
 * export const taxRules = kept('sale.taxes', (ctx, ids: Ids) => …);
 * const rules = await taxRules.get(ctx, [3, 4]);
 * ```
 *
 * @param maxValues maximum number of cached values
 */
export function kept<const A extends About, T>(
  name: string,
  read: (ctx: Ctx, ...args: A) => Promise<T>,
  maxValues?: number,
): Kept<A, T> {
  const service = liveValues<T>(name, { read: (ctx, key) => read(ctx, ...(JSON.parse(key) as A)), most: maxValues });
  return {
    service,
    get: (ctx, ...args) => (ctx.su ? ctx.get(service).get(ctx, JSON.stringify(args.map(inOrder))) : read(ctx, ...args)),
  };
}

/** Sorts ids, so that their order doesn't affect the key. */
function inOrder(part: About[number]): About[number] {
  return typeof part === 'object' && part !== null ? [...new Set(part)].sort((a, b) => a - b) : part;
}
