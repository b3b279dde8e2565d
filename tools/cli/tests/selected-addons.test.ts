import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { addonFolders, addonRoots, repository } from '@pergola/core';
import { selectAddons, withCurrentFolder } from '../selected-addons.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'selected-')));
const ownAddons = join(folder, 'mine');
const copy = join(folder, 'copy/booking');
const shipped = join(repository, 'addons');

beforeAll(() => {
  const depends = {
    'mine/booking': ['website', 'rooms'],
    'mine/rooms': ['base'],
    'mine/other': [],
    'copy/booking': [],
  };
  for (const [place, needs] of Object.entries({ ...depends, 'clash/forum': [] })) {
    mkdirSync(join(folder, place, 'models'), { recursive: true });
    writeFileSync(join(folder, place, 'addon.ts'), `export default { depends: ${JSON.stringify(needs)} };`);
  }
  mkdirSync(join(folder, 'empty'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Folders of the addons that a command selects for these arguments. */
function selected(words: readonly string[], cwd: string, addonsPath = ''): string[] {
  // As the program does at startup.
  const path = withCurrentFolder(addonsPath, cwd).addonsPath;
  return [...selectAddons(words, { cwd, addonsPath: path }).folders.values()];
}

describe('Without arguments a command is about', () => {
  test.each([
    ['the addon of its folder', join(ownAddons, 'booking'), '', [join(ownAddons, 'booking')]],
    ['the addon that a subfolder belongs to', join(ownAddons, 'booking/models'), '', [join(ownAddons, 'booking')]],
    ['all addons in its folder', ownAddons, '', ['booking', 'other', 'rooms'].map((name) => join(ownAddons, name))],
    ['the addon of its folder, whatever ADDONS_PATH says', copy, ownAddons, [copy]],
    ['those of ADDONS_PATH in a folder without addons', join(folder, 'empty'), copy, [copy]],
    ['an addon of the repository in its folder', join(shipped, 'forum/models'), copy, [join(shipped, 'forum')]],
    ['an addon among the examples', join(repository, 'examples/library'), '', [join(repository, 'examples/library')]],
  ])('%s', (_what, cwd, addonsPath, expected) => {
    expect(selected([], cwd, addonsPath)).toEqual(expected);
  });

  test.each([repository, join(repository, 'tools'), shipped])('all in the repository: %s', (cwd) => {
    const { folders, isWhole } = selectAddons([], { cwd, addonsPath: copy });
    expect([...folders.values()]).toEqual([...addonFolders([shipped]).values(), copy]);
    expect(isWhole).toBe(true);
  });

  test('nothing where there is none, and says what to do', () => {
    expect(() => selected([], join(folder, 'empty'))).toThrow('Change to an addon’s folder, or name an addon.');
  });
});

describe('Arguments name', () => {
  test.each([
    ['addons of the repository', ['forum', 'sale'], ['forum', 'sale'].map((name) => join(shipped, name))],
    ['addons of ADDONS_PATH', ['rooms'], [join(ownAddons, 'rooms')]],
    ['paths in addons', ['copy/booking/models'], [copy]],
    ['folders of addons', ['copy'], [copy]],
  ])('%s', (_what, words, expected) => {
    expect(selected(words, folder, ownAddons)).toEqual(expected);
  });

  test('addons next to the current one', () => {
    expect(selected(['other'], join(ownAddons, 'booking/models'))).toEqual([join(ownAddons, 'other')]);
  });

  test('no addon that isn’t there, and none that comes with Pergola already', () => {
    expect(() => selected(['nowhere'], folder)).toThrow('There is no addon “nowhere”.');
    expect(() => selected(['romms'], folder, ownAddons)).toThrow('There is no addon “romms”. Did you mean “rooms”?');
    expect(() => selected(['othr'], join(ownAddons, 'booking'))).toThrow('Did you mean “other”?');
    expect(() => selected(['clash'], folder)).toThrow('“forum” is the name of an addon that comes with Pergola.');
  });
});

test.each([
  ['mine/booking/nope.ts', /There is no file or folder “mine\/booking\/nope\.ts” \(.*\/mine\/booking\/nope\.ts\)\./],
  ['nope.ts', /There is no file or folder “nope\.ts”/],
  ['empty', /empty is not in an addon/],
])('A path without an addon is called that: %s', (word, message) => {
  expect(() => selected([word], folder, ownAddons)).toThrow(message);
});

test('Only what the selected addons need is looked at', () => {
  const { roots } = selectAddons(['rooms', 'booking'], { cwd: folder, addonsPath: ownAddons });
  expect(roots).toEqual([shipped, join(ownAddons, 'rooms'), join(ownAddons, 'booking')]);
  expect(selectAddons(['forum'], { cwd: folder, addonsPath: ownAddons }).roots).toEqual([shipped]);
  expect(selectAddons([join(ownAddons, 'booking')], { cwd: folder, addonsPath: '' }).roots).toEqual([
    shipped,
    join(ownAddons, 'booking'),
    join(ownAddons, 'rooms'),
  ]);
});

describe('ADDONS_PATH', () => {
  test('gives way to the current folder where both have an addon, and that is said', () => {
    const { addonsPath, note } = withCurrentFolder(ownAddons, copy);
    expect(addonFolders(addonRoots(addonsPath)).get('booking')).toBe(copy);
    expect(addonFolders(addonRoots(addonsPath)).get('rooms')).toBe(join(ownAddons, 'rooms'));
    expect(addonsPath.split(delimiter)).not.toContain(ownAddons);
    expect(note).toBe(`booking is used from ${copy}, not from ${join(ownAddons, 'booking')}.`);
  });

  test('gives way to an argument', () => {
    const { addonsPath, note } = selectAddons([copy], { cwd: folder, addonsPath: ownAddons });
    expect(addonFolders(addonRoots(addonsPath)).get('booking')).toBe(copy);
    expect(note).toContain(`booking is used from ${copy}`);
  });

  test('stays as it is where it names the current folder, and is completed where it doesn’t', () => {
    expect(withCurrentFolder(ownAddons, join(ownAddons, 'booking'))).toEqual({ addonsPath: ownAddons, note: null });
    expect(withCurrentFolder(ownAddons, repository)).toEqual({ addonsPath: ownAddons, note: null });
    const path = withCurrentFolder(join(ownAddons, 'other'), copy);
    expect(path.addonsPath.split(delimiter)).toEqual([copy, join(ownAddons, 'other')]);
    expect(path.note).toContain('booking is not in ADDONS_PATH');
    expect(withCurrentFolder('', copy)).toEqual({ addonsPath: copy, note: null });
  });

  test('gets the addons next to one that it needs, and no others', () => {
    const names = (path: string) => [...addonFolders(addonRoots(path).slice(1)).keys()];
    expect(names(withCurrentFolder('', join(ownAddons, 'booking')).addonsPath)).toEqual(['booking', 'rooms']);
    expect(names(withCurrentFolder(dirname(copy), join(ownAddons, 'rooms')).addonsPath)).toEqual(['rooms', 'booking']);
  });
});
