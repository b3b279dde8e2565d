import { action, Conflict, plusDays, record, route, z } from '#core';
import { Book } from '../models/book.ts';
import { Loan } from '../models/loan.ts';
import { loanDays } from '../settings.ts';

const list = route.page('/library', { name: 'library.list' }, async ({ ctx, render }) => {
  const books = await ctx.model(Book).find([], { select: { name: true, author: true, website_url: true }, limit: 60 });
  return render('library.list', { books });
});

const page = route.page(
  '/library/:book',
  { name: 'library.book', params: { book: record(Book, { slug: 'name', select: { name: true, author: true } }) } },
  async ({ ctx, params: { book }, render }) =>
    render('library.book', { book, free: await ctx.model(Book).free(book.id), signedIn: ctx.user.id !== null }),
);

/** Keeps a copy for whoever is signed in; no more copies than there are, whoever asks at the same moment. */
export const reserve = action(
  '/library/reserve',
  {
    name: 'library.reserve',
    auth: 'user',
    input: z.object({ book: z.coerce.number().int().positive() }),
    rate: { calls: 20, seconds: 60 },
  },
  async ({ ctx, input: { book } }) => {
    const books = ctx.model(Book);
    if ((await books.free(book)) === 0) throw new Conflict('All copies are lent.');
    const due = plusDays(ctx.today(), await ctx.settings.get(loanDays));
    await ctx
      .sudo()
      .model(Loan)
      .create({ book_id: book, partner_id: ctx.user.partnerId ?? 0, due });
    return { free: await books.free(book), due };
  },
  ({ url }) => url('/library'),
);

export const routes = [list, page, reserve];
