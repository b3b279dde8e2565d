import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '../../../core/app/commands.ts';
import { UsageError } from '../../../core/app/commands.ts';
import { addonFolders, addonRoots } from '../../../core/base/addon-folders.ts';
import { kinds, Unmakeable } from '../../make/kinds.ts';
import { makePart } from '../../make/make.ts';
import { writeTemplateTypes } from '../../templates/needs.ts';
import { TemplateSources } from '../../templates/sources.ts';

export const command: Command = {
  summary: `Adds something to an addon, with its test: ${Object.keys(kinds).join(', ')}`,
  usage:
    '<kind> <name> [--addon <name or folder>] | migration <name> [--rename <model>.<old>=<new>] [--drop <model>.<field>] [--version <version>]',
  options: {
    addon: { type: 'string' },
    rename: { type: 'string', multiple: true },
    drop: { type: 'string', multiple: true },
    version: { type: 'string' },
  },
  least: 2,
  async run({ words: [kind = '', name = ''], options, io }) {
    const folder = folderOf(options.addon);
    const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
    const { version, rename, drop } = options;
    if (typeof version === 'string' && !/^\d+\.\d+\.\d+$/.test(version))
      throw new UsageError(`"${version}" is no version. Write three numbers: 1.2.0`);
    if (kind !== 'migration' && (version ?? rename ?? drop) !== undefined)
      throw new UsageError('--rename, --drop and --version belong to migrations.');
    const answers = { rename: texts(rename), drop: texts(drop), ...(typeof version === 'string' && { version }) };
    try {
      const { created, changed, next } = await makePart(folder, kind, name, answers);
      if (created.some((file) => file.endsWith('.hbs')))
        writeTemplateTypes(await TemplateSources.read([...addonRoots(process.env.ADDONS_PATH), path.dirname(folder)]));
      io.out(`In ${path.relative(process.cwd(), folder) || '.'}:`);
      for (const file of created) io.out(`  created ${file}`);
      for (const file of changed) io.out(`  changed ${file}`);
      io.out('Next:');
      for (const line of [...next, 'Texts in French: npx pergola i18n extract '.concat(path.basename(folder))])
        io.out(`  ${line}`);
      return 0;
    } catch (error) {
      if (error instanceof Unmakeable) throw new UsageError(error.message);
      throw error;
    }
  },
};

/** The addon that an option names, or the one that the current folder belongs to. */
function folderOf(asked: unknown): string {
  if (typeof asked === 'string') {
    const known = addonFolders(addonRoots(process.env.ADDONS_PATH)).get(asked) ?? path.resolve(asked);
    if (existsSync(path.join(known, 'addon.ts'))) return known;
    throw new UsageError(`There is no addon "${asked}". Name one of addons/, or the folder of one outside.`);
  }
  for (let folder = process.cwd(); folder !== path.dirname(folder); folder = path.dirname(folder))
    if (existsSync(path.join(folder, 'addon.ts'))) return folder;
  throw new UsageError(
    'This folder belongs to no addon. Change to the addon’s folder, or say --addon <name or folder>.',
  );
}
