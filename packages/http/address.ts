import type { Ctx, RequestAttributes } from '@pergola/core';
import type { ResolvableRequest } from '@pergola/page-cache';

/** A parsed address: the path to route, its language, and a redirect target if the visitor belongs elsewhere. */
export interface Address {
  readonly path: string;
  readonly lang: string;
  readonly timezone?: string;
  readonly redirect?: { readonly to: string; readonly status: 301 | 302 };
  /** Cookies to set with the reply. */
  readonly cookies?: Readonly<Record<string, string>>;
}

/**
 * Determines language, path and early redirects from the address; provided by at most one addon (website). Without it, paths are used
 * unchanged and the language is the user's, or else the default.
 */
export interface AddressResolver<S = unknown> {
  readonly prepare: (ctx: Ctx) => Promise<S>;
  readonly resolve: (
    state: S,
    request: ResolvableRequest & {
      readonly method: string;
      /** With its `?`, or empty. */
      readonly query: string;
      readonly userLang: string | null;
      /** Whether a route at this path has language prefixes; pages without a route do. */
      readonly multilang: (path: string) => boolean;
    },
  ) => Address;
  /** A path of this site in the given language: `/fr/forum`. */
  readonly localize: (state: S, path: string, lang: string, attributes: Readonly<RequestAttributes>) => string;
  /** Host names served in addition to the configured ones. */
  readonly hosts?: (state: S) => readonly string[];
}
