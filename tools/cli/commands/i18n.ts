import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command, CommandIo } from '../../../core/app/commands.ts';
import { UsageError } from '../../../core/app/commands.ts';
import { addonFolders, addonRoots, repository } from '../../../core/base/addon-folders.ts';
import { loadConfig } from '../../../core/base/config.ts';
import { describeProblem } from '../../../core/base/errors.ts';
import { extract } from '../../texts/extract.ts';
import { importPo, missing } from '../../texts/import-po.ts';

export const command: Command = {
  summary: 'Texts for translators: extract, import, missing',
  usage: 'extract [<addon>…] | import <addon> <lang> [<file>] | missing [<lang>] [--list]',
  options: { list: { type: 'boolean' } },
  least: 1,
  async run({ words: [what = '', ...words], options, io }) {
    const folders = foldersByName();
    if (what === 'extract') return extractAll(words, folders, io);
    if (what === 'import') return importOne(words, folders, io);
    if (what === 'missing') return countMissing(words[0] ?? 'fr_FR', folders, options.list === true, io);
    throw new UsageError(`"${what}" is none of extract, import, missing.`);
  },
};

/** Every addon, and the core under the name core. */
function foldersByName(): Map<string, string> {
  const { addonsPath } = loadConfig(process.env);
  return new Map([
    ['core', path.join(repository, 'core')],
    ...addonFolders(addonRoots(addonsPath.join(path.delimiter))),
  ]);
}

function folderOf(folders: ReadonlyMap<string, string>, name: string): string {
  const folder = folders.get(name);
  if (!folder) throw new UsageError(`There is no addon "${name}".`);
  return folder;
}

async function extractAll(
  names: readonly string[],
  folders: ReadonlyMap<string, string>,
  io: CommandIo,
): Promise<number> {
  for (const name of names.length > 0 ? names : folders.keys()) {
    const addonDir = folderOf(folders, name);
    const { count } = await extract({ addon: name, addonDir });
    // Catalogues follow: texts in the new order, what is gone is gone.
    for (const lang of ['fr']) await importPo({ addon: name, addonDir, lang });
    io.out(`${name}: ${count} texts`);
  }
  return 0;
}

async function importOne(
  [name = '', lang = '', file]: readonly string[],
  folders: ReadonlyMap<string, string>,
  io: CommandIo,
): Promise<number> {
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(lang))
    throw new UsageError('Say the addon and the language: import forum fr forum.po');
  const addonDir = folderOf(folders, name);
  await extract({ addon: name, addonDir });
  const source = file === undefined ? undefined : await readFile(file, 'utf8');
  const { translated, unknown, problems } = await importPo({ addon: name, addonDir, lang, source });
  io.out(`${name}: ${translated} texts are translated into ${lang}.`);
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
