import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '@pergola/core';
import { type Message, parseCatalog, readCatalog, readPot, writePo } from '@pergola/texts';

export interface ImportInput {
  readonly addon: string;
  readonly addonDir: string;
  /** The target language: `fr`. */
  readonly lang: string;
  /** Content of the imported `.po` file; if omitted, the catalogue is only synchronised with the addon's texts. */
  readonly source?: string;
}

export interface ImportResult {
  readonly file: string;
  /** Number of translated texts. */
  readonly translated: number;
  /** Imported texts that the addon doesn't have. */
  readonly unknown: readonly string[];
  /** Invalid translations, which are omitted. */
  readonly problems: readonly Problem[];
}

/**
 * Imports translations into `i18n/<lang>.po`: texts in the order of the addon's `.pot`, imported translations before existing ones, without
 * invalid ones and unknown texts. Run `extract` first.
 */
export async function importPo(input: ImportInput): Promise<ImportResult> {
  const { text, ...result } = await mergePo(input, await readPot(input.addonDir, input.addon));
  await writeFile(path.join(input.addonDir, result.file), text);
  return result;
}

/** Computes the result of `importPo` for these texts without writing it. */
export async function mergePo(
  { addon, addonDir, lang, source }: ImportInput,
  messages: readonly Message[],
): Promise<ImportResult & { readonly text: string }> {
  const file = `i18n/${lang}.po`;
  const target = path.join(addonDir, file);
  const existingPo = await readFile(target, 'utf8').catch(() => '');
  const old = existingPo === '' ? undefined : parseCatalog({ addon, lang, file, source: existingPo }).catalog;
  const incoming = source === undefined ? { problems: [] } : parseCatalog({ addon, lang, file, source });
  const ids = new Set(messages.map(({ id }) => id));
  const translation = (id: string) => incoming.catalog?.entries.get(id)?.texts ?? old?.entries.get(id)?.texts;
  const header = /^"Plural-Forms: (.*)\\n"$/m.exec(source ?? existingPo)?.[1];
  return {
    file,
    text: writePo(addon, lang, messages, translation, header),
    translated: messages.filter(({ id }) => translation(id) !== undefined).length,
    unknown: [...(incoming.catalog?.entries.keys() ?? [])].filter((id) => !ids.has(id)),
    problems: incoming.problems,
  };
}

/** Translation progress of an addon in a language. */
export interface Coverage {
  readonly addon: string;
  readonly total: number;
  /** Source texts without a translation. */
  readonly missing: readonly string[];
}

/** Untranslated texts by addon; for `fr_CA`, translations in `fr` count too. */
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
