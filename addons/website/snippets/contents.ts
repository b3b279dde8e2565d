import type { Contents } from '../contents.ts';

/** What snippets, elements, kanban, tours and the follow widget bring. */
export const snippets: Contents = {};
