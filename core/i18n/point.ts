import { join } from 'node:path';
import { app, buildInputs } from '../app/values.ts';
import { repository } from '../base/addon-folders.ts';
import { contributionPoint } from '../kernel/point.ts';
import { createCatalogs } from './catalog.ts';
import { type Catalog, markAlike, parseCatalog, readCatalog } from './po.ts';

/** The translations of all addons, of the core, and those that somebody brought in for this site. */
export const texts = contributionPoint('texts', {
  folders: ['i18n'],
  needs: { inputs: buildInputs, log: app.log },
  async build({ addons, needs: { inputs, log }, pause }) {
    const catalogs: Catalog[] = [];
    const folders = [{ name: 'core', folder: join(repository, 'core') }, ...addons];
    const withTexts = folders.filter((one) => !('files' in one) || one.files.i18n);
    for (const one of withTexts) {
      const read = await inputs.read('texts', one, () => readCatalog(one.folder, one.name, inputs.memory));
      catalogs.push(...read.catalogs);
      // A translation that does not fit is not shown; the source text is.
      for (const problem of read.problems) log.warn({ addon: one.name, problem }, 'A translation cannot be used');
      await pause();
    }
    const names = new Set(withTexts.map(({ name }) => name));
    for (const source of (await inputs.ownCatalogs?.()) ?? []) {
      const { catalog } = names.has(source.addon) ? parseCatalog(source) : {};
      if (catalog) putOver(catalogs, catalog);
      await pause();
    }
    return createCatalogs(markAlike(catalogs), folders);
  },
});

/** Lets a catalogue go before the one of the same addon and language. */
function putOver(catalogs: Catalog[], own: Catalog): void {
  const at = catalogs.findIndex(({ addon, lang }) => addon === own.addon && lang === own.lang);
  const below = catalogs[at];
  if (below) catalogs[at] = { ...own, entries: new Map([...below.entries, ...own.entries]) };
  else catalogs.push(own);
}
