import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { po } from 'gettext-parser';

/**
 * Makes the page French, with the texts of the tested addon and its neighbours. Import it before anything that imports `pergola/browser`,
 * which reads the texts once; `ready` resolves when they are loaded.
 */
const ownCatalogue = expect.getState().testPath?.replace(/\/islands\/.*/, '/i18n/fr.po') ?? '';
const catalogues = [...globSync(path.resolve(import.meta.dirname, '../../{core,addons/*}/i18n/fr.po')), ownCatalogue];
const texts = Object.fromEntries(catalogues.filter((file) => existsSync(file)).flatMap(textsIn));
document.documentElement.lang = 'fr-FR';
document.head.innerHTML = `<script type="application/json" id="pergola-page">{"lang":"fr_FR","prefix":"/fr","decimal":",","texts":"/texts","behaviours":[]}</script>`;
globalThis.fetch = async () => ({ ok: true, json: async () => texts }) as Response;

function textsIn(file: string): [string, string][] {
  const { translations } = po.parse(readFileSync(file));
  return Object.values(translations[''] ?? {}).flatMap(({ msgid, msgstr: [text] }) => (text ? [[msgid, text]] : []));
}
