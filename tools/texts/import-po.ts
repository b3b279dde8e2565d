import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '@pergola/core';
import { type Message, parseCatalog, readCatalog, readPot, writePo } from '@pergola/texts';

export interface ImportInput {
  readonly addon: string;
  readonly addonDir: string;
  /** The language the texts are in: `fr`. */
  readonly lang: string;
  /** The text of the `.po` file that came in; without one the catalogue is only brought up to date with the addon's texts. */
  readonly source?: string;
}

export interface ImportResult {
  readonly file: string;
  /** How many texts have a translation now. */
  readonly translated: number;
  /** Texts that came in and that the addon does not have. */
  readonly unknown: readonly string[];
  /** Translations that do not fit; they are left out. */
  readonly problems: readonly Problem[];
}

/**
 * Takes over translations into `i18n/<lang>.po`: texts of the addon in the order of its `.pot`, what came in before what was there, nothing
 * that does not fit or belongs to no text. Run `extract` first.
 */
export async function importPo(input: ImportInput): Promise<ImportResult> {
  const { text, ...result } = await mergePo(input, await readPot(input.addonDir, input.addon));
  await writeFile(path.join(input.addonDir, result.file), text);
  return result;
}

/** What `importPo` is going to write, with the addon's texts given. */
export async function mergePo(
  { addon, addonDir, lang, source }: ImportInput,
  messages: readonly Message[],
): Promise<ImportResult & { readonly text: string }> {
  const file = `i18n/${lang}.po`;
  const target = path.join(addonDir, file);
  const known = await readFile(target, 'utf8').catch(() => '');
  const old = known === '' ? undefined : parseCatalog({ addon, lang, file, source: known }).catalog;
  const incoming = source === undefined ? { problems: [] } : parseCatalog({ addon, lang, file, source });
  const ids = new Set(messages.map(({ id }) => id));
  const translation = (id: string) => incoming.catalog?.entries.get(id)?.texts ?? old?.entries.get(id)?.texts;
  const header = /^"Plural-Forms: (.*)\\n"$/m.exec(source ?? known)?.[1];
  return {
    file,
    text: writePo(addon, lang, messages, translation, header),
    translated: messages.filter(({ id }) => translation(id) !== undefined).length,
    unknown: [...(incoming.catalog?.entries.keys() ?? [])].filter((id) => !ids.has(id)),
    problems: incoming.problems,
  };
}

/** How far one addon is translated into a language. */
export interface Coverage {
  readonly addon: string;
  readonly total: number;
  /** Source texts without a translation. */
  readonly missing: readonly string[];
}

/** What is still to be translated, addon by addon; `fr_CA` counts what `fr` says too. */
export async function missing(
  lang: string,
  addons: readonly { readonly name: string; readonly folder: string }[],
): Promise<Coverage[]> {
  return Promise.all(
    addons.map(async ({ name, folder }) => {
      const messages = await readPot(folder, name);
      const { catalogs } = await readCatalog(folder, name);
      const fitting = catalogs.filter((catalog) => lang === catalog.lang || lang.startsWith(`${catalog.lang}_`));
      const isKnown = (id: string): boolean => fitting.some(({ entries }) => entries.has(id));
      return {
        addon: name,
        total: messages.length,
        missing: messages.map(({ id }) => id).filter((id) => !isKnown(id)),
      };
    }),
  );
}
