import { type IdRange, type SitemapEntry, seoOf, seoSelect } from '@pergola/website';
import { type Ctx, type Domain, type FieldsOf, record, redirect, route, z } from 'pergola';
import { PublicCategory } from '../models/product-public-category.ts';
import { productUrl, ShopTemplate } from '../models/product-template.ts';
import { productPage, productSelect } from '../pages/product.ts';
import { countPage, listPage } from '../pages/products.ts';
import { wholeShop } from '../services/catalogue/domain.ts';
import { productQueryOf, shopQuery } from '../services/catalogue/product-query.ts';
import { pricingContext } from '../services/pricing-context.ts';
import { choicesOf } from '../services/shop-attribute.ts';
import { t } from '../texts.ts';

/** The shop: search, categories, filters, sorting, pages. */
export const shop = route.page(
  '/shop',
  { name: 'website_sale.shop', query: shopQuery, sitemap: true },
  async ({ ctx, query, render }) => {
    const values = await listPage(ctx, { query: productQueryOf(query), category: null, path: '/shop' });
    const title = t(ctx, 'Shop');
    return render('website_sale.products', {
      ...values,
      title,
      introduction: null,
      currencies: choicesOf(ctx, (await pricingContext(ctx)).pricelist),
      seo: { title, canonical: '/shop', noindex: isFiltered(query) },
    });
  },
);

const categorySelect = { ...seoSelect, name: true, description: true, website_published: true } as const;

/** Products of a category and its subcategories. */
export const category = route.page(
  '/shop/category/:category',
  {
    name: 'website_sale.category',
    params: { category: record(PublicCategory, { select: categorySelect, slug: 'name' }) },
    query: shopQuery,
    sitemap: { model: PublicCategory, entries: categoryAddresses },
  },
  async ({ ctx, params, query, request, render }) => {
    const { category: row } = params;
    const path = request.path;
    const values = await listPage(ctx, { query: productQueryOf(query), category: row.id, path });
    return render('website_sale.products', {
      ...values,
      title: row.name,
      introduction: row.description,
      currencies: choicesOf(ctx, (await pricingContext(ctx)).pricelist),
      seo: seoOf(row, { title: row.name, description: row.description, canonical: path, noindex: isFiltered(query) }),
    });
  },
);

/** Label of the filter button: the number of products that match. */
export const countProducts = route.rpc(
  '/shop/count',
  {
    name: 'website_sale.count',
    input: z.object({
      search: shopQuery.shape.search,
      attrib: shopQuery.shape.attrib,
      category: z.number().int().positive().max(2_147_483_647).nullable().default(null),
    }),
  },
  async ({ ctx, input: { category, ...query } }) => {
    const filters = productQueryOf({ ...query, order: 'featured', page: 1, view: 'grid', all: 0 });
    return { label: await countPage(ctx, { query: filters, category }) };
  },
);

/** URLs of list pages as in the original. */
export const oldShopPage = route.page(
  '/shop/page/:page',
  { name: 'website_sale.old_shop_page', params: { page: z.coerce.number().int().min(1) }, cache: false },
  ({ params, url }) => redirect(`${url('/shop')}?page=${params.page}`, 301),
);

/** Product page with its variants. */
export const product = route.page(
  '/shop/product/:product',
  {
    name: 'website_sale.product',
    params: { product: record(ShopTemplate, { select: productSelect, slug: 'name' }) },
    /** Initially selected variant. */
    query: z.object({ variant: z.number().int().min(0).catch(0).default(0) }),
    sitemap: { model: ShopTemplate, entries: productAddresses },
  },
  async ({ ctx, params, query, render }) =>
    render('website_sale.product', await productPage(ctx, params.product, query.variant)),
);

/** Filtered lists are reachable by links, but not indexed by search engines. */
function isFiltered({ search, attrib, order, view, all }: z.infer<typeof shopQuery>): boolean {
  return search !== '' || attrib.length > 0 || order !== 'featured' || view !== 'grid' || all > 0;
}

async function productAddresses(ctx: Ctx, ids: IdRange): Promise<SitemapEntry[]> {
  const published = [...ids, ...wholeShop(ctx), ['website_published', '=', true]] as unknown as Domain<
    FieldsOf<InstanceType<typeof ShopTemplate>>
  >;
  const rows = await ctx.model(ShopTemplate).find(published, { select: { name: true, write_date: true } });
  return rows.map(({ id, name, write_date }) => ({ path: productUrl(id, name), lastmod: write_date }));
}

async function categoryAddresses(ctx: Ctx, ids: IdRange): Promise<SitemapEntry[]> {
  const rows = await ctx
    .model(PublicCategory)
    .find([...ids, ['website_published', '=', true]], { select: { website_url: true, write_date: true } });
  return rows.map(({ website_url, write_date }) => ({ path: website_url ?? '', lastmod: write_date }));
}
