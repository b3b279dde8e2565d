import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { markAlike, readCatalog, readPot, writePot } from '@pergola/texts';
import { type CollectedMessage, collectMessages } from '../texts/extract.ts';
import { mergePo, missing } from '../texts/import-po.ts';
import { LOOSE_SIGN } from './parse.ts';
import type { Violation } from './problem.ts';
import { checkTerms } from './terms.ts';

/**
 * What is wrong with the texts of addons, for translators and readers.
 *
 * @param addons folders by name; that of the core is named core
 */
export async function checkTexts(root: string, addons: ReadonlyMap<string, string>): Promise<Violation[]> {
  const found = checkTerms(root, addons);
  for (const [addon, addonDir] of addons) {
    if (!existsSync(join(addonDir, 'i18n'))) continue;
    const about = { root, addon, addonDir, messages: await collectMessages({ addonDir }) };
    found.push(
      ...(await staleTexts(about)),
      ...(await untranslatedTexts(about)),
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
  readonly messages: readonly CollectedMessage[];
}

/** How many texts a finding names. */
const MAX_NAMED = 5;

/**
 * Lists of texts and catalogues that `extract` would write otherwise: translators would work on texts that are no longer there, `missing` would not miss
 * those that are new, and the next `extract` would mix changes that have nothing to do with each other.
 */
async function staleTexts({ root, addon, addonDir, messages }: Texts): Promise<Violation[]> {
  const list = `i18n/${addon}.pot`;
  if (!existsSync(join(addonDir, list))) return [];
  const written = [
    { file: list, text: writePot(addon, messages) },
    ...(existsSync(join(addonDir, 'i18n/fr.po')) ? [await mergePo({ addon, addonDir, lang: 'fr' }, messages)] : []),
  ];
  const listed = new Set((await readPot(addonDir, addon)).map(({ id }) => id));
  const added = messages.filter(({ id }) => !listed.has(id));
  const removed = [...listed].filter((id) => !messages.some((message) => message.id === id));
  const differences = [
    ...(added.length > 0 ? [`New in the code: ${named(added, root, addonDir)}.`] : []),
    ...(removed.length > 0 ? [`No longer in the code: ${firstOf(removed.map(inQuotes))}.`] : []),
  ];
  return written
    .filter(({ file, text }) => readFileSync(join(addonDir, file), 'utf8') !== text)
    .map(({ file }) => ({
      rule: 'texts-not-extracted',
      file: relative(root, join(addonDir, file)),
      line: 1,
      message: `These are not the texts of ${addon} as they are in its code now. ${differences.join(' ') || 'Order, files or notes differ.'}`,
      remedy: `Run "pergola i18n extract ${addon}".`,
    }));
}

/** Texts without French, in an addon that is translated into French. Those that aren't extracted yet are named as such. */
async function untranslatedTexts({ root, addon, addonDir, messages }: Texts): Promise<Violation[]> {
  if (!(await hasFrench(addonDir, addon))) return [];
  const [coverage] = await missing('fr', [{ name: addon, folder: addonDir }]);
  const texts = messages.filter(({ id }) => coverage?.missing.includes(id));
  if (texts.length === 0) return [];
  return [
    {
      rule: 'missing-french',
      file: relative(root, join(addonDir, 'i18n/fr.po')),
      line: 1,
      message: `${texts.length} of ${coverage?.total} texts have no French translation: ${named(texts, root, addonDir)}.`,
      remedy: 'Write it after their msgstr. "pergola i18n missing fr --list" lists all of them.',
    },
  ];
}

/** Notes on addons that have texts and no French at all, which is their authors' choice. */
export async function translationNotes(addons: ReadonlyMap<string, string>): Promise<string[]> {
  const notes: string[] = [];
  for (const [addon, addonDir] of addons) {
    if (await hasFrench(addonDir, addon)) continue;
    const { length } = await collectMessages({ addonDir });
    if (length > 0)
      notes.push(
        `${addon} has no French: ${length} texts are shown as they are in the code. To translate them: "pergola i18n extract ${addon}", then i18n/fr.po.`,
      );
  }
  return notes;
}

/** Whether at least one text is translated: `extract` writes catalogues that are empty. */
async function hasFrench(addonDir: string, addon: string): Promise<boolean> {
  const { catalogs } = await readCatalog(addonDir, addon);
  return catalogs.some(({ lang, entries }) => lang === 'fr' && entries.size > 0);
}

/** The first of these texts, each with its file and line. */
function named(messages: readonly CollectedMessage[], root: string, addonDir: string): string {
  const folder = relative(root, addonDir);
  return firstOf(messages.map(({ id, files, line }) => `${inQuotes(id)} (${join(folder, files[0] ?? '')}:${line})`));
}

function inQuotes(text: string): string {
  return `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
}

function firstOf(items: readonly string[]): string {
  const rest = items.length - MAX_NAMED;
  return `${items.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
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
