import { listPoint } from '#core';

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
