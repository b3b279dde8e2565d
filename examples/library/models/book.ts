import { Published, Seo } from '#addons/website';
import { f, type Id, type Ids, model, slugify } from '#core';

/** A title that the library lends. */
export class Book extends model(
  'library.book',
  {
    name: f.char({ required: true, size: 200, translate: true, label: 'Title' }),
    author: f.char({ required: true, size: 120, label: 'Author' }),
    copies: f.integer({ required: true, default: 1, label: 'Copies' }),
    loan_ids: f.one2many('library.loan', 'book_id', { label: 'Loans' }),
  },
  { order: 'name, id', label: 'Book', mixins: [Published, Seo] },
) {
  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, `/library/${slugify(name)}-${id}`]));
  }

  /** How many copies of a book nobody has or waits for. */
  async free(id: Id): Promise<number> {
    const book = await this.ctx.model(Book).first([['id', '=', id]], { select: { copies: true } });
    const loans = await this.ctx
      .sudo()
      .modelNamed('library.loan')
      .count([
        ['book_id', '=', id],
        ['state', '!=', 'returned'],
      ]);
    return Math.max(0, (book?.copies ?? 0) - loans);
  }
}

declare module '#core' {
  interface Models {
    'library.book': Book;
  }
}
