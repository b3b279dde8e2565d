import type { z } from 'zod';
import { sharedState } from '#core/islands';
import type { variantPicture as ownPicture } from './props.ts';

/** What is left of each variant whose stock counts, and which of them are in the visitor's cart. */
export interface Stock {
  readonly levels: Readonly<Record<string, number>>;
  readonly mine: readonly number[];
}

export type VariantPicture = z.infer<typeof ownPicture>;

/** The variant that is chosen; 0 for none. */
export const chosenVariant = sharedState(0);
export const stock = sharedState<Stock | null>(null);
/** What the chosen variant looks like, where it looks different. */
export const variantPicture = sharedState<VariantPicture | null>(null);
