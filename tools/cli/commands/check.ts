import { spawnSync } from 'node:child_process';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Command } from '../../../core/app/commands.ts';
import { repository } from '../../../core/base/addon-folders.ts';
import { checkArchitecture } from '../../architecture/check.ts';
import { describeViolation } from '../../architecture/problem.ts';
import { checkTexts } from '../../architecture/texts.ts';
import { runTemplates } from '../../templates/run.ts';

export const command: Command = {
  summary:
    'Checks the architecture (who may import whom, what code may not do) and the size of what browsers load; of an addon outside of the ' +
    'repository its templates, texts, types, format, lint and promises that nothing awaits',
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
  if (!format) wrong.push(...(await violationsIn(folders.map((folder) => resolve(folder)))));
  for (const line of wrong) err(line);
  const passed = folders.flatMap((cwd) => [
    format || runIn(cwd, 'typescript/bin/tsc', '--noEmit'),
    runIn(cwd, '@biomejs/biome/bin/biome', ...(format ? ['check', '--write', '.'] : ['ci', '.'])),
    format || runIn(cwd, 'oxlint/bin/oxlint', '--config', join(repository, '.oxlintrc.json'), '.'),
  ]);
  return wrong.length > 0 || passed.includes(false) ? 1 : 0;
}

/** Rules of the architecture and of texts that these addons break. */
async function violationsIn(folders: readonly string[]): Promise<string[]> {
  const addons = new Map(folders.map((folder) => [basename(folder), folder]));
  const found = [...checkArchitecture(repository, folders), ...(await checkTexts(repository, addons))];
  return found
    .map((violation) => ({ ...violation, file: resolve(repository, violation.file) }))
    .filter(({ file }) => folders.some((folder) => file.startsWith(folder + sep)))
    .map((violation) => describeViolation({ ...violation, file: relative('', violation.file) }));
}

function runIn(cwd: string, script: string, ...args: string[]): boolean {
  const command = join(repository, 'node_modules', script);
  return spawnSync(process.execPath, [command, ...args], { cwd, stdio: 'inherit' }).status === 0;
}
