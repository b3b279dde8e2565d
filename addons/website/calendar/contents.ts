import type { Contents } from '../contents.ts';

/** What the calendar block brings. */
export const calendar: Contents = {};
