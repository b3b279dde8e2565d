import type { Snippet } from '@pergola/website';
import { block, type Ctx, type RawDomain, z } from 'pergola';
import { ShopTemplate } from '../models/product-template.ts';
import { cardSelect, cardsOf } from '../services/catalogue/cards.ts';
import { readCategories, withBelow } from '../services/catalogue/categories.ts';
import { wholeShop } from '../services/catalogue/domain.ts';
import { orders } from '../services/catalogue/product-query.ts';

const options = z.object({
  title: z.string().max(120).default('').meta({ title: 'Title' }),
  look: z
    .enum(['grid', 'carousel', 'cards'])
    .default('grid')
    .meta({
      title: 'Layout',
      labels: [
        { value: 'grid', label: 'Grid' },
        { value: 'carousel', label: 'Carousel' },
        { value: 'cards', label: 'Cards' },
      ],
    }),
  order: z
    .enum(['featured', 'newest', 'price_asc', 'price_desc', 'name'])
    .default('featured')
    .meta({
      title: 'Sort by',
      labels: [
        { value: 'featured', label: 'Shop order' },
        { value: 'newest', label: 'Newest first' },
        { value: 'price_asc', label: 'Price: low to high' },
        { value: 'price_desc', label: 'Price: high to low' },
        { value: 'name', label: 'Name' },
      ],
    }),
  /** Limits the block to a category and its subcategories. */
  category: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ title: 'Category', records: 'product.public.category', none: 'All categories' }),
  /** Limits the block to these products. */
  products: z
    .array(z.number().int().positive())
    .max(24)
    .optional()
    .meta({ title: 'Only these products', records: 'product.template', where: [['website_published', '=', true]] }),
  limit: z.number().int().min(1).max(24).default(4).meta({ title: 'Number of products' }),
});

const { website_style_ids: _, ...plainSelect } = cardSelect;

/** Callable version of the block, with the same options: pages use it to refresh the block. */
export const productCards = 'website_sale.product_cards';

/** Products of the shop on a page, in a grid or a carousel. */
export const productsBlock = block('website_sale.products', {
  label: 'Products',
  options,
  template: 'website_sale.products_block',
  load: async (ctx, options) => {
    const { title, look, order, category, products, limit } = options;
    const findOptions = { order: orders[order].sql, limit };
    const domain = await domainOf(ctx, category, products);
    const templates = ctx.model(ShopTemplate);
    // Plain cards have no ribbons.
    const rows =
      look === 'cards'
        ? (await templates.find(domain, { select: plainSelect, ...findOptions })).map((row) => ({
            ...row,
            website_style_ids: [],
          }))
        : await templates.find(domain, { select: cardSelect, ...findOptions });
    return {
      title,
      plain: look === 'cards',
      carousel: look === 'carousel',
      cards: await cardsOf(ctx, rows),
      refresh: { path: '/website/multi_render', params: { ids_or_xml_ids: [productCards], values: options } },
    };
  },
});

async function domainOf(ctx: Ctx, category: number | undefined, products: readonly number[] | undefined) {
  const domain: unknown[] = [...wholeShop(ctx), ['website_published', '=', true]];
  if (category !== undefined) domain.push(['public_categ_ids', 'in', withBelow(await readCategories(ctx), category)]);
  if (products) domain.push(['id', 'in', products]);
  return domain as RawDomain as ReturnType<typeof wholeShop>;
}

export const productSnippets: readonly Snippet[] = [
  {
    id: 'website_sale.products',
    label: 'Products',
    tab: 'dynamic',
    thumbnail: '/website_sale/static/snippets/products.svg',
    block: 'website_sale.products',
    blockOptions: { limit: 4 },
  },
  {
    id: 'website_sale.products_carousel',
    label: 'Product carousel',
    tab: 'dynamic',
    thumbnail: '/website_sale/static/snippets/products.svg',
    block: 'website_sale.products',
    blockOptions: { look: 'carousel', limit: 12 },
  },
];
