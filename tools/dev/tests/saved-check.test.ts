import { spawn } from 'node:child_process';
import type { Problem } from '@pergola/core';
import { SavedCheck } from '../saved-check.ts';

const problem: Problem = { addon: 'ship', file: 'boat.ts', line: 3, message: 'This is no boat.' };

/** A check process that prints this text. */
function printing(text: string) {
  return spawn(process.execPath, ['-e', `process.stdout.write(${JSON.stringify(text)})`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Checks that print these texts in turn, with the files they receive and the next report. */
function checks(answers: readonly string[]) {
  const asked: (readonly string[])[] = [];
  let report = Promise.withResolvers<readonly Problem[]>();
  const check = new SavedCheck(
    (problems) => report.resolve(problems),
    (files) => {
      asked.push(files);
      return printing(answers[asked.length - 1] ?? '');
    },
  );
  const saved = async (...files: string[]): Promise<readonly Problem[]> => {
    report = Promise.withResolvers();
    check.saved(files);
    return report.promise;
  };
  return { check, asked, saved };
}

test('Saved files are checked together; those with mistakes again until they are right', async () => {
  const { asked, saved } = checks([JSON.stringify([problem]), '[]', '[]']);
  expect(await saved('/a', '/b')).toEqual([problem]);
  expect(await saved('/c')).toEqual([]);
  expect(await saved('/d')).toEqual([]);
  expect(asked).toEqual([['/a', '/b'], ['/a', '/b', '/c'], ['/d']]);
});

test('A save before the check has begun is checked with it', async () => {
  const { check, asked, saved } = checks(['[]']);
  check.saved(['/a']);
  expect(await saved('/b')).toEqual([]);
  expect(asked).toEqual([['/a', '/b']]);
  check.stop();
});
