import { app, Conflict, type Id, NotAllowed, service } from 'pergola';
import { Book } from '../models/book.ts';
import { Reservation } from '../models/reservation.ts';
import { mostReservations } from '../settings.ts';

/** What a reader sees of a book at the desk. */
export interface Shelf {
  readonly free: number;
  readonly reserved: boolean;
}

/** What readers do by themselves. Asked with rights lifted: readers may not write reservations, these methods write theirs. */
export class Desk extends service('library.desk', { ctx: app.ctx, books: Book, reservations: Reservation }) {
  /**
   * Keeps a copy for whoever is signed in.
   *
   * @throws Conflict when there is none, or when they have one or too many reservations already
   */
  async reserve(book: Id): Promise<Shelf> {
    const partner_id = this.#reader();
    // Two clicks of one reader wait for each other; that there are copies is the model's to say.
    await this.ctx.lock('res.partner', [partner_id]);
    const mine = await this.reservations.find(
      [
        ['partner_id', '=', partner_id],
        ['state', '=', 'reserved'],
      ],
      { select: { book_id: true } },
    );
    if (mine.some(({ book_id }) => book_id === book))
      throw new Conflict('You have reserved this book already.', { code: 'library.reserved_already' });
    const most = await this.ctx.settings.get(mostReservations);
    if (mine.length >= most)
      throw new Conflict('You may reserve {most} books at once.', { code: 'library.too_many', params: { most } });
    await this.reservations.create({ book_id: book, partner_id });
    return this.shelf(book);
  }

  /** Gives up what was kept for whoever is signed in. */
  async cancel(book: Id): Promise<Shelf> {
    await this.reservations.cancel(await this.reservations.search(this.#kept(book)));
    return this.shelf(book);
  }

  async shelf(book: Id): Promise<Shelf> {
    const { free } = await this.books.get(book, { select: { free: true } });
    const reserved = this.ctx.user.partnerId !== null && (await this.reservations.count(this.#kept(book))) > 0;
    return { free: free ?? 0, reserved };
  }

  #kept(book: Id) {
    return [
      ['book_id', '=', book],
      ['partner_id', '=', this.#reader()],
      ['state', '=', 'reserved'],
    ] as const;
  }

  #reader(): Id {
    const { partnerId } = this.ctx.user;
    if (partnerId === null) throw new NotAllowed('Sign in to reserve');
    return partnerId;
  }
}
