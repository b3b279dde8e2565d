import { type Ctx, contextTools, type RequestAttributes } from '@pergola/core';
import { address, routes } from './points.ts';
import { isStaticPath, type RouteTable } from './routes/route-table.ts';

/** A path of this site in a language that `localize` knows; paths that have no language stay. */
export function localPath(table: RouteTable, path: string, localize: (bare: string) => string): string {
  const end = path.search(/[?#]/);
  const bare = end < 0 ? path : path.slice(0, end);
  if (isStaticPath(bare)) return path;
  const local = localize(bare);
  // Most are of the default language, and stay whatever they lead to.
  return local === bare || !table.isMultilang(bare) ? path : local + path.slice(bare.length);
}

/** Writes paths of a site in the context's language where no page is made: for mails. */
export async function localPaths(ctx: Ctx, attributes: Readonly<RequestAttributes>): Promise<(path: string) => string> {
  const { generation } = ctx.get(contextTools);
  const resolver = generation.get(address).at(-1);
  if (!resolver) return (path) => path;
  const state = await resolver.prepare(ctx.sudo());
  const table = generation.get(routes);
  return (path) => localPath(table, path, (bare) => resolver.localize(state, bare, ctx.lang, attributes));
}
