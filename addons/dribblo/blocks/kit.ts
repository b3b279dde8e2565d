import type { Snippet } from '@pergola/website';
import { type Ctx, type RequestView, route, type TemplateName, type z } from 'pergola';
import type { RouteDefinition } from 'pergola/http';
import type { BlockDefinition } from 'pergola/pages';

/** Default offset and number of next matches. */
export const NEXT_DEFAULTS = { next: 0, nbr: 1 } as const;

/** A content element of the club: its block, its drawer entry, and the call that refreshes it. */
export interface Piece {
  // biome-ignore lint/suspicious/noExplicitAny: blocks of any options
  readonly blocks: readonly BlockDefinition<any>[];
  readonly snippets: readonly Snippet[];
  readonly routes: readonly RouteDefinition[];
}

/** Call that reloads the markup of a snippet. */
export interface Refresh {
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Defines a call that returns the markup of a snippet. */
export function markupRoute<const Path extends string, I extends z.ZodType>(
  path: Path,
  call: { name: string; input: I; template: TemplateName | ((input: z.infer<I>) => TemplateName) },
  load: (ctx: Ctx, input: z.infer<I>, request: RequestView) => Promise<object>,
) {
  const { name, input, template } = call;
  return route.rpc(
    path,
    { name, input, limit: { bytes: 65_536 } },
    async ({ ctx, input: args, request, renderFragment }) =>
      renderFragment(typeof template === 'string' ? template : template(args), await load(ctx, args, request)),
  );
}

/** Drawer entry of a block in this addon. */
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

/** Domain of the club's own teams, for block options. */
export const ownTeamsDomain = Object.freeze([Object.freeze(['is_ours', '=', true])]);
