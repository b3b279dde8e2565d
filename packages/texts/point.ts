import { join } from 'node:path';
import { buildInputs, type Ctx, callable, contributionPoint, listPoint, repository, values } from '@pergola/core';
import { createCatalogs } from './catalog.ts';
import { type Catalog, markAlike, parseCatalog, readCatalog } from './po.ts';
import { ownCatalogs } from './values.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Languages of stored texts (`en_US`), the default first. Provided once, by addon base. */
    siteLanguages: (ctx: Ctx) => Promise<readonly string[]>;
    /** IANA time zone of the first site, for work without a request. Provided once, by addon website. */
    siteTimezone: (ctx: Ctx) => Promise<string | null>;
  }
}

export const siteLanguages = listPoint('siteLanguages', { shape: callable });
export const siteTimezone = listPoint('siteTimezone', { shape: callable, single: true });

/** Time zone of a site that hasn't set one. */
export const DEFAULT_ZONE = 'UTC';

/** Returns the zone of the first site, as seen by the context's transaction. */
export async function siteZoneOf(ctx: Ctx): Promise<string> {
  return (await ctx.get(siteTimezone).at(-1)?.(ctx)) ?? DEFAULT_ZONE;
}

/** Translations of all addons and the core, and translations imported for this site. */
export const catalogs = contributionPoint('texts', {
  folders: ['i18n'],
  needs: { inputs: buildInputs, ownCatalogs, log: values.log },
  async build({ addons, needs: { inputs, ownCatalogs: own, log }, pause }) {
    const found: Catalog[] = [];
    // Addons that aren't enabled come last: the Apps screen shows their translated titles.
    const others = inputs.known.filter(({ name }) => !addons.some((one) => one.name === name));
    const folders = [{ name: 'core', folder: join(repository, 'core') }, ...addons, ...others];
    const withTexts = folders.filter((one) => !('files' in one) || one.files.i18n);
    for (const one of withTexts) {
      const read = await inputs.read('texts', one, () => readCatalog(one.folder, one.name, inputs.memory));
      found.push(...read.catalogs);
      // The source text replaces a translation that doesn't match it.
      for (const problem of read.problems) log.warn({ addon: one.name, problem }, 'A translation cannot be used');
      await pause();
    }
    const names = new Set(withTexts.map(({ name }) => name));
    for (const source of await own()) {
      const { catalog } = names.has(source.addon) ? parseCatalog(source) : {};
      if (catalog) putOver(found, catalog);
      await pause();
    }
    return createCatalogs(markAlike(found));
  },
});

/** Lets a catalogue override the one of the same addon and language. */
function putOver(catalogs: Catalog[], own: Catalog): void {
  const at = catalogs.findIndex(({ addon, lang }) => addon === own.addon && lang === own.lang);
  const below = catalogs[at];
  if (below) catalogs[at] = { ...own, entries: new Map([...below.entries, ...own.entries]) };
  else catalogs.push(own);
}
