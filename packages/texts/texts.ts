import type { Ctx } from '@pergola/core';
import { catalogs } from './point.ts';

/** What fills the `{names}` of a text. */
export type Params = Readonly<Record<string, string | number>>;

/** Translates a text for one reader. */
export type Translate = (text: string, params?: Params) => string;

/** What an addon says, each time in the language of a context. */
export interface AddonTexts {
  /** The text in the context's language, `{name}` filled from params. */
  readonly t: (ctx: Ctx, text: string, params?: Params) => string;
  /** A text that follows a number, in the context's language; `{n}` is the number. */
  readonly plural: (ctx: Ctx, one: string, other: string, n: number, params?: Params) => string;
}

/**
 * The texts of an addon. Each addon has them once, in its `texts.ts`: the same words may be translated differently by two addons, and whose words they
 * are can't be seen from the context, which code of several addons shares.
 *
 * @example export const { t, plural } = texts('forum');
 */
export function texts(addon: string): AddonTexts {
  return {
    t: (ctx, text, params) => ctx.get(catalogs).translate(ctx.lang, addon, text, params),
    plural: (ctx, one, other, n, params) => ctx.get(catalogs).plural(ctx.lang, addon, one, other, n, params),
  };
}

/** What packages say: their texts are in the catalogue of the core. */
export const { t } = texts('core');
