import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Message, markAlike, readCatalog, writePot } from '@pergola/texts';
import { collectMessages } from '../texts/extract.ts';
import { mergePo } from '../texts/import-po.ts';
import { LOOSE_SIGN } from './parse.ts';
import type { Violation } from './problem.ts';

/**
 * What is wrong with the texts of addons, for translators and readers.
 *
 * @param addons folders by name; that of the core is named core
 */
export async function checkTexts(root: string, addons: ReadonlyMap<string, string>): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [addon, addonDir] of addons) {
    if (!existsSync(join(addonDir, 'i18n'))) continue;
    const about = { root, addon, addonDir, messages: await collectMessages({ addonDir }) };
    found.push(
      ...(await staleTexts(about)),
      ...(await unmarkedTexts(about)),
      ...(await looseSigns(about)),
      ...(await unusableTranslations(about)),
    );
  }
  return found;
}

interface Texts {
  readonly root: string;
  readonly addon: string;
  readonly addonDir: string;
  readonly messages: readonly Message[];
}

/**
 * Lists of texts and catalogues that `extract` would write otherwise: translators would work on texts that are no longer there, `missing` would not miss
 * those that are new, and whoever runs `extract` next would change what has nothing to do with their work.
 */
async function staleTexts({ root, addon, addonDir, messages }: Texts): Promise<Violation[]> {
  const list = `i18n/${addon}.pot`;
  if (!existsSync(join(addonDir, list))) return [];
  const written = [
    { file: list, text: writePot(addon, messages) },
    ...(existsSync(join(addonDir, 'i18n/fr.po')) ? [await mergePo({ addon, addonDir, lang: 'fr' }, messages)] : []),
  ];
  return written
    .filter(({ file, text }) => readFileSync(join(addonDir, file), 'utf8') !== text)
    .map(({ file }) => ({
      rule: 'texts-not-extracted',
      file: relative(root, join(addonDir, file)),
      line: 1,
      message: `These are not the texts of ${addon} as they are in its code now.`,
      remedy: `Run "pergola i18n extract ${addon}".`,
    }));
}

/**
 * Translations that a browser never gets: an addon's code there shows the text, and no catalogue of the addon marks it (`#. browser`), so the source
 * text stands on pages of every other language.
 */
async function unmarkedTexts({ root, addon, addonDir, messages }: Texts): Promise<Violation[]> {
  const { catalogs } = await readCatalog(addonDir, addon);
  const shown = new Set(messages.flatMap(({ id, browser }) => (browser ? [id] : [])));
  return markAlike(catalogs).flatMap(({ file, entries }) =>
    [...entries.values()]
      .filter(({ id, browser }) => !browser && shown.has(id))
      .map(({ id, line }) => ({
        rule: 'browser-text-unmarked',
        file: relative(root, join(addonDir, file)),
        line,
        message: `"${id}" is shown by code in the browser, which does not get this translation.`,
        remedy: `Run "pergola i18n extract ${addon}", or write "#. browser" above it.`,
      })),
  );
}

/** Translations that readers never see, since they don't fit their source: a placeholder is wrong or missing, the file can't be read. */
async function unusableTranslations({ root, addon, addonDir }: Texts): Promise<Violation[]> {
  const { problems } = await readCatalog(addonDir, addon);
  return problems.map(({ file = '', line = 1, message, remedy = '' }) => ({
    rule: 'unusable-translation',
    file: relative(root, join(addonDir, file)),
    line,
    message,
    remedy,
  }));
}

/** French translations whose « », ?, !, ; or : may come to stand on a line of their own: only a no-break space keeps them at their words. */
async function looseSigns({ root, addon, addonDir }: Texts): Promise<Violation[]> {
  const { catalogs } = await readCatalog(addonDir, addon);
  return catalogs
    .filter(({ lang }) => lang.startsWith('fr'))
    .flatMap(({ file, entries }) =>
      [...entries.values()]
        .filter(({ id, texts }) => texts.some((text) => text !== id && LOOSE_SIGN.test(text)))
        .map(({ id, line }) => ({
          rule: 'french-plain-space',
          file: relative(root, join(addonDir, file)),
          line,
          message: `The French of "${id}" has a plain space beside « », ?, !, ; or :.`,
          remedy: 'Write a no-break space (U+00A0) there.',
        })),
    );
}
