import type { Contents } from './contents.ts';

/** What sites, pages, languages, menus and search engines need. */
export const site: Contents = {};
