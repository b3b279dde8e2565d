import { type Ctx, callable, listPoint, type RequestAttributes, type RequestView, shaped, text } from '@pergola/core';
import { z } from 'zod';

declare module '@pergola/core/contributions' {
  interface Contributions {
    // biome-ignore lint/suspicious/noExplicitAny: attributes of any name and state
    requestAttributes: readonly RequestAttribute<any, any>[];
  }
}

/** The request as resolvers see it; cheap to create, the same for the page cache and the router. */
export interface ResolvableRequest {
  readonly host: string;
  readonly path: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly headers: RequestView['headers'];
  /** Language of the page that makes a call, as named by the call and unchecked. Null or omitted for page visits. */
  readonly pageLang?: string | null;
  /** Request attributes resolved before this one, in addon order. */
  readonly attributes: Readonly<Partial<RequestAttributes>>;
}

/**
 * Property of a request (its website, its pricelist), resolved before routing and part of a cached page's key. `prepare` reads the required
 * data and runs again when it changes; `resolve` must be fast and pure.
 */
export interface RequestAttribute<K extends keyof RequestAttributes = keyof RequestAttributes, S = unknown> {
  readonly name: K;
  readonly prepare: (ctx: Ctx) => Promise<S>;
  readonly resolve: (state: S, request: ResolvableRequest) => RequestAttributes[K];
  /** The value as part of a cache key. Default JSON. */
  readonly key: (value: RequestAttributes[K]) => string;
}

/** Declares a request attribute; see {@link RequestAttribute}. */
export function requestAttribute<K extends keyof RequestAttributes, S>(
  name: K,
  options: {
    prepare: (ctx: Ctx) => Promise<S>;
    resolve: (state: S, request: ResolvableRequest) => RequestAttributes[K];
    key?: (value: RequestAttributes[K]) => string;
  },
): RequestAttribute<K, S> {
  return Object.freeze({ name, key: (value: RequestAttributes[K]) => JSON.stringify(value) ?? '', ...options });
}

/** Request attributes in the order of the addons. */
export const requestAttributes = listPoint('requestAttributes', {
  shape: z.array(
    shaped('a request attribute', '`requestAttribute(…)`', { name: text, prepare: callable, resolve: callable }),
  ),
});
