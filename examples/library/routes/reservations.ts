import { action, record } from 'pergola';
import { Book } from '../models/book.ts';
import { Desk } from '../services/desk.ts';

const params = { book: record(Book, { select: { website_url: true } }) };
const rate = { calls: 20, seconds: 60 };

/** Keeps a copy for whoever is signed in. */
export const reserve = action(
  '/library/:book/reserve',
  { name: 'library.reserve', auth: 'user', params, rate },
  ({ ctx, params: { book } }) => ctx.sudo().get(Desk).reserve(book.id),
  ({ params: { book }, url }) => url(book.website_url ?? '/library'),
);

/** Gives it up. */
export const cancel = action(
  '/library/:book/cancel',
  { name: 'library.cancel', auth: 'user', params, rate },
  ({ ctx, params: { book } }) => ctx.sudo().get(Desk).cancel(book.id),
  ({ params: { book }, url }) => url(book.website_url ?? '/library'),
);
