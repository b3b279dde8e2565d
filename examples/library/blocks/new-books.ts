import type { Snippet } from '@pergola/website';
import { block, z } from 'pergola';
import { Book } from '../models/book.ts';

/** The newest books, as a block for editors. */
export const newBooks = block('library.new_books', {
  label: 'New books',
  options: z.object({
    count: z.number().int().min(1).max(12).default(4).meta({ title: 'How many' }),
    category: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ title: 'Category', records: 'library.category', none: 'All categories' }),
  }),
  template: 'library.new_books',
  load: async (ctx, { count, category }) => ({
    books: await ctx
      .model(Book)
      .find([['website_published', '=', true], ...(category ? ([['category_ids', '=', category]] as const) : [])], {
        select: { name: true, cover: true, free: true, website_url: true, author_ids: { name: true } },
        order: 'id desc',
        limit: count,
      }),
  }),
});

export const snippets: readonly Snippet[] = [
  {
    id: 'library.new_books',
    label: 'New books',
    tab: 'dynamic',
    thumbnail: '/website/static/snippets/calendar.svg',
    block: 'library.new_books',
    blockOptions: { count: 4 },
  },
];
