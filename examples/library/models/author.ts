import { f, model } from 'pergola';

/** Author of books. */
export class Author extends model(
  'library.author',
  {
    name: f.char({ required: true, size: 120, label: 'Name' }),
    about: f.text({ translate: true, label: 'About the author' }),
  },
  { order: 'name, id', label: 'Author' },
) {}

declare module 'pergola' {
  interface Models {
    'library.author': Author;
  }
}
