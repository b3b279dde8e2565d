import type { Cookies, Generation } from '@pergola/core';
import type { ResolvableRequest } from './request-attributes.ts';

/** Visitor-specific part of a page, inserted after caching. */
export type Hole =
  | { readonly kind: 'fragment'; readonly id: string }
  | { readonly kind: 'csrf' }
  | { readonly kind: 'session' };

/** A page cut at its holes: always one more part than holes. */
export interface PageParts {
  readonly parts: readonly string[];
  readonly holes: readonly Hole[];
}

/** Everything that identifies a cached page, except its freshness. */
export interface PageQuestion {
  readonly generation: Generation;
  readonly origin: string;
  /** As routed, without language prefix. */
  readonly path: string;
  /** As requested, with the prefix. */
  readonly visitedPath: string;
  readonly lang: string;
  readonly timezone: string;
  readonly groups: ReadonlySet<string>;
  /** The keys of all attributes, in order. */
  readonly attributes: string;
  /** Declared query values as parsed, in JSON with sorted keys; may be empty. */
  readonly query: string;
  /** Whether the address has undeclared query values. Only pages that never read the whole address can serve such a request. */
  readonly undeclared: boolean;
  /** Visitors without a session all get the same page; visitors with one get it with its holes filled for them. */
  readonly session: boolean;
  /** Include the cookie that determines how recent a page has to be after the visitor's last write. */
  readonly cookies: Cookies;
}

/** Result of a render, before checking whether it may be cached. */
export interface RenderedPage extends PageParts {
  readonly status: number;
  /** Content type, security headers, and headers set by the handler. */
  readonly headers: Readonly<Record<string, string>>;
  /** False if the page can't be cached for a reason no tracker sees (cookies set, a status other than 200). */
  readonly keep: boolean;
}

/** A GET or HEAD request of a visitor without a session, before parsing. */
export interface LocatableRequest extends ResolvableRequest {
  readonly origin: string;
  /** With its `?`, or empty. */
  readonly query: string;
}

/** Resolves requests for the page cache, which runs in front of Express. */
export interface PageLocator {
  /**
   * Identifies everything `locate` depends on apart from the request: a new object after every change (generation, prepared attributes and
   * addresses). Null while those are being refreshed; then the cache serves nothing. Called on every hit, so it has to be as fast as
   * possible.
   */
  epoch(): object | null;
  /**
   * Cache question for a visitor without a session, or null if the request needs the full path (redirect, cookies to set, invalid query
   * values, an uncacheable page). Pure: reads headers and cookies only through `request`, which records them, so that the next request with
   * the same values need not be located again.
   */
  locate(request: LocatableRequest): PageQuestion | null;
}

/** Reports in `pergola dev` whether a page was cached, and the reason if not. */
export const CACHE_HEADER = 'X-Pergola-Cache';
