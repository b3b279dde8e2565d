import { type Ctx, listPoint } from '#core';
import { localizePath } from './address.ts';

declare module '#core' {
  interface Contributions {
    robotRules: readonly string[];
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

/** What nobody should fetch unasked: not for people, or for one of them. In every language of the site. */
export function closedPaths(ctx: Ctx): string[] {
  const closed = ['/web/', '/website/lang/', '/website/contact/', ...ctx.get(robotRules)];
  return closed.flatMap((path) => inLanguages(ctx, path));
}

function inLanguages({ attributes: { website } }: Ctx, path: string): string[] {
  return [
    ...new Set(
      ['', ...(website?.languages.map(({ code }) => code) ?? [])].map((code) => localizePath(website, path, code)),
    ),
  ];
}
