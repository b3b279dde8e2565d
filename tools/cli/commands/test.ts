import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '../../../core/app/commands.ts';
import { UsageError } from '../../../core/app/commands.ts';
import { repository } from '../../../core/base/addon-folders.ts';

export const command: Command = {
  summary:
    'Runs the tests of an addon outside of the repository: those of the current folder, or of these folders and files; options go to jest',
  usage: '[<folder or file>…] [-t <name>] [--watch] […]',
  handsOn: true,
  async run({ words }) {
    const firstOption = words.findIndex((word) => word.startsWith('-'));
    const [given, options] = firstOption < 0 ? [words, []] : [words.slice(0, firstOption), words.slice(firstOption)];
    const places = (given.length > 0 ? given : ['.']).map((place) => path.resolve(place));
    const known = process.env.ADDONS_PATH?.split(path.delimiter) ?? [];
    const addonsPath = new Set([...known, ...places.map(addonOf)].filter(Boolean));
    const { status } = spawnSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--experimental-vm-modules',
        path.join(repository, 'node_modules/jest/bin/jest.js'),
        ...places,
        // Outside of the repository there is no git to say what changed.
        ...options.map((option) => (option === '--watch' ? '--watchAll' : option)),
      ],
      {
        cwd: repository,
        stdio: 'inherit',
        env: { ...process.env, ADDONS_PATH: [...addonsPath].join(path.delimiter) },
      },
    );
    return status ?? 1;
  },
};

/** The addon that a folder or file belongs to. */
function addonOf(place: string): string {
  for (let folder = place; folder !== path.dirname(folder); folder = path.dirname(folder))
    if (existsSync(path.join(folder, 'addon.ts'))) return folder;
  throw new UsageError(`${place} is no addon, and in none.`);
}
