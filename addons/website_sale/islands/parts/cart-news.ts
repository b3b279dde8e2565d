import { sharedState } from 'pergola/islands';

/** How many are in the cart since it was changed on this page, and what was just put in. */
interface News {
  readonly quantity: number;
  readonly added?: string;
}

export const cartNews = sharedState<News | null>(null);
