import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command, CommandIo } from '@pergola/core';
import { describeProblem, didYouMean, repository, UsageError } from '@pergola/core';
import { extract } from '../../texts/extract.ts';
import { importPo, missing } from '../../texts/import-po.ts';
import { selectAddons } from '../selected-addons.ts';

/** Actions on the texts of addons. */
const actions = ['extract', 'import', 'missing'];

export const command: Command = {
  summary: 'Manages translations: extract, import, missing',
  usage: 'extract [<addon or folder>…] | import <addon or folder> <lang> [<file>] | missing [<lang>] [--list]',
  options: { list: { type: 'boolean' } },
  async run({ words: [action = '', ...words], options, io }) {
    if (action === 'extract') return extractAll(foldersOf(words, io), io);
    if (action === 'import') return importOne(words, io);
    if (action === 'missing') return countMissing(words[0] ?? 'fr_FR', foldersOf([], io), options.list === true, io);
    if (action === '') throw new UsageError('Name an action: extract, import or missing.');
    throw new UsageError(`"${action}" is none of extract, import, missing. ${didYouMean(action, actions)}`.trim());
  },
};

/** Folders by addon name: of the named addons, or the command's default selection. The core counts as one named core. */
function foldersOf(words: readonly string[], io: CommandIo): Map<string, string> {
  const names = words.filter((word) => word !== 'core');
  const { folders, isWhole, note } =
    names.length > 0 || words.length === 0 ? selectAddons(names, { otherNames: ['core'] }) : noAddons;
  if (note !== null) io.err(note);
  const core = isWhole || names.length < words.length ? [['core', path.join(repository, 'core')] as const] : [];
  return new Map([...core, ...folders]);
}

const noAddons = { folders: new Map<string, string>(), isWhole: false, note: null };

async function extractAll(folders: ReadonlyMap<string, string>, io: CommandIo): Promise<number> {
  for (const [addon, addonDir] of folders) {
    const { count } = await extract({ addon, addonDir });
    // Updates the catalogues too: texts in the new order, without removed ones.
    for (const lang of ['fr']) await importPo({ addon, addonDir, lang });
    io.out(`${addon}: ${count} texts`);
  }
  return 0;
}

async function importOne([word = '', lang = '', file]: readonly string[], io: CommandIo): Promise<number> {
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(lang))
    throw new UsageError('Name the addon and the language: import forum fr forum.po');
  const [[name, addonDir] = ['', '']] = foldersOf([word], io);
  await extract({ addon: name, addonDir });
  const source = file === undefined ? undefined : await readFile(file, 'utf8');
  const { translated, unknown, problems } = await importPo({ addon: name, addonDir, lang, source });
  io.out(`${name}: ${translated} texts translated into ${lang}.`);
  for (const id of unknown) io.err(`Not a text of ${name}: ${id}`);
  for (const problem of problems) io.err(describeProblem(problem));
  return problems.length > 0 ? 1 : 0;
}

async function countMissing(
  lang: string,
  folders: ReadonlyMap<string, string>,
  list: boolean,
  io: CommandIo,
): Promise<number> {
  const coverage = await missing(
    lang,
    [...folders].map(([name, folder]) => ({ name, folder })),
  );
  for (const { addon, total, missing: texts } of coverage) {
    io.out(`${addon.padEnd(18)} ${total - texts.length} of ${total}`);
    if (list) for (const text of texts) io.out(`    ${text}`);
  }
  return coverage.every(({ missing: texts }) => texts.length === 0) ? 0 : 1;
}
