import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { addonFolders, addonRoots, repository, resolveAlias } from '../addon-folders.ts';

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

describe('A specifier', () => {
  const roots = [several, single];

  test('of the core is one of its three faces', () => {
    expect(resolveAlias('#core', [])).toBe(join(repository, 'core/index.ts'));
    expect(resolveAlias('#core/testing', [])).toBe(join(repository, 'tools/testing/index.ts'));
    expect(resolveAlias('#core/model/types', [])).toBeNull();
    expect(resolveAlias('#core/../bin/pergola', [])).toBeNull();
  });

  test('of an addon is its index or its browser part, in whichever root it is', () => {
    expect(resolveAlias('#addons/club', roots)).toBe(join(several, 'club/index.ts'));
    expect(resolveAlias('#addons/club/browser', roots)).toBe(join(several, 'club/browser.ts'));
    expect(resolveAlias('#addons/single', roots)).toBe(join(single, 'index.js'));
  });

  test('of a linked addon is the file that it really is', () => {
    expect(resolveAlias('#addons/linked', roots)).toBe(join(single, 'index.js'));
  });

  test('stands for nothing where the addon, or that face of it, is not there', () => {
    const nothing = [
      '#addons/other',
      '#addons/bare',
      '#addons/single/browser',
      '#addons/club/index',
      '#addons',
      '#addons/club/browser/more',
    ];
    expect(nothing.map((specifier) => resolveAlias(specifier, roots))).toEqual(nothing.map(() => null));
    expect(resolveAlias('zod', roots)).toBeNull();
  });
});
