import { action, record } from 'pergola';
import { Book } from '../models/book.ts';
import { Desk } from '../services/desk.ts';

const params = { book: record(Book, { select: { website_url: true } }) };
const rate = { calls: 20, seconds: 60 };

/** Reserves a copy for the signed-in user. */
export const reserve = action(
  '/library/:book/reserve',
  { name: 'library.reserve', auth: 'user', params, rate },
  ({ ctx, params: { book } }) => ctx.sudo().get(Desk).reserve(book.id),
  ({ params: { book }, url }) => url(book.website_url ?? '/library'),
);

/** Cancels the reservation. */
export const cancel = action(
  '/library/:book/cancel',
  { name: 'library.cancel', auth: 'user', params, rate },
  ({ ctx, params: { book } }) => ctx.sudo().get(Desk).cancel(book.id),
  ({ params: { book }, url }) => url(book.website_url ?? '/library'),
);
