import path from 'node:path';
import type { Command } from '@pergola/core';
import { addonRoots, isInside, repository, UsageError } from '@pergola/core';
import { answerOptions, kinds, Unmakeable } from '../../make/kinds.ts';
import { makePart } from '../../make/make.ts';
import { writeTemplateTypes } from '../../templates/needs.ts';
import { TemplateSources } from '../../templates/sources.ts';
import { selectAddons } from '../selected-addons.ts';

export const command: Command = {
  summary: `Adds a part with a test to an addon: ${Object.keys(kinds).join(', ')}`,
  usage:
    '<kind> <name> [--addon <name or folder>] | migration <name> [--rename <model>.<old>=<new>] [--drop <model>.<field>] [--keep <model>.<field>] ' +
    '[--rename-model <old>=<new>] [--drop-model <model>] [--keep-model <model>] [--version <version>]',
  options: {
    addon: { type: 'string' },
    ...Object.fromEntries(answerOptions.map((option) => [option, { type: 'string', multiple: true } as const])),
    version: { type: 'string' },
  },
  details: [
    'A one-word model belongs to the addon itself. For migrations:',
    '',
    '  --rename repair.note=text   moves the values of a field to another field',
    '  --drop repair.note          deletes a field with its values',
    '  --keep repair.note          keeps the values of a field that was removed from the code',
    '  --rename-model, --drop-model, --keep-model   the same for models: repair=job, repair',
    '  --version 1.2.0             its version, also set in addon.ts and package.json; by default the next minor one',
    '',
    'A migration only changes the database. Places in code, templates and tests that use the old name are listed, to be changed by hand.',
  ],
  least: 2,
  async run({ words: [kind = '', name = ''], options, io }) {
    const { folder, addonsPath } = addonOf(options.addon);
    const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
    const { version } = options;
    if (typeof version === 'string' && !/^\d+\.\d+\.\d+$/.test(version))
      throw new UsageError(`"${version}" is not a valid version. Write three numbers: 1.2.0`);
    const foreign = ['version', ...answerOptions].find((option) => options[option] !== undefined);
    if (kind !== 'migration' && foreign) throw new UsageError(`--${foreign} is only for migrations.`);
    const answers = {
      ...Object.fromEntries(answerOptions.map((option) => [option, texts(options[option])])),
      ...(typeof version === 'string' && { version }),
    };
    try {
      const { created, changed, next } = await makePart(folder, kind, name, answers);
      if (created.some((file) => file.endsWith('.hbs')))
        writeTemplateTypes(await TemplateSources.read(addonRoots(addonsPath)));
      io.out(`In ${path.relative(process.cwd(), folder) || '.'}:`);
      for (const file of created) io.out(`  created ${file}`);
      for (const file of changed) io.out(`  changed ${file}`);
      const lines = [...next, `Texts in French: npx pergola i18n extract ${path.basename(folder)}`];
      const isElsewhere = !isInside(repository, folder) && lines.some((line) => line.includes('npx pergola'));
      io.out(isElsewhere ? `Next (commands with npx in ${repository}):` : 'Next:');
      for (const line of lines) io.out(`  ${callable(line, folder)}`);
      return 0;
    } catch (error) {
      if (error instanceof Unmakeable) throw new UsageError(callable(error.message, folder));
      throw error;
    }
  },
};

/** Adapts the command in a hint to the addon's folder: outside the repository, npx would look for another program of this name. */
function callable(hint: string, folder: string): string {
  return hint.replaceAll('pergola make ', isInside(repository, folder) ? 'npx pergola make ' : 'npm run make -- ');
}

/** The addon named by an option, or the one that contains the current folder. */
function addonOf(option: unknown): { readonly folder: string; readonly addonsPath: string } {
  const { folders, isWhole, addonsPath } = selectAddons(typeof option === 'string' ? [option] : []);
  const [folder, ...others] = folders.values();
  if (folder === undefined || others.length > 0 || isWhole)
    throw new UsageError('Change to the addon’s folder, or use --addon <name or folder>.');
  return { folder, addonsPath };
}
