import { guardExtension } from '@pergola/cluster';
import { declaredAt, inAddon, type Problem } from '@pergola/core';
import findMyWay from 'find-my-way';
import type { MountInput, PageInput, RouteDefinition, RouteExtension } from './route.ts';
import { checkRoute, isMadeName } from './route-check.ts';

/** A route of an enabled addon, with all extensions by other addons. */
export interface BoundRoute {
  readonly addon: string;
  readonly route: RouteDefinition;
  /** The handler with its extensions, the last addon's outermost. */
  readonly run: (input: unknown) => Promise<unknown>;
  /** Addons that extend it, innermost first. */
  readonly extendedBy: readonly string[];
}
export interface RouteMatch {
  readonly bound: BoundRoute;
  /** Decoded path parameters; `*` is the rest of a path that ends with it. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A line of `pergola routes --json`. */
export interface RouteListing {
  readonly method: string;
  readonly path: string;
  readonly kind: RouteDefinition['kind'];
  readonly auth: RouteDefinition['auth'];
  readonly groups: readonly string[];
  /** `token` (and origin), `origin` (same-origin check only), `none` (changes nothing), or the reason why there is no check. */
  readonly csrf: string;
  /** Whether it can change anything. */
  readonly writes: boolean;
  readonly addon: string;
  readonly name: string;
  readonly multilang: boolean;
}

/** Paths of static files, without language, handled before any lookup. */
export function isStaticPath(path: string): boolean {
  return /^\/(?:_assets|[a-z][a-z0-9_]*\/static)\//.test(path);
}

/** Routing data of an addon, in dependency order. */
export interface RoutingAddon {
  readonly name: string;
  /** Its folder, to name the lines of its extensions. */
  readonly folder?: string;
  readonly routes: readonly (RouteDefinition | readonly RouteDefinition[])[];
  readonly routeExtensions: readonly RouteExtension[];
}

/** Methods that change nothing and need no CSRF protection. */
export const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Maximum length of a path parameter, in characters: slugs, tokens, wildcard paths. */
const MAX_PARAMETER_LENGTH = 1000;

/**
 * Builds the matcher of a generation from the routes of its addons, as data (order is irrelevant: static segments win over parameters, and
 * those over wildcards), in small steps, because the process serves requests meanwhile.
 *
 * Problems: a duplicate method and path (naming both addons), a duplicate name, a path or options that can't work, an extension of a
 * missing route.
 */
export function* routeTableSteps(
  addons: readonly RoutingAddon[],
  options: { readonly groups?: ReadonlySet<string> } = {},
): Generator<void, { table: RouteTable; problems: Problem[] }> {
  const addonRoutes = addons.flatMap(({ name: addon, routes }) =>
    routes.flat().flatMap((route): AddonRoute[] => {
      const addonRoute = { addon, route };
      return route.form ? [addonRoute, { addon, route: route.form, call: route }] : [addonRoute];
    }),
  );
  const problems = [
    ...addonRoutes.flatMap(({ addon, route }) => checkRoute(addon, route, options.groups)),
    ...nameProblems(addonRoutes),
    ...extensionProblems(addons, addonRoutes),
  ];
  yield;
  const bound = new Map<RouteDefinition, BoundRoute>();
  const router = createRouter();
  const places = new Map<string, BoundRoute>();
  for (const { addon, route, call } of addonRoutes) {
    const boundRoute = bind(addon, route, addons, call && bound.get(call));
    bound.set(route, boundRoute);
    problems.push(...register(router, places, boundRoute));
    yield;
  }
  return { table: new RouteTable(router, [...bound.values()]), problems };
}

interface AddonRoute {
  readonly addon: string;
  readonly route: RouteDefinition;
  /** For an action's form: the call. */
  readonly call?: RouteDefinition;
}
type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;
type Method = findMyWay.HTTPMethod;

function createRouter(): Router {
  return findMyWay({ ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: MAX_PARAMETER_LENGTH });
}

/** Input of a handler, of any kind, as far as breakers look at it. */
type ExtensionInput = Pick<PageInput<unknown, unknown>, 'ctx' | 'params' | 'query'> & Partial<MountInput>;

function bind(addon: string, route: RouteDefinition, addons: readonly RoutingAddon[], call?: BoundRoute): BoundRoute {
  const extensions = addons.flatMap(({ name, routeExtensions }) =>
    routeExtensions.filter((extension) => extension.route === route.name).map((extension) => ({ name, extension })),
  );
  const innermost = (input: unknown): Promise<unknown> =>
    inAddon(addon, async () => route.handler(input, call?.run ?? innermost));
  const run = extensions.reduce<BoundRoute['run']>((next, { name, extension }) => {
    const part = { addon: name, kind: 'extension', name: route.name, declared: extension } as const;
    return async (input) => {
      const { ctx, params, query, serve } = input as ExtensionInput;
      const run = async () => extension.around(input, (changed = input) => next(changed));
      // A mounted handler may already be replying.
      return guardExtension(ctx, part, [params, query], run, serve ? null : () => next(input));
    };
  }, innermost);
  return { addon, route, run, extendedBy: extensions.map(({ name }) => name) };
}

function nameProblems(addonRoutes: readonly AddonRoute[]): Problem[] {
  const seen = new Map<string, AddonRoute>();
  return addonRoutes.flatMap(({ addon, route }): Problem[] => {
    if (isMadeName(route)) return [];
    const existing = seen.get(route.name);
    if (!existing) seen.set(route.name, { addon, route });
    if (!existing) return [];
    const message = `two routes are called "${route.name}": ${describe(existing)} and ${describe({ addon, route })}.`;
    return [{ addon, message, remedy: 'Give one of them another name.' }];
  });
}

function extensionProblems(addons: readonly RoutingAddon[], addonRoutes: readonly AddonRoute[]): Problem[] {
  return addons.flatMap(({ name: addon, folder, routeExtensions }) =>
    routeExtensions.flatMap((extension): Problem[] => {
      const targets = addonRoutes.filter(({ route }) => route.name === extension.route);
      if (targets.length === 1) return [];
      const message =
        targets.length === 0
          ? `extends route "${extension.route}", which no enabled addon has.`
          : `extends route "${extension.route}", and ${targets.length} routes are called so: ${targets.map(describe).join(', ')}.`;
      const remedy =
        targets.length === 0
          ? 'Extend the route by the value its addon exports, and list that addon in `depends` and the route in its `routes`.'
          : 'Give the route a `name` of its own.';
      const place = folder === undefined ? {} : declaredAt(extension, { name: addon, folder }, []);
      return [{ addon, ...place, message, remedy }];
    }),
  );
}

function register(router: Router, places: Map<string, BoundRoute>, bound: BoundRoute): Problem[] {
  const { addon, route } = bound;
  return route.methods.flatMap((method): Problem[] => {
    const place = `${method} ${withoutNames(route.path)}`;
    const existing = places.get(place);
    if (existing) {
      const location =
        existing.addon === addon ? `twice in addon ${addon}` : `in addon ${existing.addon} and in addon ${addon}`;
      const message = `${method} ${route.path} exists ${location} ("${existing.route.name}" and "${route.name}").`;
      return [{ addon, message, remedy: 'Change one path, or wrap the other route with extendRoute.' }];
    }
    places.set(place, bound);
    try {
      const path = withoutEndSlash(route.path);
      router.on(method as Method, path, unused, bound);
      if (route.handling.servesBelow) router.on(method as Method, `${path}/*`, unused, bound);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{ addon, message: `the path "${route.path}" of route "${route.name}" cannot be matched: ${reason}.` }];
    }
  });
}

/** find-my-way requires a function for each route; ours are in the store, because dispatch needs more than a function. */
function unused(): void {}

/** Paths that differ only in parameter names are the same. */
function withoutNames(path: string): string {
  return withoutEndSlash(path).replace(/:\w+/g, ':');
}

function withoutEndSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** `/a/b/:id/c` → `/a`, `/a/b`: prefixes that templates write before the variable part. */
function pathPrefixes(path: string): string[] {
  const fixed = path.split('/').slice(1);
  const end = fixed.findIndex((segment) => /[:*]/.test(segment));
  const segments = end < 0 ? fixed.slice(0, -1) : fixed.slice(0, end);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}

function describe({ addon, route }: AddonRoute): string {
  return `${route.methods.join('/')} ${route.path} of addon ${addon}`;
}

/** All routes of a generation; immutable. */
export class RouteTable {
  readonly #router: Router;
  /** All routes, in addon order. */
  readonly all: readonly BoundRoute[];
  readonly #methods: readonly string[];
  /** Path prefixes, and whether any route below them has language prefixes. */
  readonly #below = new Map<string, boolean>();

  constructor(router: Router, bound: readonly BoundRoute[]) {
    this.#router = router;
    this.all = bound;
    this.#methods = [...new Set(bound.flatMap(({ route }) => route.methods))].sort();
    for (const { route } of bound) {
      for (const beginning of pathPrefixes(route.path)) {
        this.#below.set(beginning, route.multilang || (this.#below.get(beginning) ?? false));
      }
    }
  }

  /** The route for a method (HEAD counts as GET) and a raw path, with or without a trailing slash. */
  match(method: string, path: string): RouteMatch | null {
    const result = this.#router.find((method === 'HEAD' ? 'GET' : method) as Method, path);
    return result ? { bound: result.store as BoundRoute, params: result.params } : null;
  }

  /** Methods with a route at the path, for `Allow`. */
  methodsAt(path: string): readonly string[] {
    const methods = this.#methods.filter((method) => this.match(method, path));
    return methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods;
  }

  /**
   * Whether the path has language prefixes: as declared by its route; for the start of route paths (`/web/binary` of `/web/binary/image`),
   * as declared by those; and for paths without a route, except files.
   */
  isMultilang(path: string): boolean {
    if (isStaticPath(path)) return false;
    const matches = this.#methods.flatMap((method) => this.match(method, path) ?? []);
    if (matches.length > 0) return matches.some(({ bound }) => bound.route.multilang);
    return this.#below.get(withoutEndSlash(path)) ?? true;
  }

  /**
   * Addon that serves a path (without language prefix) with a static file or a route, of this method or of any. Null for paths left to
   * fallbacks.
   */
  ownerOf(path: string, method?: 'GET' | 'POST'): string | null {
    if (isStaticPath(path)) return path.split('/')[1] ?? null;
    for (const candidate of method ? [method] : this.methodsAt(path)) {
      const match = this.match(candidate, path);
      if (match) return match.bound.addon;
    }
    return null;
  }

  /** Whether a route pattern (`/forum/:forum`) would match a path; it needn't be in the table. */
  fits(pattern: string, path: string): boolean {
    const router = createRouter();
    router.on('GET', pattern, unused);
    return router.find('GET', path) !== null;
  }

  list(): readonly RouteListing[] {
    return this.all
      .flatMap(({ addon, route }) => route.methods.map((method) => listing(addon, route, method)))
      .sort((a, b) => (a.path === b.path ? compare(a.method, b.method) : compare(a.path, b.path)));
  }
}

function listing(addon: string, route: RouteDefinition, method: string): RouteListing {
  const { path, kind, auth, name, multilang } = route;
  const writes = route.writes && !READING.has(method);
  const groups = (route.options.groups ?? []) as readonly string[];
  return { method, path, kind, auth, groups, csrf: csrfOf(route, method), writes, addon, name, multilang };
}

function csrfOf(route: RouteDefinition, method: string): string {
  if (READING.has(method)) return 'none';
  const { csrf = true } = route.options;
  if (typeof csrf === 'object' && csrf !== null && 'off' in csrf) return `off: ${csrf.off}`;
  return route.handling.hasToken?.(route) ? 'token' : 'origin';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
