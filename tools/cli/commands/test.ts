import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '@pergola/core';
import { addonFolderAt, isInside, repository } from '@pergola/core';
import { withColors } from '../colors.ts';
import { selectAddons } from '../selected-addons.ts';

export const command: Command = {
  summary: 'Runs the tests of the current folder, or of these addons, folders and files; options are passed to jest',
  usage: '[<addon, folder or file>…] [-t <name>] [--watch] […]',
  handsOn: true,
  async run({ words, io }) {
    const firstOption = words.findIndex((word) => word.startsWith('-'));
    const [targets, options] = firstOption < 0 ? [words, []] : [words.slice(0, firstOption), words.slice(firstOption)];
    const { folders, isWhole, addonsPath, note } = selectAddons(targets);
    if (note !== null) io.err(note);
    const currentFolders = addonFolderAt(process.cwd()) === null ? [...folders.values()] : [process.cwd()];
    const places = isWhole ? [] : targets.length > 0 ? targets.flatMap(placesOf) : currentFolders;
    const { status } = spawnSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--experimental-vm-modules',
        path.join(repository, 'node_modules/jest/bin/jest.js'),
        ...places.map(patternOf),
        // Outside the repository there may be no git to report changes, so all files are watched.
        ...options.map((option) => (option === '--watch' ? '--watchAll' : option)),
      ],
      {
        cwd: repository,
        stdio: 'inherit',
        env: {
          ...withColors(process.stderr),
          ADDONS_PATH: addonsPath,
          ...(!isWhole && {
            TESTED_FOLDERS: [...folders.values()].map((folder) => realpathSync(folder)).join(path.delimiter),
          }),
        },
      },
    );
    return status ?? 1;
  },
};

/** Test locations for a path in an addon, or for the addons that a word selects. */
function placesOf(word: string): string[] {
  const { folders } = selectAddons([word]);
  const place = path.resolve(word);
  const isPath = existsSync(place) && [...folders.values()].some((folder) => isInside(folder, place));
  return isPath ? [place] : [...folders.values()];
}

/** Jest pattern for this file, or for all files in this folder but not in folders whose names only start the same way. */
function patternOf(place: string): string {
  const pattern = realpathSync(place)
    .replaceAll(path.sep, '/')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return statSync(place).isDirectory() ? `${pattern}/` : pattern;
}
