import { sharedState } from 'pergola/islands';

/** Who buys, as they write it into the checkout; null until that is alive. */
export const buyer = sharedState<{ readonly name: string; readonly email: string } | null>(null);
