import { type Generation, value } from '@pergola/core';
import type { LiveValue } from '@pergola/page-cache';
import type { Days } from './days.ts';
import type { Formats } from './format.ts';
import type { CatalogSource } from './po.ts';

/** Texts for amounts and days, in any language. */
export const formats = value<Formats>('formats');

/** Translations imported for this site; they take precedence over those of the addons. */
export const ownCatalogs = value<() => Promise<readonly CatalogSource[]>>('own catalogues');

/** The current day of each time zone that was asked for. */
export const days = value<Map<string, Days>>('days');

/** The zone of the site, for each generation in use. */
export const siteZones = value<WeakMap<Generation, LiveValue<string>>>('site zones');
