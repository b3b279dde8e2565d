import { readableLog } from '../readable-log.ts';

it('prints warnings and errors of a command in words', () => {
  const lines: string[] = [];
  const log = readableLog((line) => lines.push(line));
  log.info('Not shown');
  log.warn(
    { problem: { addon: 'hello', file: 'addon.ts', line: 2, message: 'is wrong.', remedy: 'Correct it.' } },
    'Wrong',
  );
  log.error({ err: new Error('refused') }, 'Failed');
  expect(lines).toEqual(['warning: Wrong: hello addon.ts:2: is wrong. Correct it.', 'error: Failed: refused']);
});
