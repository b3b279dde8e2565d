import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parts } from '../../../parts.ts';
import { allPoints } from '../../app/points.ts';
import { createLog } from '../../base/log.ts';
import { type Discovery, discover } from '../discover.ts';
import { loadProblem } from '../load-problem.ts';

const fixtures = join(import.meta.dirname, '../../../tools/testing/fixtures');
const silent = createLog('silent');

/** The addons in these folders after all of their code was loaded. */
async function loadedFrom(roots: readonly string[], log = silent): Promise<Discovery> {
  const discovery = await discover(roots, log, allPoints(parts));
  await discovery.loadAll();
  return discovery;
}

describe('Finding addons', () => {
  test('reads each with the files of its folders, whatever is wrong with others', async () => {
    const { addons } = await loadedFrom([fixtures]);
    const hello = addons.find(({ name }) => name === 'fx_hello');
    expect(hello).toMatchObject({
      outside: false,
      folder: join(fixtures, 'fx_hello'),
      files: { templates: ['fx_hello.hello.hbs'] },
    });
    expect(hello?.definition.title).toBe('Hello');
    expect(addons.map(({ name }) => name)).toEqual(addons.map(({ name }) => name).toSorted());
  });

  test('runs no code before it is loaded, and then that of the addon and its dependencies only', async () => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    const names = ['ground', 'house', 'other'];
    for (const name of names) {
      mkdirSync(join(root, name));
      const depends = name === 'house' ? "depends: ['ground']" : '';
      writeFileSync(
        join(root, name, 'addon.js'),
        `import { writeFileSync } from 'node:fs';
const trace = new URL('./ran', import.meta.url);
writeFileSync(trace, '');
const definition = { name: '${name}', title: \`Title\`, summary: 'A', version: '0.1.0', ${depends} };
export { definition as default };`,
      );
    }
    const ran = () => names.filter((name) => existsSync(join(root, name, 'ran')));
    const discovery = await discover([root], silent, allPoints(parts));
    expect(discovery.addons.map(({ name }) => name)).toEqual(names);
    expect(discovery.addons[1]?.definition).toMatchObject({ title: 'Title', depends: ['ground'] });
    expect(discovery.loaded).toEqual([]);
    expect(ran()).toEqual([]);
    await discovery.load(['house']);
    expect(ran()).toEqual(['ground', 'house']);
    expect(discovery.loaded.map(({ name }) => name)).toEqual(['ground', 'house']);
  });

  test.each([
    [
      'a value that is calculated',
      "export default {\n name: 'odd', title: 'A' + 1 };",
      2,
      /`title` can’t be read without/,
    ],
    [
      'a definition that is calculated',
      'const make = () => ({});\n\nexport default make();',
      3,
      /definition that can’t be read/,
    ],
    ['no definition', 'export const addon = {};', undefined, /exports no addon/],
    ['a mistake in the syntax', "export default {\n name: 'odd',,\n};", 2, /cannot be loaded: /],
  ])('names the line of %s without running it', async (_, source, line, message) => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    mkdirSync(join(root, 'odd'));
    writeFileSync(join(root, 'odd', 'addon.js'), `${source}\nglobalThis.oddRan = true;`);
    const { addons, problems } = await discover([root], silent, allPoints(parts));
    expect(addons).toEqual([]);
    expect(problems).toEqual([
      expect.objectContaining({ addon: 'odd', file: 'addon.js', message: expect.stringMatching(message) }),
    ]);
    expect(problems[0]?.line).toBe(line);
    expect(globalThis).not.toHaveProperty('oddRan');
  });

  test('refuses a manifest that its code changes', async () => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    mkdirSync(join(root, 'sly'));
    const source = `const more = { depends: ['base'] };
export default { name: 'sly', title: 'A', summary: 'A', version: '0.1.0', ...more };`;
    writeFileSync(join(root, 'sly', 'addon.js'), source);
    const { addons, problems } = await loadedFrom([root]);
    expect(addons).toEqual([]);
    expect(problems).toMatchObject([{ addon: 'sly', line: 1, message: expect.stringContaining('`depends` isn’t') }]);
  });

  test('tells where an addon that throws while loading threw', async () => {
    const { addons, problems } = await loadedFrom([join(fixtures, 'fx_throws_at_load')]);
    expect(addons).toEqual([]);
    expect(problems).toEqual([
      {
        addon: 'fx_throws_at_load',
        file: 'settings.ts',
        line: expect.any(Number),
        message: 'cannot be loaded: this machine has no such thing',
      },
    ]);
  });

  test('tells everything that does not fit in a definition, not only the first', async () => {
    const { problems } = await loadedFrom([join(fixtures, 'fx_bad_manifest')]);
    const texts = problems.map(({ message, remedy }) => `${message} ${remedy ?? ''}`).join('\n');
    expect(texts).toMatch(/`title`/);
    expect(texts).toMatch(/`summary` is missing/);
    expect(texts).toMatch(/`version` must be three numbers/);
    expect(texts).toMatch(/`dependss` is nothing an addon has. Did you mean “depends”\?/);
    expect(texts).toMatch(/`models.0` must be a model/);
    expect(problems.every(({ addon, file }) => addon === 'fx_bad_manifest' && file === 'addon.ts')).toBe(true);
  });

  test('names a dependency that does not exist in place of what it would have brought', async () => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    const addonSource = (name: string, more: string) =>
      `export default { name: '${name}', title: 'A', summary: 'A', version: '0.1.0',\n ${more} };`;
    for (const [name, more] of [
      ['studio', ''],
      ['club', "depends: ['studoi'], lessons: []"],
    ] as const) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'addon.js'), addonSource(name, more));
    }
    const { problems } = await loadedFrom([root]);
    expect(problems).toEqual([
      {
        addon: 'club',
        file: 'addon.js',
        line: 2,
        message: 'depends on "studoi", which is in none of the addon folders.',
        remedy: 'Did you mean “studio”?',
      },
    ]);
  });

  test('wants the name of the folder, and the name in every id', async () => {
    const { problems } = await loadedFrom([join(fixtures, 'fx_misnamed')]);
    expect(problems.map(({ message }) => message)).toEqual([
      'calls itself "fx_missnamed", and its folder is "fx_misnamed".',
      'group "moderator" does not carry the addon\'s name.',
      'job "other.sweep" does not carry the addon\'s name.',
    ]);
  });

  test('takes the first of two addons of one name, and tells of the other', async () => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    cpSync(join(fixtures, 'fx_hello'), join(root, 'fx_hello'), { recursive: true });
    const { addons, problems } = await loadedFrom([join(fixtures, 'fx_hello'), root]);
    expect(addons).toMatchObject([{ name: 'fx_hello', folder: join(fixtures, 'fx_hello') }]);
    expect(problems).toMatchObject([
      { addon: 'fx_hello', message: expect.stringContaining('there are two addons of this name') },
    ]);
  });

  test('blames the addon whose file is broken, and says of others only that they need it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    const addonSource = (name: string) =>
      `export default { name: '${name}', title: 'A', summary: 'A', version: '0.1.0' };`;
    for (const [file, source] of [
      ['shelf/books.js', 'export const books = [;\n'],
      ['shelf/addon.js', `import './books.js';\n${addonSource('shelf')}`],
      ['club/addon.js', `import '../shelf/books.js';\n${addonSource('club')}`],
      ['ring/one.js', "import { two } from './two.js';\nexport const one = { two };\n"],
      ['ring/two.js', "import { one } from './one.js';\nexport const two = { one };\n"],
      ['ring/addon.js', `import './one.js';\n${addonSource('ring')}`],
    ] as const) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), source);
    }
    const lines: string[] = [];
    const log = { warn: (values: unknown, text: string) => lines.push(`${text} ${JSON.stringify(values)}`) };
    const { problems } = await loadedFrom([root], log as never);
    expect(problems).toEqual(
      expect.arrayContaining([
        {
          addon: 'club',
          file: 'addon.js',
          message: 'is left out because it imports shelf, which cannot be loaded.',
          because: 'shelf',
        },
        expect.objectContaining({ addon: 'shelf', file: 'books.js', line: 1 }),
        expect.objectContaining({
          addon: 'ring',
          message: expect.stringMatching(
            /these files import each other, so “one” is used before it exists: two\.js → one\.js → two\.js/,
          ),
        }),
      ]),
    );
    expect(lines.at(-1)).toBe('Addons that need one of these cannot be used either {"addons":["club"]}');
  });

  test('names the line of an import whose file does not exist', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lost-'));
    writeFileSync(join(folder, 'addon.js'), "import './there.js';\nimport { gone } from './models/gone.js';\n");
    const missingFile = join(folder, 'models/gone.js');
    const error = new Error(`Cannot find module '${missingFile}' imported from ${join(folder, 'addon.js')}`);
    const addon = { name: 'lost', folder };
    expect(loadProblem(addon, 'addon.js', error, [addon])).toMatchObject({
      addon: 'lost',
      file: 'addon.js',
      line: 2,
      message: 'cannot be loaded: the file models/gone.js does not exist.',
    });
  });

  test('reads addons written in JavaScript from folders outside the repository', async () => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    mkdirSync(join(root, 'plain', 'data'), { recursive: true });
    writeFileSync(
      join(root, 'plain', 'addon.js'),
      "export default { name: 'plain', title: 'Plain', summary: 'Plain', version: '0.1.0' };",
    );
    writeFileSync(join(root, 'plain', 'data', 'b.js'), 'export default [];');
    writeFileSync(join(root, 'plain', 'data', 'a.js'), 'export default [];');
    const { addons, problems } = await loadedFrom([root, join(root, 'absent')]);
    expect(problems).toEqual([]);
    expect(addons).toMatchObject([{ name: 'plain', outside: true, files: { data: ['a.js', 'b.js'] } }]);
  });
});
