import { type ExtensionPoint, extensionPoint } from '#core';

/**
 * Paths that search engines are asked to leave alone, in every language.
 *
 * ```ts
 * contributes: [robotRules.add('/shop/cart', '/shop/checkout')],
 * ```
 */
export const robotRules: ExtensionPoint<string> = extensionPoint<string>('website.robots');
