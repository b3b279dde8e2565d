import type { Contents } from '../contents.ts';

/** What the edit zone and the media bring. */
export const editor: Contents = {};
