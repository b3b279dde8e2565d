import { sharedState } from 'pergola/islands';

/** Stock level of each tracked variant, and the variants in the visitor's cart. */
export interface Stock {
  readonly levels: Readonly<Record<string, number>>;
  readonly inCart: readonly number[];
}

/** Id of the chosen variant; 0 if no variant matches. */
export const chosenVariant = sharedState(0);
export const stock = sharedState<Stock | null>(null);
