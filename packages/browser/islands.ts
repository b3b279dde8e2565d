/** API for islands in addition to React: actions, slots, page data. Built once for all islands, for browsers and for the server. */

export { correctWords, hasWords, writtenWords } from '@pergola/content/words';
export { mountIsland } from './react/mount.ts';
export { type Page, PageContext, usePage, useSession } from './react/page.ts';
export { type SharedState, sharedState } from './react/shared-state.ts';
export { type Fills, Slot } from './react/slot.ts';
export { islandTree } from './react/tree.ts';
export { ActionForm, Token, type UsedAction, useAction, useCall } from './react/use-action.ts';
export { useEvents } from './react/use-events.ts';
