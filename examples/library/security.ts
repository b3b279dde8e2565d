import { publishedRules } from '#addons/website';
import { access, rule } from '#core';
import { Book } from './models/book.ts';
import { Loan } from './models/loan.ts';

export const lists = [
  access(Book, { '*': 'r', 'base.group_user': 'rwcd' }),
  access(Loan, { 'base.group_portal': 'r', 'base.group_user': 'rwcd' }),
];

export const rules = [
  ...publishedRules('library.published', Book),
  rule('library.own_loans', Loan, {
    groups: ['base.group_portal'],
    operations: 'r',
    domain: (ctx) => [['partner_id', '=', ctx.user.partnerId ?? 0]],
  }),
  rule('library.all_loans', Loan, { groups: ['base.group_user'], domain: () => [] }),
];
