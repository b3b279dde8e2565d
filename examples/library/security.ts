import { publishedRules } from '@pergola/website';
import { access, type Ctx, group, rule } from 'pergola';
import { Author } from './models/author.ts';
import { Book } from './models/book.ts';
import { Category } from './models/category.ts';
import { Loan } from './models/loan.ts';
import { Reservation } from './models/reservation.ts';

const librarian = 'library.librarian';

export const groups = [
  group(librarian, {
    label: 'Librarian',
    category: 'Library',
    implies: ['base.group_user'],
    impliedBy: ['base.group_system'],
  }),
];

export const lists = [
  ...[Author, Category, Book].map((model) => access(model, { '*': 'r', [librarian]: 'rwcd' })),
  ...[Loan, Reservation].map((model) => access(model, { 'base.group_portal': 'r', [librarian]: 'rwcd' })),
];

const ownRecords = {
  groups: ['base.group_portal'],
  domain: (ctx: Ctx) => [['partner_id', '=', ctx.user.partnerId]] as const,
};
const all = { groups: [librarian], domain: () => [] };

export const rules = [
  ...publishedRules('library.published', Book),
  rule('library.own_loans', Loan, ownRecords),
  rule('library.all_loans', Loan, all),
  rule('library.own_reservations', Reservation, ownRecords),
  rule('library.all_reservations', Reservation, all),
];
