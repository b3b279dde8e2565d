import { garden } from './garden.ts';
import { home } from './home.ts';
import { table } from './table.ts';
import type { Article } from './types.ts';

/** All products of the demo shop, in display order. */
export const articles: Readonly<Record<string, Article>> = { ...garden, ...table, ...home };

/** Returns the external id of a product, without the addon's name. */
export function productKey(name: string): string {
  return `product_${name}`;
}
