import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { repository } from '@pergola/core';
import { usesColors } from '../../cli/colors.ts';
import { nearestTests } from '../nearest-tests.ts';

// `npm test`: runs jest; `--changed` runs the tests nearest to changed files, on SQLite.

/** Uncommitted files, or the files of the last commit if everything is committed. */
function changedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).split('\0').filter(Boolean);
  const changed = [
    ...git('diff', '--name-only', '-z', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return changed.length > 0 ? changed : git('diff', '--name-only', '-z', 'HEAD~1', 'HEAD');
}

function chooseChanged(): void {
  const tests = new Set<string>();
  for (const file of changedFiles()) {
    const nearest = nearestTests(repository, file);
    for (const test of nearest) tests.add(test);
    if (nearest.length === 0) console.log(`No test in the same part imports ${file}.`);
  }
  if (tests.size === 0) process.exit();
  process.env.DATABASES ||= 'sqlite';
  const jestArguments = process.argv.slice(2).filter((argument) => argument !== '--changed');
  process.argv = [...process.argv.slice(0, 2), ...jestArguments, '--runTestsByPath', ...tests];
}

// Jest's colours only respect FORCE_COLOR.
process.env.FORCE_COLOR = usesColors(process.stderr) ? '1' : '0';
delete process.env.NO_COLOR;
if (process.argv.includes('--changed')) chooseChanged();
createRequire(import.meta.url)('jest/bin/jest');
