import { callable, contributionPoint, inSlices, listPoint, sentence, shaped, text } from '@pergola/core';
import { groups } from '@pergola/orm';
import { z } from 'zod';
import type { AddressResolver } from './address.ts';
import type { BearerProvider } from './bearer.ts';
import type { IdentityProvider } from './identity.ts';
import type { FallbackDefinition, RouteDefinition, RouteExtension } from './routes/route.ts';
import { isMadeName } from './routes/route-check.ts';
import { routeTableSteps } from './routes/route-table.ts';
import { type CspSource, cspProblems } from './security/security-headers-sources.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Routes by path: `route.page(…)`, `action(…)`, …, or lists of them. */
    routes: readonly (RouteDefinition | readonly RouteDefinition[])[];
    /** Changes to routes of other addons: `extendRoute(…)`. */
    routeExtensions: readonly RouteExtension[];
    /**
     * Hosts that the Content-Security-Policy of pages allows; the same for all pages of a generation.
     *
     * ```ts
     * cspSources: [{ directive: 'frame-src', source: 'https://www.youtube-nocookie.com' }],
     * ```
     */
    cspSources: readonly CspSource[];
    // biome-ignore lint/suspicious/noExplicitAny: a resolver of any state
    address: AddressResolver<any>;
    /** Handlers for paths without a route. */
    fallbacks: readonly FallbackDefinition[];
    /** Looks up users; provided once, by the base addon. */
    identity: IdentityProvider;
    /** Authenticates API clients by access token; provided once. */
    bearer: BearerProvider;
  }
}

const routeShape = shaped('a route', '`route.page`, `route.form`, …', {
  path: text,
  name: text,
  methods: z.array(text),
  handler: callable,
});

const routeExtensions = contributionPoint('routeExtensions', {
  shape: z.array(shaped('a change to a route', '`extendRoute(…)`', { route: text, around: callable })),
  build: ({ contributions }) => contributions,
});

/** Routes by path. */
export const routes = contributionPoint('routes', {
  shape: z.array(
    z.union([routeShape, z.array(routeShape)], 'must be made by `route.page`, `route.form`, …, or be a list of these'),
  ),
  names: {
    what: 'route',
    // Routes without a name are named after their path.
    of: (list) =>
      list
        .flat()
        .filter((route) => !isMadeName(route))
        .map(({ name }) => name),
  },
  needs: { groups, extensions: routeExtensions },
  async build({ addons, contributions, needs, pause, report }) {
    const steps = routeTableSteps(
      addons.map((addon) => ({
        name: addon.name,
        folder: addon.folder,
        routes: contributions.find((contribution) => contribution.addon === addon)?.value ?? [],
        routeExtensions: needs.extensions.find((extension) => extension.addon === addon)?.value ?? [],
      })),
      { groups: new Set(needs.groups.keys()) },
    );
    const { table, problems } = await inSlices(steps, pause);
    problems.forEach(report);
    return table;
  },
  changes(table, contributions, comes) {
    const names = new Set(contributions.map(({ addon }) => addon.name));
    return table
      .list()
      .filter(({ addon }) => names.has(addon))
      .map(({ addon, method, path, name }) => ({
        topic: 'route',
        addon,
        sentence: sentence(comes ? 'New address: {method} {path}' : 'Removed address: {method} {path}', {
          method,
          path,
        }),
        data: { method, path, name },
      }));
  },
});

export const cspSources = contributionPoint('cspSources', {
  build({ contributions, report }) {
    cspProblems(contributions).forEach(report);
    return contributions.flatMap(({ value }) => value);
  },
});

export const address = listPoint('address', {
  shape: z.looseObject({ prepare: callable, resolve: callable, localize: callable }),
  single: true,
});

export const fallbacks = listPoint('fallbacks', {
  shape: z.array(shaped('a fallback', 'hand', { name: text, handler: callable })),
});

export const identity = listPoint('identity', {
  shape: z.looseObject({ load: callable, anonymous: callable }),
  single: true,
});

export const bearer = listPoint('bearer', {
  shape: z.looseObject({ isToken: callable, load: callable }),
  single: true,
});

export const httpPoints = [routeExtensions, routes, cspSources, address, fallbacks, identity, bearer];
