import { f, model } from '#core';

/** A copy that somebody reserved, has, or brought back. */
export class Loan extends model(
  'library.loan',
  {
    book_id: f.many2one('library.book', { required: true, ondelete: 'cascade', index: true, label: 'Book' }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade', index: true, label: 'Reader' }),
    due: f.date({ label: 'Due' }),
    state: f.selection(
      { reserved: 'Reserved', lent: 'Lent', returned: 'Returned' },
      { default: 'reserved', tracked: true, label: 'State' },
    ),
  },
  { order: 'id desc', label: 'Loan' },
) {}

declare module '#core' {
  interface Models {
    'library.loan': Loan;
  }
}
