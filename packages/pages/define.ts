import type { Ctx, RequestView } from '@pergola/core';
import { declaredHere } from '@pergola/core';
import type { z } from 'zod';

/** Every template, by its id, with the values it asks for; written from the templates themselves (`tools/templates`). */
// biome-ignore lint/suspicious/noEmptyInterface: what is written fills it by declaration merging
export interface Templates {}
/** The id of a template; any text where nothing is known of the templates yet. */
export type TemplateName = keyof Templates extends never ? string : keyof Templates;
/** The values of a template. */
export type TemplateValues<T> = T extends keyof Templates ? Templates[T] : object;
/** What comes behind the id of a template: its values, which may be left out where it needs none. */
export type WithValues<T, More extends readonly unknown[] = []> =
  Record<never, never> extends TemplateValues<T>
    ? [values?: TemplateValues<T>, ...more: More]
    : [values: TemplateValues<T>, ...more: More];

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
  readonly template: TemplateName;
  /** Values for the template; `request` says which page it stands in. Reading through `ctx` makes the page follow what it read. */
  readonly load: (ctx: Ctx, options: O, request: RequestView) => Promise<object>;
}
/** Declares a block; see {@link BlockDefinition}. */
export function block<O, const T extends TemplateName>(
  id: string,
  about: {
    label: string;
    options: z.ZodType<O>;
    template: T;
    load: (ctx: Ctx, options: O, request: RequestView) => Promise<TemplateValues<T>>;
  },
): BlockDefinition<O> {
  return Object.freeze(declaredHere({ id, ...about }, block));
}

/**
 * A piece of otherwise public pages that differs by visitor or changes all the time (user menu, cart count, view counter): filled in after
 * the page cache. `{{fragment "web.user_menu"}}`.
 */
export interface FragmentDefinition {
  readonly id: string;
  readonly template: TemplateName;
  /** Values for the template; `request` says which page it stands in. */
  readonly load: (ctx: Ctx, request: RequestView) => Promise<object>;
  /**
   * Visitors without a session all get the same. `session` (default): as part of the kept page. `often`: kept apart from it, for what changes more often
   * than all else on the page (stock, seats). `always`: made anew on every request.
   */
  readonly vary: 'session' | 'often' | 'always';
}
/** Declares a fragment; see {@link FragmentDefinition}. */
export function fragment<const T extends TemplateName>(
  id: string,
  about: {
    template: T;
    load?: (ctx: Ctx, request: RequestView) => Promise<TemplateValues<T>>;
    vary?: FragmentDefinition['vary'];
  },
): FragmentDefinition {
  const { template, load = async () => ({}), vary = 'session' } = about;
  return Object.freeze(declaredHere({ id, template, load, vary }, fragment));
}
