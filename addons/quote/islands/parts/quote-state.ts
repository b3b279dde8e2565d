import type { CallResult } from 'pergola/browser';
import { sharedState } from 'pergola/islands';
import type { pricing } from '../../routes/calls.ts';

/** Lines and totals after a change, or null while the page's initial ones are still current. */
export const changed = sharedState<CallResult<typeof pricing> | null>(null);
/** Whether the signing dialog is open. */
export const signing = sharedState(false);
/** Whether the decline form is open. */
export const declining = sharedState(false);
