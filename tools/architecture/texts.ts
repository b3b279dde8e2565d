import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readCatalog, readPot, shareMarks, writePot } from '@pergola/texts';
import { type CollectedMessage, collectMessages } from '../texts/extract.ts';
import { mergePo, missing } from '../texts/import-po.ts';
import { LOOSE_SIGN } from './parse.ts';
import type { Violation } from './problem.ts';
import { checkTerms } from './terms.ts';

/**
 * Problems with the texts of addons that affect translators and readers.
 *
 * @param addons folders by addon name; the core is named core
 */
export async function checkTexts(root: string, addons: ReadonlyMap<string, string>): Promise<Violation[]> {
  const violations = checkTerms(root, addons);
  for (const [addon, addonDir] of addons) {
    if (!existsSync(join(addonDir, 'i18n'))) continue;
    const addonTexts = { root, addon, addonDir, messages: await collectMessages({ addonDir }) };
    violations.push(
      ...(await staleTexts(addonTexts)),
      ...(await untranslatedTexts(addonTexts)),
      ...(await unmarkedTexts(addonTexts)),
      ...(await looseSigns(addonTexts)),
      ...(await unusableTranslations(addonTexts)),
    );
  }
  return violations;
}

interface Texts {
  readonly root: string;
  readonly addon: string;
  readonly addonDir: string;
  readonly messages: readonly CollectedMessage[];
}

/** Number of texts listed in a problem. */
const MAX_NAMED = 5;

/**
 * Text lists and catalogues that differ from the output of `extract`. Translators would work on removed texts, `missing` would overlook new
 * ones, and the next `extract` would mix in unrelated changes.
 */
async function staleTexts({ root, addon, addonDir, messages }: Texts): Promise<Violation[]> {
  const list = `i18n/${addon}.pot`;
  if (!existsSync(join(addonDir, list))) return [];
  const outputFiles = [
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
  return outputFiles
    .filter(({ file, text }) => readFileSync(join(addonDir, file), 'utf8') !== text)
    .map(({ file }) => ({
      rule: 'texts-not-extracted',
      file: relative(root, join(addonDir, file)),
      line: 1,
      message: `The text list of ${addon} is out of date. ${differences.join(' ') || 'Order, files or notes have changed.'}`,
      remedy: `Run "pergola i18n extract ${addon}".`,
    }));
}

/**
 * Texts without a French translation, in an addon that is translated into French. Texts that aren't extracted yet are listed separately.
 */
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
      remedy: 'Add it after msgstr. "pergola i18n missing fr --list" lists all of them.',
    },
  ];
}

/** Notes on addons that have texts but no French translation at all, which is up to their authors. */
export async function translationNotes(addons: ReadonlyMap<string, string>): Promise<string[]> {
  const notes: string[] = [];
  for (const [addon, addonDir] of addons) {
    if (await hasFrench(addonDir, addon)) continue;
    const { length } = await collectMessages({ addonDir });
    if (length > 0)
      notes.push(
        `${addon} has no French translation: ${length} texts are shown untranslated. To translate them, run "npx pergola i18n extract ${addon}" and edit i18n/fr.po.`,
      );
  }
  return notes;
}

/** Whether at least one text is translated, since `extract` also writes empty catalogues. */
async function hasFrench(addonDir: string, addon: string): Promise<boolean> {
  const { catalogs } = await readCatalog(addonDir, addon);
  return catalogs.some(({ lang, entries }) => lang === 'fr' && entries.size > 0);
}

/** Lists the first of these texts with file and line. */
function named(messages: readonly CollectedMessage[], root: string, addonDir: string): string {
  const folder = relative(root, addonDir);
  return firstOf(messages.map(({ id, files, line }) => `${inQuotes(id)} (${join(folder, files[0] ?? '')}:${line})`));
}

function inQuotes(text: string): string {
  return `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
}

function firstOf(items: readonly string[]): string {
  const moreCount = items.length - MAX_NAMED;
  return `${items.slice(0, MAX_NAMED).join(', ')}${moreCount > 0 ? ` and ${moreCount} more` : ''}`;
}

/**
 * Translations that never reach browsers: browser code of the addon shows the text, but no catalogue marks it (`#. browser`), so pages in
 * other languages show the source text.
 */
async function unmarkedTexts({ root, addon, addonDir, messages }: Texts): Promise<Violation[]> {
  const { catalogs } = await readCatalog(addonDir, addon);
  const browserIds = new Set(messages.flatMap(({ id, browser }) => (browser ? [id] : [])));
  return shareMarks(catalogs).flatMap(({ file, entries }) =>
    [...entries.values()]
      .filter(({ id, browser }) => !browser && browserIds.has(id))
      .map(({ id, line }) => ({
        rule: 'browser-text-unmarked',
        file: relative(root, join(addonDir, file)),
        line,
        message: `"${id}" is shown by browser code, which doesn't get this translation.`,
        remedy: `Run "pergola i18n extract ${addon}", or add "#. browser" above it.`,
      })),
  );
}

/**
 * Translations that are never shown because they don't match their source: a placeholder is wrong or missing, or the file can't be read.
 */
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

/** A French « », ?, !, ; or : without any space; code, links and numbers have none. */
const TIGHT_SIGN = /[\p{L}}»)][?!;](?=\s|$)|[\p{L}}»)]:(?=\s|$)|«(?!\s)|(?<!\s)»/u;

/** French translations in which « », ?, !, ; or : touch their words or could wrap to a new line: a no-break space does neither. */
async function looseSigns({ root, addon, addonDir }: Texts): Promise<Violation[]> {
  const { catalogs } = await readCatalog(addonDir, addon);
  return catalogs
    .filter(({ lang }) => lang.startsWith('fr'))
    .flatMap(({ file, lang, entries }) =>
      [...entries.values()]
        .filter(({ id, texts }) => texts.some((text) => text !== id && isBadlySpaced(text, lang)))
        .map(({ id, line }) => ({
          rule: 'french-plain-space',
          file: relative(root, join(addonDir, file)),
          line,
          message: `The French translation of "${id}" has a plain space, or none, next to « », ?, !, ; or :.`,
          remedy: 'Use a no-break space (U+00A0).',
        })),
    );
}

function isBadlySpaced(text: string, lang: string): boolean {
  // In Canada, most signs touch the word before them.
  return LOOSE_SIGN.test(text) || (lang !== 'fr_CA' && TIGHT_SIGN.test(text.replace(/`[^`]*`/g, '')));
}
