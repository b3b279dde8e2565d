import { sharedState } from 'pergola/islands';
import type { Pricing } from '../pricing.props.ts';

/** Lines and sums after a change; null as long as they are those of the page. */
export const changed = sharedState<Pricing | null>(null);
/** Whether the dialog to sign is open. */
export const signing = sharedState(false);
/** Whether the form to decline is open. */
export const declining = sharedState(false);
