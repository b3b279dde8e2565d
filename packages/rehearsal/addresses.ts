import type { Generation } from '@pergola/core';
import { routes } from '@pergola/http';

/** Maximum number of sitemap files to read. */
const MAX_SITEMAPS = 20;

/** Samples of a kind of page that only signed-in people see. */
const MAX_RESTRICTED = 3;

/** Addresses of pages that can be reached without parameters. */
export function plainAddresses(generation: Generation): string[] {
  return generation
    .get(routes)
    .all.filter(({ route: { kind, path } }) => kind === 'page' && !/[:*]/.test(path))
    .map(({ route: { path } }) => path);
}

/** Route of an address: its addon and name. Empty for pages that no route serves, null for what isn't a page. */
export function routeOf(generation: Generation, path: string): string | null {
  const table = generation.get(routes);
  const match = table.match('GET', path) ?? table.match('GET', withoutLanguage(path));
  if (match) return match.bound.route.kind === 'page' ? `${match.bound.addon} ${match.bound.route.name}` : null;
  return /\/static\/|^\/_assets\/|\.\w{2,4}$/.test(path) ? null : '';
}

const LANGUAGE = /^\/[a-z]{2}(?:[_-][A-Za-z]{2})?(?=\/|$)/;

function withoutLanguage(path: string): string {
  return path.replace(LANGUAGE, '') || '/';
}

/**
 * Chooses addresses: the `first` ones as they are, then from each kind of page in turn, spread over all of its addresses. A kind is a
 * route in one language. Most sites have far more public pages than others, and more visitors than staff.
 */
export function sampled(
  generation: Generation,
  first: readonly string[],
  candidates: Iterable<string>,
  limit: number,
): string[] {
  const byKind = new Map<string, string[]>();
  const sample = new Set(first.slice(0, limit));
  for (const path of new Set(candidates)) {
    const route = sample.has(path) ? null : routeOf(generation, path);
    if (route === null) continue;
    const kind = `${LANGUAGE.exec(path)?.[0] ?? ''} ${route}`;
    byKind.set(kind, [...(byKind.get(kind) ?? []), path]);
  }
  const restricted = new Set(
    generation
      .get(routes)
      .all.filter(({ route: { auth } }) => auth === 'user')
      .map(({ addon, route: { name } }) => `${addon} ${name}`),
  );
  const queues = [...byKind].map(([kind, paths]) =>
    spread(paths).slice(0, restricted.has(kind.slice(kind.indexOf(' ') + 1)) ? MAX_RESTRICTED : limit),
  );
  while (sample.size < limit && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const path = queue.shift();
      if (path !== undefined && sample.size < limit) sample.add(path);
    }
  return [...sample];
}

/** The first, the last, the middle one, then those between: a beginning of the result is spread over the whole list. */
function spread(paths: readonly string[]): string[] {
  const order = new Set([0, paths.length - 1]);
  for (let step = paths.length / 2; step >= 1 && paths.length > 0; step /= 2)
    for (let index = step; index < paths.length; index += step) order.add(Math.floor(index));
  for (const index of paths.keys()) order.add(index);
  return [...order].flatMap((index) => paths[index] ?? []);
}

/** Addresses in the sitemap, as search engines read it; none without one. */
export async function sitemapAddresses(
  read: (path: string) => Promise<string>,
  limit: number,
): Promise<readonly string[]> {
  const files = ['/sitemap.xml'];
  const addresses = new Set<string>();
  for (let index = 0; index < Math.min(files.length, MAX_SITEMAPS) && addresses.size < limit; index += 1) {
    const text = await read(files[index] ?? '');
    const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].flatMap(([, location = '']) => pathOf(location) ?? []);
    if (/<sitemapindex/.test(text)) files.push(...paths);
    else for (const path of paths) addresses.add(path);
  }
  return [...addresses];
}

function pathOf(location: string): string | null {
  const url = URL.parse(location.replaceAll('&amp;', '&'));
  return url && url.pathname + url.search;
}
