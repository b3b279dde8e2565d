import { readFileSync } from 'node:fs';
import { po } from 'gettext-parser';

/** Makes the page French, with the texts of the addon's catalogue. Stands before whatever imports `#core/browser`, which reads them once. */
const catalog = po.parse(readFileSync('addons/mass_mailing/i18n/fr.po'));
const texts = Object.fromEntries(
  Object.values(catalog.translations[''] ?? {}).flatMap(({ msgid, msgstr: [text] }) => (text ? [[msgid, text]] : [])),
);
document.documentElement.lang = 'fr-FR';
document.head.innerHTML = `<script type="application/json" id="pergola-page">{"lang":"fr_FR","prefix":"/fr","texts":"/texts","elements":[]}</script>`;
globalThis.fetch = async () => ({ ok: true, json: async () => texts }) as Response;
