import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../../core/base/addon-folders.ts';
import { Compiler } from '../../../tools/templates/compiler.ts';
import { typeFaults } from '../../../tools/templates/type-faults.ts';
import { cookbook, unnamed, writeCookbook } from './cookbook.ts';

const root = writeCookbook();
process.env.ADDONS_PATH = path.join(root, 'addons');
afterAll(() => rmSync(root, { recursive: true }));

describe('The cookbook', () => {
  it('holds no code that does not run', () => expect(unnamed).toEqual([]));

  it('fits the types', () => {
    const own = JSON.parse(readFileSync(path.join(repository, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    const paths = Object.entries(own.compilerOptions.paths).map(
      ([name, files]) => [name, files.map((file) => path.join('../..', file))] as const,
    );
    const settings = {
      extends: '../../tsconfig.json',
      compilerOptions: { paths: { '@pergola/studio': ['./addons/studio/index.ts'], ...Object.fromEntries(paths) } },
      include: ['addons', '../../core', '../../packages'],
      // Tests that load addons would bring a part of them.
      exclude: ['../../core/**/tests', '../../packages/**/tests'],
    };
    const config = path.join(root, 'tsconfig.json');
    writeFileSync(config, JSON.stringify(settings));
    using compiler = new Compiler([config]);
    expect(typeFaults(compiler.project(config), path.join(root, 'addons'), [])).toEqual([]);
  });
});

// The tests of the recipes: what each page says that one sees.
for (const { file } of cookbook.filter((one) => one.file.endsWith('.test.ts')))
  await import(path.join(root, 'addons/studio', file));
