import type { Contents } from '../contents.ts';
import { searchedPages } from './pages.ts';
import { searchables } from './point.ts';
import { searchPage, suggestions } from './routes.ts';
import { SiteSearch, searchedWords } from './site-search.ts';

/** Site search: contribution point, routes and its page. */
export const search: Contents = {
  points: [searchables],
  searchables: [searchedPages],
  routes: [searchPage, suggestions],
  services: [SiteSearch, searchedWords],
  robotRules: ['/search'],
};
