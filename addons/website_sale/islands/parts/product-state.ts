import { sharedState } from 'pergola/islands';

/** Stock level of each tracked variant, and the variants in the visitor's cart. */
export interface Stock {
  readonly levels: Readonly<Record<string, number>>;
  readonly inCart: readonly number[];
}

/** The variant that is chosen; 0 for none. */
export const chosenVariant = sharedState(0);
export const stock = sharedState<Stock | null>(null);
