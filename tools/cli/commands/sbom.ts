import { join, relative } from 'node:path';
import { type Command, NotFound, repository, UsageError } from '@pergola/core';
import { packageOf, runNpm } from '../npm.ts';
import { isShipped, selectAddons } from '../selected-addons.ts';

const formats = ['cyclonedx', 'spdx'];

export const command: Command = {
  summary: 'Prints an addon’s bill of materials: its npm packages with versions, licences and hashes',
  usage: '<addon or folder> [--format cyclonedx|spdx]',
  least: 1,
  options: { format: { type: 'string' } },
  async run({ words, options, io }) {
    const format = typeof options.format === 'string' ? options.format : 'cyclonedx';
    if (!formats.includes(format)) throw new UsageError(`--format is ${formats.join(' or ')}.`);
    const [[addon, folder] = ['', '']] = selectAddons(words.slice(0, 1)).folders;
    const found = packageOf(folder);
    if (!found) throw new NotFound(`${addon} has no package.json, so it has no packages of its own.`);
    // Shipped addons are workspaces, whose packages are in Pergola's lock file.
    const place = isShipped(folder)
      ? { cwd: repository, words: ['--workspace', relative(repository, join(folder))] }
      : { cwd: found.folder, words: [] };
    const { out, err } = await runNpm(['sbom', `--sbom-format=${format}`, '--omit=dev', ...place.words], place.cwd);
    if (out.trim() === '') throw new NotFound(`npm can’t list the packages of ${addon}:\n${err.trim()}`);
    io.out(out.trimEnd());
    return 0;
  },
};
