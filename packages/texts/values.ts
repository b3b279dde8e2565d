import { type Generation, value } from '@pergola/core';
import type { LiveValue } from '@pergola/page-cache';
import type { Days } from './days.ts';
import type { Formats } from './format.ts';
import type { CatalogSource } from './po.ts';

/** Formats for amounts and dates, in any language. */
export const formats = value<Formats>('formats');

/** Translations imported for this site; they override the addons' own. */
export const ownCatalogs = value<() => Promise<readonly CatalogSource[]>>('own catalogues');

/** The current day by time zone. */
export const days = value<Map<string, Days>>('days');

/** The site's time zone, for each generation in use. */
export const siteZones = value<WeakMap<Generation, LiveValue<string>>>('site zones');
