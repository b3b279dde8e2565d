import { join } from 'node:path';
import { buildInputs, type Ctx, callable, contributionPoint, listPoint, repository, values } from '@pergola/core';
import { createCatalogs } from './catalog.ts';
import { type Catalog, parseCatalog, readCatalog, shareMarks } from './po.ts';
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
  async build({ addons, needs: { inputs, ownCatalogs: readImported, log }, pause }) {
    const catalogues: Catalog[] = [];
    // Addons that aren't enabled come last: the Apps screen shows their translated titles.
    const disabled = inputs.allAddons.filter(({ name }) => !addons.some((enabled) => enabled.name === name));
    const core = { name: 'core', folder: join(repository, 'core') };
    const withTexts = [core, ...addons.filter(({ files }) => files.i18n), ...disabled];
    for (const source of withTexts) {
      const read = await inputs.read('texts', source, () => readCatalog(source.folder, source.name, inputs.memory));
      catalogues.push(...read.catalogs);
      // The source text replaces a translation that doesn't match it.
      for (const problem of read.problems) log.warn({ addon: source.name, problem }, 'A translation cannot be used');
      await pause();
    }
    const names = new Set(withTexts.map(({ name }) => name));
    for (const source of await readImported()) {
      const { catalog } = names.has(source.addon) ? parseCatalog(source) : {};
      if (catalog) overrideCatalog(catalogues, catalog);
      await pause();
    }
    return createCatalogs(shareMarks(catalogues));
  },
});

/** Lets a catalogue override the one of the same addon and language. */
function overrideCatalog(catalogs: Catalog[], override: Catalog): void {
  const index = catalogs.findIndex(({ addon, lang }) => addon === override.addon && lang === override.lang);
  const base = catalogs[index];
  if (base) catalogs[index] = { ...override, entries: new Map([...base.entries, ...override.entries]) };
  else catalogs.push(override);
}
