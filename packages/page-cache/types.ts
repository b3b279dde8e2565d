import type { Cookies, Generation } from '@pergola/core';
import type { ResolvableRequest } from './request-attributes.ts';

/** Something per visitor that is put into a page after the cache. */
export type Hole =
  | { readonly kind: 'fragment'; readonly id: string }
  | { readonly kind: 'csrf' }
  | { readonly kind: 'session' };

/** A page cut at its holes: always one more part than holes. */
export interface PageParts {
  readonly parts: readonly string[];
  readonly holes: readonly Hole[];
}

/** Everything a kept page is kept under, besides its freshness. */
export interface PageQuestion {
  readonly generation: Generation;
  readonly origin: string;
  /** As routed: without language prefix. */
  readonly path: string;
  /** As the visitor wrote it, with the prefix. */
  readonly visitedPath: string;
  readonly lang: string;
  readonly timezone: string;
  readonly groups: ReadonlySet<string>;
  /** The keys of all attributes, in order. */
  readonly attributes: string;
  /** The declared query values as parsed, in JSON with sorted keys; the empty text when there are none. */
  readonly query: string;
  /** Whether the address has query values that the route doesn't declare. Only pages that never read their whole address answer such a request. */
  readonly undeclared: boolean;
  /** Visitors without a session all get the same page; those with one get it with its holes filled for them. */
  readonly session: boolean;
  /** Among them what says how new a page has to be for a visitor who wrote. */
  readonly cookies: Cookies;
}

/** What a render made, before it is known whether it may be kept. */
export interface RenderedPage extends PageParts {
  readonly status: number;
  /** Content type, security headers, and what the handler set. */
  readonly headers: Readonly<Record<string, string>>;
  /** False when something forbids keeping it that no tracker sees (cookies set, a status other than 200). */
  readonly keep: boolean;
}

/** A GET or HEAD request of a visitor without a session, before anything of it was parsed. */
export interface LocatableRequest extends ResolvableRequest {
  readonly origin: string;
  /** With its `?`, or empty. */
  readonly query: string;
}

/** How the page cache asks what a request means, so that it can answer in front of Express. */
export interface PageLocator {
  /**
   * Stands for everything that `locate` rests on beside the request: another object as soon as any of it changed (generation, prepared attributes
   * and addresses). Null while that is being prepared again: then nothing kept is served. Asked on every hit: as quick as it can be.
   */
  epoch(): object | null;
  /**
   * What the page of a visitor without a session is kept under; null when the request has to go the long way (redirect, cookies to set, query
   * values that don't fit, nothing that may be kept). Pure: headers and cookies only through `request`, which notes which of them were read, so that the next
   * request with the same ones need not be located again.
   */
  locate(request: LocatableRequest): PageQuestion | null;
}

/** Says in `pergola dev` whether a page was kept, and if not, why. */
export const CACHE_HEADER = 'X-Pergola-Cache';
