import { Pricing, ProductProduct } from '@pergola/sale';
import { shortened } from '@pergola/website';
import { type Ctx, type Id, type Ids, kept } from 'pergola';
import { productUrl, ShopTemplate } from '../../models/product-template.ts';
import { type Pictured, picturesOf, picturesSelect, setOf, sides, urlOf } from '../picture.ts';
import { pricingContext } from '../pricing-context.ts';
import { currencyViews, isDiscount, type PriceView, priceView } from './price-view.ts';

/** Maximum length of a card's text: two or three lines. */
const TEXT = 80;

/** Product fields needed for cards. */
export const cardSelect = {
  name: true,
  description_sale: true,
  image: true,
  website_published: true,
  website_size_x: true,
  website_size_y: true,
  website_style_ids: { name: true, html_class: true },
} as const;

/** A product in a list. */
export interface Card {
  readonly id: Id;
  readonly name: string;
  readonly text: string | null;
  readonly url: string;
  readonly image: string | null;
  readonly imageSet: string;
  /** Second picture, shown while the pointer is over the card. */
  readonly second: { readonly image: string; readonly imageSet: string } | null;
  readonly published: boolean;
  readonly wide: number | null;
  readonly tall: number | null;
  readonly ribbons: readonly { readonly name: string; readonly look: string }[];
  readonly price: PriceView;
  readonly list: PriceView | null;
  readonly discount: boolean;
  /** Whether other variants cost more. */
  readonly from: boolean;
  /** Whether to load the picture eagerly. */
  readonly eager: boolean;
}

/** Pictures of products in addition to the main one; rarely shown by product lists, which request them per page. */
export const cardPictures = kept('website_sale.card_pictures', async (system, lang: string, ids: Ids) => {
  const rows = await system
    .as({ lang })
    .model(ShopTemplate)
    .read(ids, { select: { image_ids: picturesSelect.image_ids } });
  return new Map(rows.map(({ id, image_ids }) => [id, image_ids]));
});

interface CardRow extends Omit<Pictured, 'image_ids'> {
  readonly name: string;
  readonly description_sale: string | null;
  readonly website_published: boolean;
  readonly website_size_x: number | null;
  readonly website_size_y: number | null;
  readonly website_style_ids: readonly { readonly name: string; readonly html_class: string | null }[];
}

/**
 * Returns cards of products in the given order, with the caller's prices. Leaves out products without a variant on sale.
 *
 * @param chosen attribute values a visitor filters by: each card shows and links to the first variant that has them
 */
export async function cardsOf(
  ctx: Ctx,
  rows: readonly CardRow[],
  { eager = 0, chosen: filters }: { readonly eager?: number; readonly chosen?: ReadonlyMap<Id, Ids> } = {},
): Promise<Card[]> {
  if (rows.length === 0) return [];
  const variants = filters && filters.size > 0 ? await variantsWith(ctx, rows, [...filters.values()]) : null;
  // Pictures and prices are public for readers of the product; pricelists aren't.
  const pictures = await cardPictures.get(
    ctx.sudo(),
    ctx.lang,
    rows.map(({ id }) => id),
  );
  const prices = await ctx
    .sudo()
    .get(Pricing)
    .ofTemplates(
      await pricingContext(ctx),
      rows.map(({ id }) => id),
    );
  const currencies = await currencyViews(
    ctx,
    [...prices.values()].map(({ currency }) => currency),
  );
  return rows.flatMap((row, index): Card[] => {
    const price = prices.get(row.id);
    const currency = price && currencies.get(price.currency);
    if (!price || !currency) return [];
    const discount = isDiscount(price.price, price.list, currency);
    const variant = variants?.get(row.id);
    const [image, second] = picturesOf({ ...row, image_ids: pictures.get(row.id) ?? [] }, variant);
    const url = productUrl(row.id, row.name);
    return [
      {
        id: row.id,
        name: row.name,
        text: shortTextOf(row),
        url: variant?.isOther ? `${url}?variant=${variant.id}` : url,
        image: image ? urlOf(image, sides.card) : null,
        imageSet: image ? setOf(image, 'card') : '',
        second: second ? { image: urlOf(second, sides.card), imageSet: setOf(second, 'card') } : null,
        published: row.website_published,
        wide: more(row.website_size_x),
        tall: more(row.website_size_y),
        ribbons: row.website_style_ids.map(({ name, html_class: look }) => ({ name, look: look ?? '' })),
        price: priceView(price.price, currency),
        list: discount ? priceView(price.list, currency) : null,
        discount,
        from: price.from,
        eager: index < eager,
      },
    ];
  });
}

/** Returns cards of products in the order of the ids; leaves out products the caller can't see. */
export async function cardsById(ctx: Ctx, ids: readonly Id[]): Promise<Card[]> {
  const rows = await ctx.model(ShopTemplate).read(ids, { select: cardSelect });
  return cardsOf(ctx, rows);
}

/**
 * Returns the first variant of each product that has one of the values of each attribute, and whether the product page would start with
 * another one.
 */
async function variantsWith(ctx: Ctx, rows: readonly CardRow[], filters: readonly Ids[]) {
  const variants = await ctx.model(ProductProduct).find([['product_tmpl_id', 'in', rows.map(({ id }) => id)]], {
    select: { product_tmpl_id: true, attribute_value_ids: true, image_variant: true },
    order: 'id',
  });
  const byProduct = Map.groupBy(variants, ({ product_tmpl_id }) => product_tmpl_id);
  return new Map(
    [...byProduct].flatMap(([product, all]) => {
      const fits = all.find(({ attribute_value_ids: values }) =>
        filters.every((anyOf) => anyOf.some((value) => values.includes(value))),
      );
      return fits ? [[product, { ...fits, values: fits.attribute_value_ids, isOther: fits !== all[0] }]] : [];
    }),
  );
}

function more(size: number | null): number | null {
  return size !== null && size > 1 ? size : null;
}

/** Returns the first line of the description, short enough for any card width. */
function shortTextOf({ description_sale: text }: Pick<CardRow, 'description_sale'>): string | null {
  const [line = ''] = (text ?? '').split('\n');
  return shortened(line, TEXT) || null;
}
