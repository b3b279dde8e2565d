import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parts } from '../../../parts.ts';
import { allPoints } from '../../app/points.ts';
import { createLog } from '../../base/log.ts';
import { discover } from '../discover.ts';
import { loadProblem } from '../load-problem.ts';

const fixtures = join(import.meta.dirname, '../../../tools/testing/fixtures');
const silent = createLog('silent');

describe('Finding addons', () => {
  test('reads each with the files of its folders, whatever is wrong with others', async () => {
    const { addons } = await discover([fixtures], silent, allPoints(parts));
    const hello = addons.find(({ name }) => name === 'fx_hello');
    expect(hello).toMatchObject({
      outside: false,
      folder: join(fixtures, 'fx_hello'),
      files: { templates: ['fx_hello.hello.hbs'] },
    });
    expect(hello?.definition.title).toBe('Hello');
    expect(addons.map(({ name }) => name)).toEqual(addons.map(({ name }) => name).toSorted());
  });

  test('tells where an addon that throws while loading threw', async () => {
    const { addons, problems } = await discover([join(fixtures, 'fx_throws_at_load')], silent, allPoints(parts));
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
    const { problems } = await discover([join(fixtures, 'fx_bad_manifest')], silent, allPoints(parts));
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
    const { problems } = await discover([root], silent, allPoints(parts));
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
    const { problems } = await discover([join(fixtures, 'fx_misnamed')], silent, allPoints(parts));
    expect(problems.map(({ message }) => message)).toEqual([
      'calls itself "fx_missnamed", and its folder is "fx_misnamed".',
      'group "moderator" does not carry the addon\'s name.',
      'job "other.sweep" does not carry the addon\'s name.',
    ]);
  });

  test('takes the first of two addons of one name, and tells of the other', async () => {
    const root = mkdtempSync(join(tmpdir(), 'addons-'));
    cpSync(join(fixtures, 'fx_hello'), join(root, 'fx_hello'), { recursive: true });
    const { addons, problems } = await discover([join(fixtures, 'fx_hello'), root], silent, allPoints(parts));
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
    const { problems } = await discover([root], log as never, allPoints(parts));
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
    const { addons, problems } = await discover([root, join(root, 'absent')], silent, allPoints(parts));
    expect(problems).toEqual([]);
    expect(addons).toMatchObject([{ name: 'plain', outside: true, files: { data: ['a.js', 'b.js'] } }]);
  });
});
