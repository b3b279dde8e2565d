/**
 * What islands are made with, beside React: actions, slots, what the page knows. Built once for all islands, for browsers and for the server.
 */

export { correctWords, hasWords, writtenWords } from './base/words.ts';
export { mountIsland } from './browser/react/mount.ts';
export { type Page, PageContext, usePage, useSession } from './browser/react/page.ts';
export { type SharedState, sharedState } from './browser/react/shared-state.ts';
export { type Fills, Slot } from './browser/react/slot.ts';
export { islandTree } from './browser/react/tree.ts';
export { ActionForm, Token, type UsedAction, useAction, useCall } from './browser/react/use-action.ts';
export { useEvents } from './browser/react/use-events.ts';
