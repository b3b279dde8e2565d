import { sharedState } from 'pergola/islands';
import type { Pricing } from '../pricing.props.ts';

/** Lines and totals after a change, or null while the page's initial ones are still current. */
export const changed = sharedState<Pricing | null>(null);
/** Whether the dialog to sign is open. */
export const signing = sharedState(false);
/** Whether the form to decline is open. */
export const declining = sharedState(false);
