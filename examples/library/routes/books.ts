import { type IdRange, originOf, pagerOf, type SitemapEntry, seoOf, seoSelect } from '@pergola/website';
import { type Ctx, type Domain, type FieldsOf, type Id, record, route, z } from 'pergola';
import { Book } from '../models/book.ts';
import { Category } from '../models/category.ts';
import { Desk } from '../services/desk.ts';
import { t } from '../texts.ts';

const perPage = 12;

/** `/library?category=2&page=3` */
const list = route.page(
  '/library',
  {
    name: 'library.list',
    sitemap: true,
    query: z.object({ page: z.number().int().min(1).catch(1).default(1), category: z.number().int().optional() }),
  },
  async ({ ctx, query: { page, category }, render }) => {
    const domain: Domain<FieldsOf<Book>> = category === undefined ? [] : [['category_ids', '=', category]];
    const count = await ctx.model(Book).count(domain);
    const pager = pagerOf({ page, count, size: perPage, address: (number) => address(number, category) });
    const books = await ctx.model(Book).find(domain, {
      select: { name: true, cover: true, free: true, website_url: true, author_ids: { name: true } },
      limit: perPage,
      offset: pager.offset,
    });
    return render('library.list', {
      books,
      count,
      category,
      categories: await ctx.model(Category).find([], { select: { name: true } }),
      pager,
      seo: { title: t(ctx, 'Library'), canonical: address(pager.page, category) },
    });
  },
);

function address(page: number, category: Id | undefined): string {
  const query = new URLSearchParams();
  if (category !== undefined) query.set('category', String(category));
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `/library?${query}` : '/library';
}

const select = {
  ...seoSelect,
  name: true,
  isbn: true,
  summary: true,
  cover: true,
  website_url: true,
  website_published: true,
  author_ids: { name: true, about: true },
  category_ids: { name: true },
} as const;

/** `/library/the-small-garden-7` */
const page = route.page(
  '/library/:book',
  {
    name: 'library.book',
    params: { book: record(Book, { slug: 'name', select }) },
    sitemap: { model: Book, entries: addresses },
  },
  async ({ ctx, params: { book }, render }) => {
    const origin = originOf(ctx, ctx.attributes.website);
    const authors = book.author_ids.map(({ name }) => ({ '@type': 'Person', name }));
    const seo = seoOf(book, {
      title: book.name,
      breadcrumbs: [
        { name: t(ctx, 'Library'), url: '/library' },
        { name: book.name, url: book.website_url ?? '' },
      ],
      jsonLd: [
        { '@type': 'Book', name: book.name, isbn: book.isbn, author: authors, url: `${origin}${book.website_url}` },
      ],
    });
    // Rights are lifted, but readers only get details of their own reservation, not of others.
    const shelf = await ctx.sudo().get(Desk).shelf(book.id);
    return render('library.book', { book, seo, shelf, signedIn: ctx.user.id !== null });
  },
);

async function addresses(ctx: Ctx, ids: IdRange): Promise<SitemapEntry[]> {
  const rows = await ctx.model(Book).find([...ids], { select: { website_url: true, write_date: true } });
  return rows.map(({ website_url, write_date }) => ({ path: website_url ?? '', lastmod: write_date }));
}

export const pages = [list, page];
