import { f, model } from '#core';

/** Somebody who wrote books. */
export class Author extends model(
  'library.author',
  {
    name: f.char({ required: true, size: 120, label: 'Name' }),
    about: f.text({ translate: true, label: 'About the author' }),
  },
  { order: 'name, id', label: 'Author' },
) {}

declare module '#core' {
  interface Models {
    'library.author': Author;
  }
}
