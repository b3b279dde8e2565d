import { type Ctx, type RequestView, route, type TemplateName, type z } from 'pergola';
import type { RouteDefinition } from 'pergola/http';
import type { BlockDefinition } from 'pergola/pages';
import type { Snippet } from '#addons/website';

/** What the next match skips, and how many it shows. */
export const NEXT_DEFAULTS = { next: 0, nbr: 1 } as const;

/** One thing of the club that pages show: the block editors place, its entry in the drawer, and the call that refreshes it. */
export interface Piece {
  // biome-ignore lint/suspicious/noExplicitAny: blocks of any options
  readonly blocks: readonly BlockDefinition<any>[];
  readonly snippets: readonly Snippet[];
  readonly routes: readonly RouteDefinition[];
}

/** How the markup of a snippet is asked for again. */
export interface Refresh {
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A call that answers the snippet's markup. */
export function markupRoute<I extends z.ZodType>(
  path: string,
  about: { name: string; input: I; template: TemplateName | ((input: z.infer<I>) => TemplateName) },
  load: (ctx: Ctx, input: z.infer<I>, request: RequestView) => Promise<object>,
): RouteDefinition {
  const { name, input, template } = about;
  return route.rpc(
    path,
    { name, input, limit: { bytes: 65_536 } },
    async ({ ctx, input: given, request, renderFragment }) =>
      renderFragment(typeof template === 'string' ? template : template(given), await load(ctx, given, request)),
  );
}

/** The drawer's entry of a block of this addon. */
export function entry(
  name: string,
  label: string,
  blockOptions: Readonly<Record<string, unknown>> = {},
  block = name,
): Snippet {
  return {
    id: `dribblo.${name}`,
    label,
    tab: 'dynamic',
    thumbnail: `/dribblo/static/snippets/${name.replaceAll('_', '-')}.svg`,
    block: `dribblo.${block}`,
    blockOptions,
  };
}

/** Domain of the club's own teams, for options of blocks. */
export const ours = Object.freeze([Object.freeze(['is_ours', '=', true])]);
