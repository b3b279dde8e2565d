import { menu, view } from '#addons/web';
import { Book } from './models/book.ts';
import { Loan } from './models/loan.ts';

export const views = [
  view.list(Book, { columns: ['name', 'author', 'copies', 'website_published'] }),
  view.form(Book, { title: 'name', sections: [{ items: ['author', 'copies', 'website_url', 'loan_ids'] }] }),
  view.kanban(Loan, { title: 'book_id', lines: ['partner_id', 'due'], groupBy: 'state' }),
  view.list(Loan, { columns: ['book_id', 'partner_id', 'due', 'state'] }),
];

export const menus = [
  menu('library.root', { label: 'Library', icon: 'book' }),
  menu('library.books', { label: 'Books', parent: 'library.root', model: Book }),
  menu('library.loans', { label: 'Loans', parent: 'library.root', model: Loan }),
];
