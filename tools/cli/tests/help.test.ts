import type { CommandIo } from '@pergola/core';
import { commands, main } from '../main.ts';

async function said(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const io: CommandIo = { out: line, err: line, confirm: async () => false, secret: async () => null };
  return { code: await main(words, io), text: lines.join('\n') };
}

test.each([
  ['help', 'upgrade'],
  ['upgrade', '--help'],
  ['upgrade', '-h'],
])('%s %s tells the options of one command', async (...words) => {
  const { code, text } = await said(...words);
  expect(code).toBe(0);
  expect(text).toMatch(/^Usage: pergola upgrade \[<addon>…\]/);
  expect(text).toContain('needs neither a terminal nor --yes');
  expect(text).toMatch(/--dry-run .*rolled back/);
});

test('Help tells of disabling without a terminal, and of commands of addons', async () => {
  expect((await said('help', 'disable')).text).toContain('</dev/null');
  expect((await said('help', 'user')).text).toMatch(/^Usage: pergola user list/);
  expect(await said('help', 'upgrad')).toMatchObject({ code: 2, text: expect.stringContaining('no command "upgrad"') });
});

test.each([
  [['make', 'block'], '<name> is missing.'],
  [['make'], '<kind> and <name> are missing.'],
  [['uninstall'], '<addon> is missing.'],
  [['backup'], '<file> is missing.'],
  [['enable'], '<addon> is missing.'],
  [['i18n'], 'Name an action: extract, import or missing.'],
  [['i18n', 'extrct'], 'Did you mean “extract”?'],
  [['i18n', 'extract', 'forun'], 'There is no addon “forun”. Did you mean “forum”?'],
  [['i18n', 'extract', 'coer'], 'Did you mean “core”?'],
  [['check', 'forun'], 'Did you mean “forum”?'],
  [['test', 'forun'], 'Did you mean “forum”?'],
  [['pack', 'forun'], 'Did you mean “forum”?'],
  [['help', 'docs'], 'Run "npm run docs"'],
  [['upgrad'], 'There is no command "upgrad". Did you mean “upgrade”?'],
])('%j: %s', async (words, expected) => {
  expect(await said(...words)).toEqual({ code: 2, text: expect.stringContaining(expected) });
});

test('pack in Pergola’s own folder says which addons are packed, and names none of those that come with it', async () => {
  const { code, text } = await said('pack');
  expect(code).toBe(2);
  expect(text).toContain('Only addons outside of Pergola’s folder can be packed.');
  expect(text).not.toContain('forum');
});

test('Each command has help, without being run', async () => {
  for (const name of Object.keys(commands)) expect((await said('help', name)).text).toContain(`Usage: pergola ${name}`);
});
