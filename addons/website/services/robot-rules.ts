import { type Ctx, listPoint } from 'pergola';
import { localizePath } from './address.ts';

declare module 'pergola/contributions' {
  interface Contributions {
    robotRules: readonly string[];
    cartPages: readonly string[];
  }
}

/**
 * Paths that search engines are asked to leave alone, in every language.
 *
 * ```ts
 * robotRules: ['/shop/cart', '/shop/checkout'],
 * ```
 */
export const robotRules = listPoint('robotRules');

/**
 * Paths of pages with a form that puts something in a cart, in every language: browsers may fetch them before their link is pressed, and never make
 * them ready to be seen.
 *
 * ```ts
 * cartPages: ['/shop/product/*'],
 * ```
 */
export const cartPages = listPoint('cartPages');

/** In every language of the site. */
export function cartPaths(ctx: Ctx): string[] {
  return ctx.get(cartPages).flatMap((path) => inLanguages(ctx, path));
}

/** What nobody should fetch unasked: not for people, or for one of them. In every language of the site. */
export function closedPaths(ctx: Ctx): string[] {
  const closed = ['/web/', '/website/lang/', '/website/contact/', '/my/', ...ctx.get(robotRules)];
  return closed.flatMap((path) => inLanguages(ctx, path));
}

function inLanguages({ attributes: { website } }: Ctx, path: string): string[] {
  return [
    ...new Set(
      ['', ...(website?.languages.map(({ code }) => code) ?? [])].map((code) => localizePath(website, path, code)),
    ),
  ];
}
