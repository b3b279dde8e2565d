import { f, model } from 'pergola';

/** Subject of a book, used to filter the list. */
export class Category extends model(
  'library.category',
  { name: f.char({ required: true, size: 60, translate: true, label: 'Category' }) },
  { order: 'name, id', label: 'Category' },
) {}

declare module 'pergola' {
  interface Models {
    'library.category': Category;
  }
}
