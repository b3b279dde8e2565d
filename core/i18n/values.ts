import { value } from '../kernel/index.ts';
import type { Formats } from './format.ts';
import type { CatalogSource } from './po.ts';

/** Texts for amounts and days, in any language. */
export const formats = value<Formats>('formats');

/** Translations that somebody brought in for this site; they go before those of the addons. */
export const ownCatalogs = value<() => Promise<readonly CatalogSource[]>>('own catalogues');
