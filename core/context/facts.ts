import { z } from 'zod';
import { callable, listPoint, shaped, text } from '../kernel/index.ts';
import type { Ctx, Facts } from './context.ts';
import type { RequestView } from './request-view.ts';

declare module '../kernel/point.ts' {
  interface Contributions {
    // biome-ignore lint/suspicious/noExplicitAny: facts of any name and state
    facts: readonly FactDefinition<any, any>[];
  }
}

/** What a resolver may look at; quick to make, the same for the page cache and the router. */
export interface ResolvableRequest {
  readonly host: string;
  readonly path: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly headers: RequestView['headers'];
  /** Facts resolved before this one, in addon order. */
  readonly facts: Readonly<Partial<Facts>>;
}

/**
 * What a request is about (its website, its pricelist), worked out before it is routed and part of a kept page's key.
 * `prepare` reads what is needed and is run again when that changes; `resolve` must be quick and pure.
 */
export interface FactDefinition<K extends keyof Facts = keyof Facts, S = unknown> {
  readonly name: K;
  readonly prepare: (ctx: Ctx) => Promise<S>;
  readonly resolve: (state: S, request: ResolvableRequest) => Facts[K];
  /** The fact as it stands in a cache key. Default JSON. */
  readonly key: (value: Facts[K]) => string;
}

/** Declares a fact; see {@link FactDefinition}. */
export function fact<K extends keyof Facts, S>(
  name: K,
  about: {
    prepare: (ctx: Ctx) => Promise<S>;
    resolve: (state: S, request: ResolvableRequest) => Facts[K];
    key?: (value: Facts[K]) => string;
  },
): FactDefinition<K, S> {
  return Object.freeze({ name, key: (value: Facts[K]) => JSON.stringify(value) ?? '', ...about });
}

/** What requests are about, in the order of the addons. */
export const facts = listPoint('facts', {
  shape: z.array(shaped('a fact', '`fact(…)`', { name: text, prepare: callable, resolve: callable })),
});
