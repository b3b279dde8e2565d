import { defineAddon } from 'pergola';
import { newBooks, snippets } from './blocks/new-books.ts';
import { remind } from './jobs/remind.ts';
import { overdueMail } from './mails.ts';
import { Author } from './models/author.ts';
import { Book } from './models/book.ts';
import { Category } from './models/category.ts';
import { Loan } from './models/loan.ts';
import { Reader } from './models/res-partner.ts';
import { Reservation } from './models/reservation.ts';
import { pages } from './routes/books.ts';
import { cancel, reserve } from './routes/reservations.ts';
import { groups, lists, rules } from './security.ts';
import { Desk } from './services/desk.ts';
import { loanDays, mostReservations } from './settings.ts';
import { menus, publicMethods, views } from './views.ts';

export default defineAddon({
  name: 'library',
  title: 'Library',
  summary: 'Books that are lent',
  version: '1.0.0',
  category: 'Website',
  icon: 'book',
  depends: ['website'],
  models: [Author, Category, Book, Loan, Reservation, Reader],
  groups,
  access: lists,
  rules,
  services: [Desk],
  settings: [loanDays, mostReservations],
  jobs: [remind],
  mails: [overdueMail],
  blocks: [newBooks],
  snippets,
  views,
  menus,
  publicMethods,
  routes: [...pages, reserve, cancel],
});
