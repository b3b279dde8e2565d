import { app, Conflict, type Id, NotAllowed, service } from 'pergola';
import { Book } from '../models/book.ts';
import { Reservation } from '../models/reservation.ts';
import { mostReservations } from '../settings.ts';

/** A book's availability for the current reader. */
export interface Shelf {
  readonly free: number;
  readonly reserved: boolean;
}

/** Actions that readers do themselves. Called with lifted rights: readers can't write reservations, so these methods do it for them. */
export class Desk extends service('library.desk', { ctx: app.ctx, books: Book, reservations: Reservation }) {
  /**
   * Reserves a copy for the signed-in user.
   *
   * @throws Conflict if no copy is available, or the user already has one or too many reservations
   */
  async reserve(book: Id): Promise<Shelf> {
    const partner_id = this.#reader();
    // Serialises two clicks of the same reader; the model makes sure that copies are available.
    await this.ctx.lock('res.partner', [partner_id]);
    const ownReservations = await this.reservations.find(
      [
        ['partner_id', '=', partner_id],
        ['state', '=', 'reserved'],
      ],
      { select: { book_id: true } },
    );
    if (ownReservations.some(({ book_id }) => book_id === book))
      throw new Conflict('You have reserved this book already.', { code: 'library.reserved_already' });
    const max = await this.ctx.settings.get(mostReservations);
    if (ownReservations.length >= max)
      throw new Conflict('You may reserve {most} books at once.', { code: 'library.too_many', params: { most: max } });
    await this.reservations.create({ book_id: book, partner_id });
    return this.shelf(book);
  }

  /** Cancels the reservation of the signed-in user. */
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
