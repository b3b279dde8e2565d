import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import {
  addonFolderAt,
  addonFolders,
  addonRoots,
  isInside,
  platformFaces,
  repository,
  resolveAlias,
} from '../addon-folders.ts';

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'alias-')));
const several = join(outside, 'several');
const single = join(outside, 'single');

beforeAll(() => {
  const files = [
    'several/club/addon.ts',
    'several/club/index.ts',
    'several/club/browser.ts',
    'single/addon.js',
    'single/index.js',
  ];
  for (const file of [...files, 'several/notes/readme.md', 'several/.hidden/addon.ts', 'several/bare/addon.ts']) {
    mkdirSync(dirname(join(outside, file)), { recursive: true });
    writeFileSync(join(outside, file), '');
  }
  symlinkSync(single, join(several, 'linked'));
});

describe('The roots of addons', () => {
  test('are the shipped addons, then the entries of ADDONS_PATH', () => {
    expect(addonRoots()).toEqual([join(repository, 'addons')]);
    expect(addonRoots(`${several}${delimiter} ${delimiter}${single}`)).toEqual([
      join(repository, 'addons'),
      several,
      single,
    ]);
  });

  test('hold the addons in them, or are one', () => {
    expect([...addonFolders([several, single, join(outside, 'nowhere')])]).toEqual([
      ['bare', join(several, 'bare')],
      ['club', join(several, 'club')],
      ['linked', join(several, 'linked')],
      ['single', single],
    ]);
  });

  test('give a name to the first that has it', () => {
    expect(addonFolders([join(several, 'club'), several]).get('club')).toBe(join(several, 'club'));
  });
});

describe('A path', () => {
  test('is in a folder, which is more than to begin with its name', () => {
    const inside = [several, join(several, 'club'), join(several, '..club/addon.ts')];
    expect(inside.map((path) => isInside(several, path))).toEqual(inside.map(() => true));
    const outOfIt = [outside, `${several}-more/club`, single, '/'];
    expect(outOfIt.map((path) => isInside(several, path))).toEqual(outOfIt.map(() => false));
  });

  test('belongs to the nearest addon above it', () => {
    expect(addonFolderAt(join(several, 'club/models/new.ts'))).toBe(join(several, 'club'));
    expect(addonFolderAt(single)).toBe(single);
    expect(addonFolderAt(several)).toBeNull();
  });
});

describe('A specifier', () => {
  const roots = [several, single];

  test('of the platform is one of its faces', () => {
    expect(resolveAlias('pergola', [])).toBe(join(repository, 'packages/pergola/index.ts'));
    expect(resolveAlias('pergola/testing', [])).toBe(join(repository, 'packages/pergola/testing.ts'));
    expect(resolveAlias('pergola/model/types', [])).toBeNull();
    expect(resolveAlias('pergola/../bin/pergola', [])).toBeNull();
  });

  test('of the platform means for addons outside what it means in the repository, for the compiler too', () => {
    const config = readFileSync(join(repository, 'tsconfig.addon.json'), 'utf8').replace(/^\/\/.*\n/gm, '');
    const { compilerOptions } = JSON.parse(config) as { compilerOptions: { paths: Record<string, string[]> } };
    const paths = Object.entries(compilerOptions.paths).filter(([name]) => /^pergola($|\/)/.test(name));
    const files = [...platformFaces()].map(([name, file]) => [name, [`./${relative(repository, file)}`]]);
    expect(Object.fromEntries(paths)).toEqual(Object.fromEntries(files));
  });

  test('of an addon is its index or its browser part, in whichever root it is', () => {
    expect(resolveAlias('@pergola/club', roots)).toBe(join(several, 'club/index.ts'));
    expect(resolveAlias('@pergola/club/browser', roots)).toBe(join(several, 'club/browser.ts'));
    expect(resolveAlias('@pergola/single', roots)).toBe(join(single, 'index.js'));
  });

  test('of a linked addon is the file that it really is', () => {
    expect(resolveAlias('@pergola/linked', roots)).toBe(join(single, 'index.js'));
  });

  test('stands for nothing where the addon, or that face of it, is not there', () => {
    const unresolved = [
      '@pergola/other',
      '@pergola/bare',
      '@pergola/single/browser',
      '@pergola/club/index',
      '@pergola',
      '@pergola/club/browser/more',
    ];
    expect(unresolved.map((specifier) => resolveAlias(specifier, roots))).toEqual(unresolved.map(() => null));
    expect(resolveAlias('zod', roots)).toBeNull();
  });
});
