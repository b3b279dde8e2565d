import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandIo } from '@pergola/core';
import { createTestDatabase } from '../../testing/databases.ts';
import { addonCommands, commands, main } from '../main.ts';

const folder = mkdtempSync(join(tmpdir(), 'no-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Commands that need an existing site, with valid arguments. */
const ofSite: Readonly<Record<string, readonly string[]>> = {
  list: [],
  enable: ['forum', '--dry-run'],
  disable: ['forum', '--yes'],
  upgrade: [],
  uninstall: ['forum', '--confirm', 'forum'],
  routes: [],
  models: ['--json'],
  slots: [],
  ids: [],
  console: [],
  backup: [join(folder, 'site.backup')],
  user: ['list'],
  keys: ['list'],
  breakers: [],
  changes: [],
  undo: ['1'],
  cost: [],
  rehearse: ['disable', 'forum'],
};

/** Commands that create a site or don't use one. */
const otherCommands =
  'start dev queries build new make test pack i18n explain config restore check sheet outdated sbom'.split(' ');

/** Runs a command with these variables and returns its exit code and output lines. */
async function ran(words: readonly string[], variables: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const io: CommandIo = { out: line, err: line, confirm: async () => true, secret: async () => null };
  const originalEnv = { ...process.env };
  Object.assign(process.env, { DATABASE_URL: '', SESSION_SECRET: '', ...variables });
  try {
    return { code: await main(words, io), text: lines.join('\n') };
  } finally {
    process.env = originalEnv;
  }
}

test('Each command either is one of those below, or may create a site', async () => {
  const names = [...Object.keys(commands), ...(await addonCommands()).map(({ name }) => name)];
  expect(names.sort()).toEqual([...Object.keys(ofSite), ...otherCommands].sort());
});

describe.each(Object.entries(ofSite))('pergola %s', (name, words) => {
  test('names the address where there is no site, and creates nothing', async () => {
    const dataDir = join(folder, 'mistyped');
    const { code, text } = await ran([name, ...words], { DATA_DIR: dataDir });
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringMatching(
        /^There is no site at sqlite:.*mistyped\/pergola\.db\. Check DATABASE_URL and DATA_DIR/,
      ),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('A command for a site that exists', () => {
  test('leaves an empty file and a file that is no database as they are', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'no-site-'));
    const file = join(dataDir, 'empty.db');
    writeFileSync(file, '');
    const variables = { DATA_DIR: dataDir, DATABASE_URL: `sqlite:${file}` };
    expect(await ran(['list'], variables)).toMatchObject({
      code: 1,
      text: expect.stringContaining('There is no site'),
    });
    writeFileSync(file, 'some text, and no database at all '.repeat(100));
    expect(await ran(['list'], variables)).toMatchObject({ code: 1, text: expect.stringContaining('cannot be read') });
    expect(readdirSync(dataDir)).toEqual(['empty.db']);
    rmSync(dataDir, { recursive: true });
  });

  test('creates no tables in an empty PostgreSQL database, and hides its password', async () => {
    const database = await createTestDatabase('postgres');
    try {
      const url = new URL(database.url);
      url.password ||= 'hidden-4711';
      const { code, text } = await ran(['routes'], { DATA_DIR: folder, DATABASE_URL: url.href });
      expect(code).toBe(1);
      expect(text).toMatch(/^There is no site at postgres/);
      expect(text).not.toContain(url.password);
      expect((await ran(['list'], { DATA_DIR: folder, DATABASE_URL: url.href })).text).toMatch(/^There is no site/);
    } finally {
      await database.drop();
    }
  });
});
