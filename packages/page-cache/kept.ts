import type { Ctx, ServiceClass } from '@pergola/core';
import { type LiveValues, liveValues } from './live-values.ts';

/** What a kept value depends on; lists are of ids. */
type About = readonly (string | number | null | readonly number[])[];

/** Values that carts and pages ask for all the time, and that are kept in memory until what they were read from changes. */
export interface Kept<A extends About, T> {
  /** For the list of services in `addon.ts`. */
  readonly service: ServiceClass<LiveValues<T>>;
  /** Everybody gets the same object. From memory for whoever works with lifted rights; others read under their own. */
  get(ctx: Ctx, ...about: A): Promise<T>;
}

/**
 * Declares such values. `read` depends on nothing but what it is given: where texts are read, the language is one of these.
 *
 * ```ts
 * export const taxRules = kept('sale.taxes', (ctx, ids: Ids) => …);
 * const rules = await taxRules.get(ctx, [3, 4]);
 * ```
 *
 * @param most how many values are kept
 */
export function kept<const A extends About, T>(
  name: string,
  read: (ctx: Ctx, ...about: A) => Promise<T>,
  most?: number,
): Kept<A, T> {
  const service = liveValues<T>(name, { read: (ctx, key) => read(ctx, ...(JSON.parse(key) as A)), most });
  return {
    service,
    get: (ctx, ...about) =>
      ctx.su ? ctx.get(service).get(ctx, JSON.stringify(about.map(inOrder))) : read(ctx, ...about),
  };
}

/** The same ids in another order are the same question. */
function inOrder(part: About[number]): About[number] {
  return typeof part === 'object' && part !== null ? [...new Set(part)].sort((a, b) => a - b) : part;
}
