import { garden } from './garden.ts';
import { home } from './home.ts';
import { table } from './table.ts';
import type { Article } from './types.ts';

/** Everything the demo shop sells, in the order it is shown. */
export const articles: Readonly<Record<string, Article>> = { ...garden, ...table, ...home };

/** The external id of a product, without the addon's name. */
export function productKey(name: string): string {
  return `product_${name}`;
}
