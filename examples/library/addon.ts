import { defineAddon } from '#core';
import { Book } from './models/book.ts';
import { Loan } from './models/loan.ts';
import { Reader } from './models/res-partner.ts';
import { routes } from './routes/books.ts';
import { lists, rules } from './security.ts';
import { loanDays } from './settings.ts';
import { menus, views } from './views.ts';

export default defineAddon({
  name: 'library',
  title: 'Library',
  summary: 'Books that are lent',
  version: '1.0.0',
  category: 'Website',
  icon: 'book',
  depends: ['website'],
  models: [Book, Loan, Reader],
  access: lists,
  rules,
  settings: [loanDays],
  views,
  menus,
  routes,
});
