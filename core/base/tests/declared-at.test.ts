import { declaredAt, declaredHere } from '../declared-at.ts';

const shelf = (fields: object): object => declaredHere(fields, shelf);

test('A problem of a declaration is on the first line that names it', () => {
  const first = shelf({ title: 'Shelf', room: 'attic' });
  const below = shelf({
    room: 'attic',
    title: 'Shelf',
  });
  const owner = { name: 'library', folder: import.meta.dirname };
  const lineOf = (made: object, ...words: string[]) => declaredAt(made, owner, words).line ?? 0;
  const start = lineOf(first, 'nothing');
  expect(declaredAt(first, owner, ['title', 'library'])).toEqual({ file: 'declared-at.test.ts', line: start });
  expect(lineOf(below, 'below', 'title')).toBe(lineOf(below, 'nothing'));
  expect(lineOf(below, 'library.shelf.title') - lineOf(below, 'nothing')).toBe(2);
});
