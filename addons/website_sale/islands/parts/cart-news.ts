import { sharedState } from 'pergola/islands';

/** Number of products in the cart after a change on this page, and the product that was just added. */
interface News {
  readonly quantity: number;
  readonly added?: string;
}

export const cartNews = sharedState<News | null>(null);
