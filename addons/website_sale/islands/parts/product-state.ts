import { sharedState } from '#core/islands';

/** What is left of each variant whose stock counts, and which of them are in the visitor's cart. */
export interface Stock {
  readonly levels: Readonly<Record<string, number>>;
  readonly mine: readonly number[];
}

/** Addresses of a variant's own picture. */
export interface VariantPicture {
  readonly src: string;
  readonly large: string;
}

/** The variant that is chosen; 0 for none. */
export const chosenVariant = sharedState(0);
export const stock = sharedState<Stock | null>(null);
/** What the chosen variant looks like, where it looks different. */
export const variantPicture = sharedState<VariantPicture | null>(null);
