import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addonRoots, type CommandIo } from '@pergola/core';
import { createTestApp } from '../../testing/app.ts';
import { buildProblems } from '../build-problems.ts';
import { main } from '../main.ts';

const folder = mkdtempSync(join(tmpdir(), 'unallowed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const addons = join(folder, 'addons');
const trace = join(addons, 'hostile/ran');
mkdirSync(join(addons, 'hostile'), { recursive: true });
writeFileSync(
  join(addons, 'hostile/addon.ts'),
  `import { writeFileSync } from 'node:fs';
import { defineAddon } from 'pergola';
writeFileSync(${JSON.stringify(trace)}, '');
setTimeout(() => {}, 10);
export default defineAddon({
  name: 'hostile',
  title: 'Hostile',
  summary: 'Does something when it is imported',
  version: '1.0.0',
  depends: ['base'],
  commands: [{ name: 'hostile', summary: 'Its command', usage: '', run: async () => 0 }],
});
`,
);

/** Runs a command on the site and returns its exit code and output. */
async function ran(url: string, words: readonly string[], interactive = false) {
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const io: CommandIo = { interactive, out: line, err: line, confirm: async () => false, secret: async () => null };
  const originalEnv = { ...process.env };
  Object.assign(process.env, { DATABASE_URL: url, DATA_DIR: folder, ADDONS_PATH: addons });
  try {
    return { code: await main(words, io), text: lines.join('\n') };
  } finally {
    process.env = originalEnv;
  }
}

test('No command runs the code of an addon that is not enabled, and enabling it takes a consent', async () => {
  const url = `sqlite:${join(folder, 'site.db')}`;
  await (await createTestApp({ addons: ['base'], url })).close();
  for (const words of [['list'], ['list', '--json'], ['help'], ['hostile'], ['routes'], ['sheet', 'hostile']]) {
    await ran(url, words);
    expect({ words, ran: existsSync(trace) }).toEqual({ words, ran: false });
  }
  expect((await ran(url, ['list'])).text).toMatch(/^hostile +uninstalled/m);
  expect(await buildProblems([...addonRoots(), addons], new Set(['base']))).toEqual([]);

  const planned = await ran(url, ['enable', 'hostile', '--plan']);
  expect(planned).toMatchObject({ code: 0, text: expect.stringMatching(/Read this first\n.*addon\.ts:3/s) });
  const refused = await ran(url, ['enable', 'hostile', '--yes'], true);
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('add --consent to agree') });
  const forProgram = await ran(url, ['enable', 'hostile', '--yes', '--json']);
  expect(forProgram).toMatchObject({ code: 1, text: expect.stringContaining('core.review_code') });
  expect(existsSync(trace)).toBe(false);

  // Without a terminal, its name is the consent.
  const enabled = await ran(url, ['enable', 'hostile']);
  expect(enabled).toMatchObject({ code: 0, text: expect.stringContaining('hostile: uninstalled → enabled') });
  expect(existsSync(trace)).toBe(true);
  expect(await ran(url, ['hostile'])).toMatchObject({ code: 0 });

  expect((await ran(url, ['sheet', 'hostile', '--against', '1.0.0'])).text).toContain('It can do the same.');
  writeFileSync(join(addons, 'hostile/more.ts'), "import { exec } from 'node:child_process';\nexec('id');\n");
  expect((await ran(url, ['sheet', 'hostile', '--against', '1.0.0'])).text).toMatch(
    /Can also\n.*Starts other programs/,
  );
  expect(await ran(url, ['sheet', 'hostile', '--against', '0.9.0'])).toMatchObject({
    code: 1,
    text: expect.stringContaining('No sheet of hostile 0.9.0 is stored.'),
  });
});
