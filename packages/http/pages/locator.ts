import type { LocatableRequest, PageLocator, PageQuestion } from '@pergola/page-cache';
import { routes } from '../points.ts';
import { mayBeKept, pageQuestion } from '../request-info.ts';
import { parseQuery } from '../routes/query.ts';
import { isStaticPath } from '../routes/route-table.ts';
import type { Site } from '../site.ts';

/** Resolves requests of visitors without a session for the page cache, with the same result as dispatch. */
export function createLocator(site: Site): PageLocator {
  return {
    epoch: () => site.peek(),
    locate: (request) => locate(site, request),
  };
}

function locate(site: Site, request: LocatableRequest): PageQuestion | null {
  const state = site.peek();
  const { path, query, origin, cookies } = request;
  if (!state || isStaticPath(path) || path.includes('//')) return null;
  const located = site.locate(state, { ...withoutAttributes(request), method: 'GET' }, state.anonymous.lang);
  const { address } = located;
  if (address.redirect || Object.keys(address.cookies ?? {}).length > 0) return null;
  if (address.path.endsWith('/') && address.path !== '/') return null;
  const { generation } = site;
  const match = generation.get(routes).match('GET', address.path);
  if (!mayBeKept(match?.bound ?? null)) return null;
  const route = match?.bound.route;
  if (route && (route.auth !== 'public' || route.options.groups !== undefined)) return null;
  const target = { path, parameters: parseQuery(query.slice(1)) };
  return pageQuestion(
    { generation, located, identity: state.anonymous, origin, cookies, session: false, target },
    match,
  );
}

function withoutAttributes({ host, path, cookies, headers, query }: LocatableRequest) {
  return { host, path, cookies, headers, query };
}
