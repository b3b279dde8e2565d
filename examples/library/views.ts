import { menu, publicMethod, view } from '@pergola/web';
import { Author } from './models/author.ts';
import { Book } from './models/book.ts';
import { Category } from './models/category.ts';
import { Loan } from './models/loan.ts';
import { Reader } from './models/res-partner.ts';
import { Reservation } from './models/reservation.ts';

export const views = [
  view.list(Book, {
    columns: ['name', 'author_ids', 'copies', 'free', { field: 'website_published', optional: true }],
  }),
  view.form(Book, {
    title: 'name',
    image: 'cover',
    sections: [{ items: ['author_ids', 'category_ids', 'isbn'] }, { items: ['copies', 'free', 'website_published'] }],
    tabs: [
      { label: 'Summary', sections: [{ items: [{ field: 'summary', wide: true }] }] },
      { label: 'Loans', sections: [{ items: [{ field: 'loan_ids', columns: ['partner_id', 'due', 'state'] }] }] },
      {
        label: 'Reservations',
        sections: [{ items: [{ field: 'reservation_ids', columns: ['partner_id', 'state'] }] }],
      },
    ],
  }),
  view.list(Loan, { columns: ['display_name', 'due', 'state'] }),
  view.form(Loan, {
    title: 'display_name',
    status: 'state',
    buttons: [{ method: 'giveBack', label: 'Give back', when: [['state', '=', 'lent']] }],
    sections: [{ items: ['book_id', 'partner_id', 'due'] }],
  }),
  view.calendar(Loan, { title: 'display_name', start: 'due' }),
  view.search(Loan, {
    fields: ['book_id', 'partner_id'],
    filters: [{ id: 'lent', label: 'Lent', domain: [['state', '=', 'lent']] }],
    groups: [{ id: 'reader', label: 'Reader', by: 'partner_id' }],
  }),
  view.kanban(Reservation, { title: 'display_name', groupBy: 'state' }),
  view.form(Reservation, {
    title: 'display_name',
    status: 'state',
    buttons: [
      { method: 'handOut', label: 'Hand out', when: [['state', '=', 'reserved']] },
      { method: 'cancel', label: 'Cancel the reservation', when: [['state', '=', 'reserved']] },
    ],
    sections: [{ items: ['book_id', 'partner_id'] }],
  }),
  view.form(Reader, {
    adds: true,
    tabs: [{ label: 'Library', sections: [{ items: [{ field: 'loan_ids', columns: ['book_id', 'due', 'state'] }] }] }],
  }),
];

const groups = ['library.librarian'];

export const menus = [
  menu('library.root', { label: 'Library', icon: 'book', groups }),
  menu('library.books', { label: 'Books', parent: 'library.root', model: Book }),
  menu('library.authors', { label: 'Authors', parent: 'library.root', model: Author }),
  menu('library.categories', { label: 'Categories', parent: 'library.root', model: Category }),
  menu('library.reservations', {
    label: 'Reservations',
    parent: 'library.root',
    model: Reservation,
    views: ['kanban', 'list'],
  }),
  menu('library.loans', { label: 'Loans', parent: 'library.root', model: Loan, views: ['list', 'calendar'] }),
];

/** Methods that buttons may call. */
export const publicMethods = [
  publicMethod(Loan, 'giveBack', { right: 'write', writes: true }),
  publicMethod(Reservation, 'handOut', { right: 'write', writes: true }),
  publicMethod(Reservation, 'cancel', { right: 'write', writes: true }),
];
