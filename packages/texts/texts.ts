import type { Ctx } from '@pergola/core';
import { catalogs } from './point.ts';

/** Values for the `{names}` of a text. */
export type Params = Readonly<Record<string, string | number>>;

/** Translates a text for one reader. */
export type Translate = (text: string, params?: Params) => string;

/** Translation functions of an addon. */
export interface AddonTexts {
  /** Translates a text to the context's language and fills `{name}` from params. */
  readonly t: (ctx: Ctx, text: string, params?: Params) => string;
  /** Translates a text that depends on a number; `{n}` is the number. */
  readonly plural: (ctx: Ctx, singular: string, pluralText: string, n: number, params?: Params) => string;
}

/**
 * Creates the translation functions of an addon. Each addon does this once, in its `texts.ts`: addons may translate the same words
 * differently, and the context, shared by the code of several addons, doesn't know whose text it is.
 *
 * @example export const { t, plural } = texts('forum');
 */
export function texts(addon: string): AddonTexts {
  return {
    t: (ctx, text, params) => ctx.get(catalogs).translate(ctx.lang, addon, text, params),
    plural: (ctx, singular, pluralText, n, params) =>
      ctx.get(catalogs).plural(ctx.lang, addon, singular, pluralText, n, params),
  };
}

/** Translates texts of packages, with the catalogue of the core. */
export const { t } = texts('core');
