import type { Ctx, RequestView } from '@pergola/core';
import { declaredHere } from '@pergola/core';
import type { z } from 'zod';

/** All templates by id, with the values they require; generated from the templates (`tools/templates`). */
// biome-ignore lint/suspicious/noEmptyInterface: generated code fills it by declaration merging
export interface Templates {}
/** Id of a template; any string before the types are generated. */
export type TemplateName = keyof Templates extends never ? string : keyof Templates;
/** The values of a template. */
export type TemplateValues<T> = T extends keyof Templates ? Templates[T] : object;
/** Arguments after a template's id: its values, which are optional if it requires none. */
export type WithValues<T, More extends readonly unknown[] = []> =
  Record<never, never> extends TemplateValues<T>
    ? [values?: TemplateValues<T>, ...more: More]
    : [values: TemplateValues<T>, ...more: More];

/**
 * A part of a page that editors place (`<div data-block="dribblo.next_match" data-options='…'>`), filled in by the server when the page is
 * shown. Unknown blocks are empty for visitors and a note for editors.
 */
export interface BlockDefinition<O = unknown> {
  /** `addon.name` */
  readonly id: string;
  readonly label: string;
  /**
   * A zod object, shown as a form in the editor. Every option has a default, and describes itself with `.meta(…)`: `title`, `description`;
   * for the id of a record (or several) `records` (its model), `where` (a domain) and `none` (label for 0).
   */
  readonly options: z.ZodType<O>;
  readonly template: TemplateName;
  /** Values for the template; `request` is the request for the page. The page depends on everything read through `ctx`. */
  readonly load: (ctx: Ctx, options: O, request: RequestView) => Promise<object>;
}
/** Declares a block; see {@link BlockDefinition}. */
export function block<O, const T extends TemplateName>(
  id: string,
  definition: {
    label: string;
    options: z.ZodType<O>;
    template: T;
    load: (ctx: Ctx, options: O, request: RequestView) => Promise<TemplateValues<T>>;
  },
): BlockDefinition<O> {
  return Object.freeze(declaredHere({ id, ...definition }, block));
}

/**
 * A part of otherwise public pages that differs by visitor or changes frequently (user menu, cart count, view counter): filled in after the
 * page cache. `{{fragment "web.user_menu"}}`.
 */
export interface FragmentDefinition {
  readonly id: string;
  readonly template: TemplateName;
  /** Values for the template; `request` is the request for the page. */
  readonly load: (ctx: Ctx, request: RequestView) => Promise<object>;
  /**
   * Visitors without a session all get the same content. `session` (default): cached with the page. `often`: cached separately, for content
   * that changes more often than the rest of the page (stock, seats). `always`: rendered on every request.
   */
  readonly vary: 'session' | 'often' | 'always';
}
/** Declares a fragment; see {@link FragmentDefinition}. */
export function fragment<const T extends TemplateName>(
  id: string,
  options: {
    template: T;
    load?: (ctx: Ctx, request: RequestView) => Promise<TemplateValues<T>>;
    vary?: FragmentDefinition['vary'];
  },
): FragmentDefinition {
  const { template, load = async () => ({}), vary = 'session' } = options;
  return Object.freeze(declaredHere({ id, template, load, vary }, fragment));
}
