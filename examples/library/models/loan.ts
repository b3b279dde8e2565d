import { f, type Id, type Ids, model, plusDays } from 'pergola';
import { loanDays } from '../settings.ts';
import { Book } from './book.ts';

/** A copy that a reader has borrowed or returned. */
export class Loan extends model(
  'library.loan',
  {
    book_id: f.many2one('library.book', { required: true, ondelete: 'cascade', index: true, label: 'Book' }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade', index: true, label: 'Reader' }),
    due: f.date({
      required: true,
      default: async (ctx) => plusDays(ctx.today(), await ctx.settings.get(loanDays)),
      label: 'Due',
    }),
    state: f.selection(
      { lent: 'Lent', returned: 'Returned' },
      { required: true, default: 'lent', tracked: true, label: 'State' },
    ),
  },
  { order: 'due, id', label: 'Loan', nameSearch: ['book_id', 'partner_id'] },
) {
  /** Loans have no name field. */
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { book_id: { name: true }, partner_id: { name: true } } });
    return new Map(rows.map(({ id, book_id, partner_id }) => [id, `${book_id?.name}, ${partner_id?.name}`]));
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('book_id') && !changed.has('state')) return;
    const rows = await this.read(ids, { select: { book_id: true } });
    await this.ctx.model(Book).keepWithinCopies(rows.flatMap(({ book_id }) => book_id ?? []));
  }

  /** Marks the loans as returned. */
  async giveBack(ids: Ids): Promise<void> {
    await this.write(ids, { state: 'returned' });
  }
}

declare module 'pergola' {
  interface Models {
    'library.loan': Loan;
  }
}
