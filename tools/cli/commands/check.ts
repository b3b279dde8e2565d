import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from '../../../core/app/commands.ts';
import { repository } from '../../../core/base/addon-folders.ts';
import { runTemplates } from '../../templates/run.ts';

export const command: Command = {
  summary:
    'Checks the architecture (who may import whom, what code may not do) and the size of what browsers load; of an addon outside of the ' +
    'repository its templates, types, format, lint and promises that nothing awaits',
  usage: '[<folder>… [--format]]',
  options: { format: { type: 'boolean' } },
  async run({ words, options, io }) {
    if (words.length > 0) return checkOutside(words, options.format === true, io.err);
    await import('../../architecture/main.ts');
    await import('../../sizes/main.ts');
    return Number(process.exitCode ?? 0);
  },
};

/** All that is wrong with addons outside of the repository, whatever of it is found first. */
async function checkOutside(folders: readonly string[], format: boolean, err: (line: string) => void): Promise<number> {
  const wrong = await runTemplates(format ? 'format' : 'check', folders);
  for (const line of wrong) err(line);
  const passed = folders.flatMap((cwd) => [
    format || runIn(cwd, 'typescript/bin/tsc', '--noEmit'),
    runIn(cwd, '@biomejs/biome/bin/biome', ...(format ? ['check', '--write', '.'] : ['ci', '.'])),
    format || runIn(cwd, 'oxlint/bin/oxlint', '--config', join(repository, '.oxlintrc.json'), '.'),
  ]);
  return wrong.length > 0 || passed.includes(false) ? 1 : 0;
}

function runIn(cwd: string, script: string, ...args: string[]): boolean {
  const command = join(repository, 'node_modules', script);
  return spawnSync(process.execPath, [command, ...args], { cwd, stdio: 'inherit' }).status === 0;
}
