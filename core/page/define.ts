import type { z } from 'zod';
import type { Ctx, Facts } from '../context/context.ts';
import type { PageInput, Reply, RequestView } from '../http/route.ts';

/**
 * A piece of page that editors place (`<div data-block="dribblo.next_match" data-options='…'>`); the server fills it when the page is
 * shown. Unknown blocks are empty for visitors and a note for editors.
 */
export interface BlockDefinition<O = unknown> {
  /** `addon.thing` */
  readonly id: string;
  readonly label: string;
  readonly options: z.ZodType<O>;
  readonly template: string;
  /** Values for the template; `request` says which page it stands in. Reading through `ctx` makes the page follow what it read. */
  readonly load: (ctx: Ctx, options: O, request: RequestView) => Promise<object>;
}
/** Declares a block; see {@link BlockDefinition}. */
export function block<O>(
  id: string,
  about: {
    label: string;
    options: z.ZodType<O>;
    template: string;
    load: (ctx: Ctx, options: O, request: RequestView) => Promise<object>;
  },
): BlockDefinition<O> {
  return Object.freeze({ id, ...about });
}

/**
 * A piece of otherwise public pages that differs by visitor or changes all the time (user menu, cart count, view counter): filled in after
 * the page cache. `{{fragment "web.user_menu"}}`.
 */
export interface FragmentDefinition {
  readonly id: string;
  readonly template: string;
  /** Values for the template; `request` says which page it stands in. */
  readonly load: (ctx: Ctx, request: RequestView) => Promise<object>;
  /** `session` (default): visitors without a session all get the same, kept with the page. `always`: made anew on every request. */
  readonly vary: 'session' | 'always';
}
/** Declares a fragment; see {@link FragmentDefinition}. */
export function fragment(
  id: string,
  about: { template: string; load?: (ctx: Ctx, request: RequestView) => Promise<object>; vary?: 'session' | 'always' },
): FragmentDefinition {
  const { template, load = async () => ({}), vary = 'session' } = about;
  return Object.freeze({ id, template, load, vary });
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

/** What an address means: the path to route, the language, and where to send the visitor instead, if anywhere. */
export interface Address {
  readonly path: string;
  readonly lang: string;
  readonly timezone?: string;
  readonly redirect?: { readonly to: string; readonly status: 301 | 302 };
  /** Cookies to set with the answer. */
  readonly cookies?: Readonly<Record<string, string>>;
}

/**
 * Decides language, path and early redirects from the address; at most one addon (website) provides it. Without one, paths are taken as
 * they are and the language is the user's, else the default.
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
      /** Whether a route at this path exists under language prefixes; pages no route knows do. */
      readonly multilang: (path: string) => boolean;
    },
  ) => Address;
  /** A path of this site as it is written in the language: `/fr/forum`. */
  readonly localize: (state: S, path: string, lang: string, facts: Readonly<Facts>) => string;
  /** Host names served beside the configured ones. */
  readonly hosts?: (state: S) => readonly string[];
}

/** Last resort for paths no route knows (pages at their own url, redirects, files by url); asked in addon order until one answers. */
export interface FallbackDefinition {
  readonly name: string;
  readonly handler: (input: PageInput<Record<never, never>, undefined>) => Promise<Reply | null>;
}

/** One step of a {@link TourDefinition}. */
export interface TourStep {
  /** CSS selector of what the step is about; without one it is a dialog. */
  readonly element?: string;
  readonly title: string;
  readonly content?: string;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right';
  /** What the test does and a person is asked to. Default: click. */
  readonly action?: 'click' | 'type' | 'select' | 'none';
  /** What is typed or chosen. */
  readonly text?: string;
  /** Typed only when the element is empty. */
  readonly onlyIfEmpty?: boolean;
  /** The step starts only when this matches … */
  readonly waitFor?: string;
  /** … or no longer matches. */
  readonly waitNot?: string;
  /** What keeps the tour from going on, and a call that puts it right. */
  readonly trouble?: TourTrouble;
}

/** Something on the page that a tour cannot go on with: the person is told, and offered to have it put right and to begin anew. */
export interface TourTrouble {
  /** It is there when this matches. */
  readonly when: string;
  /** What is wrong, as a question whether to do what `label` says. */
  readonly help: string;
  readonly label: string;
  /** The JSON-RPC route that does it, without parameters. */
  readonly call: string;
}

/** A walk through the product: shown to people step by step, and run by the browser tests. */
export interface TourDefinition {
  readonly id: string;
  readonly name: string;
  /** Where it starts. */
  readonly path: string;
  readonly steps: readonly TourStep[];
}
/** Declares a tour; see {@link TourDefinition}. */
export function tour(definition: TourDefinition): TourDefinition {
  return Object.freeze(definition);
}
