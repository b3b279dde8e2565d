import { EditedSource } from '../edit-source.ts';
import { namesOf } from '../names.ts';

const addon = (inner: string): string =>
  `import { defineAddon } from 'pergola';\n\nexport default defineAddon({\n${inner}\n});\n`;

describe('A list of addon.ts', () => {
  it.each([
    ['is added', "name: 'a'", "name: 'a', routes: [page]"],
    ['is added before a comma at the end', "name: 'a', // of the é", "name: 'a', routes: [page], // of the é"],
    ['takes another element', 'routes: [one]', 'routes: [one, page]'],
    ['takes another element before a comment', 'routes: [\n  one, // first\n]', 'routes: [\n  one, page, // first\n]'],
    ['takes its first element', 'routes: []', 'routes: [page]'],
    ['takes another element after those of a name', 'routes', 'routes: [...routes, page]'],
    ['takes another element after those of another name', 'routes: pages', 'routes: [...pages, page]'],
    ['takes another element after those of a call', 'routes: all()', 'routes: [...(all()), page]'],
  ])('%s', (_, before, after) => {
    const source = new EditedSource(addon(before));
    expect(source.addToAddon('routes', 'page')).toBe(true);
    expect(source.text).toBe(addon(after));
  });

  it('is not looked for where no addon is declared', () => {
    expect(new EditedSource('export const a = 1;\n').addToAddon('routes', 'page')).toBe(false);
  });
});

it('An import is added once, to that of the same file, and not under a name that is taken', () => {
  const source = new EditedSource("import { a } from './a.ts';\nimport type { C } from './c.ts';\n\nclass D {}\n");
  expect(source.addImport('b', './a.ts')).toBe(true);
  expect(source.addImport('b', './a.ts')).toBe(true);
  expect(source.addImport('c', './c.ts')).toBe(true);
  expect([source.addImport('a', './other.ts'), source.addImport('D', './d.ts')]).toEqual([false, false]);
  expect(source.text).toBe(
    "import { a, b } from './a.ts';\nimport type { C } from './c.ts';\nimport { c } from './c.ts';\n\nclass D {}\n",
  );
});

it('Fields of a model are read with their kinds', () => {
  const source = new EditedSource(
    "export class A extends model('a.b', { name: f.char({ size: 8 }), ...more, bike_id: f.many2one('a.bike') }) {}",
  );
  expect(source.modelFields()).toEqual([
    { name: 'name', kind: 'char' },
    { name: 'bike_id', kind: 'many2one' },
  ]);
});

it.each([
  ['spare-part', 'spare_part', 'SparePart', 'sparePart', 'Spare part'],
  ['SparePart', 'spare_part', 'SparePart', 'sparePart', 'Spare part'],
  ['bike', 'bike', 'Bike', 'bike', 'Bike'],
])('%s is written as each place wants it', (name, id, type, value, label) => {
  expect(namesOf('workshop', name)).toMatchObject({ id, type, value, label });
});

it.each(['', '2nd', 'a/b', '../a', 'é', 'a b'])('%j is no name', (name) => {
  expect(namesOf('workshop', name)).toBeNull();
});
