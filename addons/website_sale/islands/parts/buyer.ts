import { sharedState } from 'pergola/islands';

/** Buyer as typed at the checkout; null until the form is hydrated. */
export const buyer = sharedState<{ readonly name: string; readonly email: string } | null>(null);
