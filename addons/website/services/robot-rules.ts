import { type Ctx, listPoint } from 'pergola';
import { localizePath } from './address.ts';

declare module 'pergola/contributions' {
  interface Contributions {
    robotRules: readonly string[];
    cartPages: readonly string[];
  }
}

/**
 * Paths closed to search engines, in every language.
 *
 * ```ts
 * robotRules: ['/shop/cart', '/shop/checkout'],
 * ```
 */
export const robotRules = listPoint('robotRules');

/**
 * Paths of pages with a cart form, in every language: browsers may prefetch them, but never prerender them.
 *
 * ```ts
 * cartPages: ['/shop/product/*'],
 * ```
 */
export const cartPages = listPoint('cartPages');

/** Cart pages in every language of the site. */
export function cartPaths(ctx: Ctx): string[] {
  return ctx.get(cartPages).flatMap((path) => inLanguages(ctx, path));
}

/** Paths that must not be prefetched or crawled: technical or personal pages, in every language of the site. */
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
