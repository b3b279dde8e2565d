import { f, type Id, type Ids, model } from 'pergola';
import { Book } from './book.ts';
import { Loan } from './loan.ts';

/** A copy held for a reader until they collect it. */
export class Reservation extends model(
  'library.reservation',
  {
    book_id: f.many2one('library.book', { required: true, ondelete: 'cascade', index: true, label: 'Book' }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade', index: true, label: 'Reader' }),
    state: f.selection(
      { reserved: 'Reserved', collected: 'Collected', cancelled: 'Cancelled' },
      { required: true, default: 'reserved', tracked: true, label: 'State' },
    ),
  },
  { order: 'id', label: 'Reservation', nameSearch: ['book_id', 'partner_id'] },
) {
  /** Reservations have no name field. */
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

  /** Lends the reserved copies to their readers. */
  async handOut(ids: Ids): Promise<void> {
    const rows = await this.read(ids, { select: { book_id: true, partner_id: true } });
    await this.write(ids, { state: 'collected' });
    await this.ctx.model(Loan).create(rows.map(({ book_id, partner_id }) => ({ book_id, partner_id })));
  }

  /** Makes the copies available again. */
  async cancel(ids: Ids): Promise<void> {
    await this.write(ids, { state: 'cancelled' });
  }
}

declare module 'pergola' {
  interface Models {
    'library.reservation': Reservation;
  }
}
