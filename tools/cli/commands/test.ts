import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Command } from '../../../core/app/commands.ts';
import { repository } from '../../../core/base/addon-folders.ts';

export const command: Command = {
  summary: 'Runs the tests of an addon outside of the repository: that of the current folder, or of these',
  usage: '[<folder>…]',
  async run({ words }) {
    const folders = (words.length > 0 ? words : ['.']).map((folder) => path.resolve(folder));
    const known = process.env.ADDONS_PATH?.split(path.delimiter) ?? [];
    const { status } = spawnSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--experimental-vm-modules',
        path.join(repository, 'node_modules/jest/bin/jest.js'),
        ...folders,
      ],
      {
        cwd: repository,
        stdio: 'inherit',
        env: { ...process.env, ADDONS_PATH: [...known, ...folders].filter(Boolean).join(path.delimiter) },
      },
    );
    return status ?? 1;
  },
};
