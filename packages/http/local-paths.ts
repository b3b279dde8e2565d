import { type Ctx, contextTools, type RequestAttributes } from '@pergola/core';
import { address, routes } from './points.ts';
import { isStaticPath, type RouteTable } from './routes/route-table.ts';

/** Path of this site in the language of `localize`; paths without languages are unchanged. */
export function localPath(table: RouteTable, path: string, localize: (bare: string) => string): string {
  const end = path.search(/[?#]/);
  const bare = end < 0 ? path : path.slice(0, end);
  if (isStaticPath(bare)) return path;
  const local = localize(bare);
  // Most paths are in the default language and unchanged in any case.
  return local === bare || !table.isMultilang(bare) ? path : local + path.slice(bare.length);
}

/** Localises paths of a site in the context's language outside of page requests: for emails. */
export async function localPaths(ctx: Ctx, attributes: Readonly<RequestAttributes>): Promise<(path: string) => string> {
  const { generation } = ctx.get(contextTools);
  const resolver = generation.get(address).at(-1);
  if (!resolver) return (path) => path;
  const state = await resolver.prepare(ctx.sudo());
  const table = generation.get(routes);
  return (path) => localPath(table, path, (bare) => resolver.localize(state, bare, ctx.lang, attributes));
}
