import { Published, Seo } from '@pergola/website';
import { Conflict, f, type Id, type Ids, InvalidInput, model, slugify } from 'pergola';

/** A title that the library lends. */
export class Book extends model(
  'library.book',
  {
    name: f.char({ required: true, size: 200, translate: true, label: 'Title' }),
    author_ids: f.many2many('library.author', { empty: 'none', label: 'Authors' }),
    category_ids: f.many2many('library.category', { empty: 'none', label: 'Categories' }),
    isbn: f.char({ size: 13, unique: true, label: 'ISBN', help: '13 digits, without hyphens' }),
    summary: f.html({ translate: true, label: 'Summary' }),
    cover: f.image({ label: 'Cover' }),
    copies: f.integer({ required: true, default: 1, min: 0, label: 'Copies' }),
    loan_ids: f.one2many('library.loan', 'book_id', { label: 'Loans' }),
    reservation_ids: f.one2many('library.reservation', 'book_id', { label: 'Reservations' }),
    free: f.integer({
      compute: 'countFree',
      depends: ['copies', 'loan_ids.state', 'reservation_ids.state'],
      label: 'Free copies',
    }),
  },
  { order: 'name, id', label: 'Book', search: ['name', 'isbn'], mixins: [Published, Seo] },
) {
  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, `/library/${slugify(name)}-${id}`]));
  }

  /** Number of copies of each book that are neither lent nor reserved. */
  async countFree(ids: Ids): Promise<Map<Id, number>> {
    // Readers can only read their own loans, but all of them count.
    const all = this.ctx.sudo();
    const grouping = { by: ['book_id'] } as const;
    const takenCopies = [
      ...(await all.model('library.loan').group(
        [
          ['book_id', 'in', ids],
          ['state', '=', 'lent'],
        ],
        grouping,
      )),
      ...(await all.model('library.reservation').group(
        [
          ['book_id', 'in', ids],
          ['state', '=', 'reserved'],
        ],
        grouping,
      )),
    ];
    const rows = await this.read(ids, { select: { copies: true } });
    return new Map(
      rows.map(({ id, copies }) => {
        const counts = takenCopies.filter(({ book_id }) => book_id === id).map(({ count }) => count);
        return [id, counts.reduce((free, count) => free - count, copies)];
      }),
    );
  }

  /**
   * Called after each change to copies, loans and reservations, from anywhere. Locks the books, so concurrent changes wait.
   *
   * @throws Conflict if more copies of a book are taken than exist
   */
  async keepWithinCopies(ids: Ids): Promise<void> {
    await this.ctx.lock(Book, ids);
    const rows = await this.ctx
      .sudo()
      .model(Book)
      .read(ids, { select: { free: true } });
    if (rows.some(({ free }) => (free ?? 0) < 0))
      throw new Conflict('All copies are taken.', { code: 'library.all_taken' });
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (changed.has('copies')) await this.keepWithinCopies(ids);
    if (!changed.has('isbn')) return;
    const rows = await this.read(ids, { select: { isbn: true } });
    if (rows.every(({ isbn }) => !isbn || isIsbn(isbn))) return;
    throw new InvalidInput('This is no ISBN.', { code: 'library.bad_isbn', fields: { isbn: 'This is no ISBN.' } });
  }
}

/** 13 digits whose sum, weighted by 1 and 3 in turn, is a multiple of ten. */
function isIsbn(text: string): boolean {
  const digits = [...text].map(Number);
  const sum = digits.reduce((sum, digit, index) => sum + digit * (index % 2 ? 3 : 1), 0);
  return /^\d{13}$/.test(text) && sum % 10 === 0;
}

declare module 'pergola' {
  interface Models {
    'library.book': Book;
  }
}
