import type { z } from 'zod';
import type { Ctx, RequestView } from '../context/index.ts';

/**
 * A piece of page that editors place (`<div data-block="dribblo.next_match" data-options='…'>`); the server fills it when the page is
 * shown. Unknown blocks are empty for visitors and a note for editors.
 */
export interface BlockDefinition<O = unknown> {
  /** `addon.thing` */
  readonly id: string;
  readonly label: string;
  /**
   * A zod object; the editor makes a form of it. Every option has a default, and says by `.meta(…)` what people see: `title`, `description`; for the id of a
   * record (or several) `records` (its model), `where` (a domain) and `none` (what 0 is called).
   */
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
  /**
   * Visitors without a session all get the same. `session` (default): as part of the kept page. `often`: kept apart from it, for what changes more often
   * than all else on the page (stock, seats). `always`: made anew on every request.
   */
  readonly vary: 'session' | 'often' | 'always';
}
/** Declares a fragment; see {@link FragmentDefinition}. */
export function fragment(
  id: string,
  about: {
    template: string;
    load?: (ctx: Ctx, request: RequestView) => Promise<object>;
    vary?: FragmentDefinition['vary'];
  },
): FragmentDefinition {
  const { template, load = async () => ({}), vary = 'session' } = about;
  return Object.freeze({ id, template, load, vary });
}
