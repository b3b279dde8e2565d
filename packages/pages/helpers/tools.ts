import type { SanitizeProfile } from '@pergola/content';
import { declaredHere } from '@pergola/core';
import type { Formats } from '@pergola/texts';
import Handlebars from 'handlebars';
import type { RenderContext } from '../render-context.ts';
import type { HelperRule } from './rules.ts';

/** Tools shared by the helpers of one language. */
export interface HelperTools {
  readonly formats: Formats;
  readonly sanitize: (html: string, profile?: SanitizeProfile) => string;
  /** Index of the language's plural form for a number. */
  readonly pluralIndex: (n: number) => number;
}

/** A helper: the rules for calling it, and its implementation. */
export interface HelperDefinition extends HelperRule {
  make(tools: HelperTools): Handlebars.HelperDelegate;
}

/** A helper of an addon, made by `helper`. */
export interface AddonHelper extends HelperDefinition {
  /** `addon.name`, as templates call it. */
  readonly id: string;
}

/**
 * A helper for the templates of all addons: the rules for calling it, checked when a generation is built, and its implementation. It takes
 * at least one value or is a block, since `{{library.stars}}` alone prints a value. Texts to translate are passed as `(t "…")`.
 *
 * ```ts
 * // `{{library.stars book.rating max=5}}`: a rating as stars.
 * export const stars = helper('library.stars', {
 *   params: [1, 1],
 *   options: ['max'],
 *   make: () => (rating: unknown, options: HelperOptions) => '★'.repeat(Math.min(Number(rating), countOption(options, 'max') ?? 5)),
 * });
 * ```
 */
export function helper(id: string, definition: HelperDefinition): AddonHelper {
  return Object.freeze(declaredHere({ id, ...definition }, helper));
}

/** Last argument of a helper: its options (`hash`), and the branches of a block (`fn`, `inverse`). */
export type HelperOptions = Handlebars.HelperOptions;
export type HelperResult = Handlebars.SafeString | string;

/** Markup that isn't escaped again. The caller has to escape or sanitise its contents. */
export function markup(html: string): Handlebars.SafeString {
  return new Handlebars.SafeString(html);
}

export function isMarkup(value: unknown): value is Handlebars.SafeString {
  return value instanceof Handlebars.SafeString;
}

/** Escapes text for use between tags or quotes. */
export function escapeText(value: unknown): string {
  return value === null || value === undefined ? '' : Handlebars.escapeExpression(String(value));
}

/** Request context of the template being rendered. */
export function renderOf(options: HelperOptions): RenderContext {
  return options.data.render;
}

/** A text option, or undefined. */
export function textOption(options: HelperOptions, name: string): string | undefined {
  const value: unknown = options.hash[name];
  return value === undefined || value === null ? undefined : String(value);
}

/** A whole-number option, or undefined. */
export function countOption(options: HelperOptions, name: string): number | undefined {
  const value: unknown = options.hash[name];
  if (value === undefined || value === null || value === '') return undefined;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 0)
    throw helperFault(options, `${name}=${String(value)} is not a whole number`);
  return count;
}

/** An option with one of a few values, or undefined. */
export function choiceOption<T extends string>(
  options: HelperOptions,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = textOption(options, name);
  if (value === undefined) return undefined;
  const match = choices.find((choice) => choice === value);
  if (match === undefined) throw helperFault(options, `${name}="${value}" is none of ${choices.join(', ')}`);
  return match;
}

/** Error in a helper, with template, line and helper. */
export function helperFault(options: HelperOptions, message: string): Error {
  const name = 'name' in options ? String(options.name) : 'helper';
  const call = calledFrom(options);
  return new Error(`${call ? `${call.template}${call.line} ` : ''}{{${name}}}: ${message}.`);
}

/** Position of a helper call: `templates/shop.page.hbs:12`; lines moved by another addon's change are counted in the changed template. */
export function placeOf(options: HelperOptions): string | undefined {
  const call = calledFrom(options);
  return call ? `templates/${call.template}.hbs${call.line}` : undefined;
}

/** The calling template, and the line as `:12`; null for a call without a position. */
function calledFrom(options: object): { readonly template: string; readonly line: string } | null {
  const loc = 'loc' in options && typeof options.loc === 'object' ? options.loc : null;
  if (!loc || !('source' in loc) || !('start' in loc)) return null;
  const line = typeof loc.start === 'object' && loc.start && 'line' in loc.start ? `:${String(loc.start.line)}` : '';
  return { template: String(loc.source), line };
}

/** Whether a value counts as empty, as in `{{#if}}`: zero and empty lists do. */
export function isEmpty(value: unknown): boolean {
  return !value || Handlebars.Utils.isEmpty(value);
}
