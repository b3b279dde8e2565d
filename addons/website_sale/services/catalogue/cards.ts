import { Pricing } from '#addons/sale';
import type { Ctx, FileRef, Id } from '#core';
import { pictureSet, pictureUrl } from '#core/pages';
import { productUrl, ShopTemplate } from '../../models/product-template.ts';
import { sides } from '../picture.ts';
import { pricingContext } from '../pricing-context.ts';
import { currencyViews, isDiscount, type PriceView, priceView } from './price-view.ts';

/** What is read of a product to show it among others. */
export const cardSelect = {
  name: true,
  description_sale: true,
  image: true,
  website_published: true,
  website_size_x: true,
  website_size_y: true,
  website_style_ids: { name: true, html_class: true },
} as const;

/** A product among others. */
export interface Card {
  readonly id: Id;
  readonly name: string;
  readonly text: string | null;
  readonly url: string;
  readonly image: string | null;
  readonly imageSet: string;
  readonly published: boolean;
  readonly wide: number | null;
  readonly tall: number | null;
  readonly ribbons: readonly { readonly name: string; readonly look: string }[];
  readonly price: PriceView;
  readonly list: PriceView | null;
  readonly discount: boolean;
  /** Whether other variants cost more. */
  readonly from: boolean;
  /** Whether its picture is needed at once. */
  readonly eager: boolean;
}

interface CardRow {
  readonly id: Id;
  readonly name: string;
  readonly description_sale: string | null;
  readonly image: FileRef | null;
  readonly website_published: boolean;
  readonly website_size_x: number | null;
  readonly website_size_y: number | null;
  readonly website_style_ids: readonly { readonly name: string; readonly html_class: string | null }[];
}

/** Cards of products in their order, with prices as the caller sees them; those without a variant on sale are left out. */
export async function cardsOf(ctx: Ctx, rows: readonly CardRow[], eager = 4): Promise<Card[]> {
  if (rows.length === 0) return [];
  // Prices are for everybody who may see the product; the lists behind them are not.
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
  return rows.flatMap((row, place): Card[] => {
    const shown = prices.get(row.id);
    const currency = shown && currencies.get(shown.currency);
    if (!shown || !currency) return [];
    const discount = isDiscount(shown.price, shown.list, currency);
    return [
      {
        id: row.id,
        name: row.name,
        text: firstLine(row.description_sale),
        url: productUrl(row.id, row.name),
        image: pictureUrl('product.template', row.id, 'image', row.image, sides.card),
        imageSet: pictureSet('product.template', row.id, 'image', row.image, 'card'),
        published: row.website_published,
        wide: more(row.website_size_x),
        tall: more(row.website_size_y),
        ribbons: row.website_style_ids.map(({ name, html_class: look }) => ({ name, look: look ?? '' })),
        price: priceView(shown.price, currency),
        list: discount ? priceView(shown.list, currency) : null,
        discount,
        from: shown.from,
        eager: place < eager,
      },
    ];
  });
}

/** Cards of some products, in the order of the ids; those the caller may not see are left out. */
export async function cardsById(ctx: Ctx, ids: readonly Id[]): Promise<Card[]> {
  const rows = await ctx.model(ShopTemplate).read(ids, { select: cardSelect });
  return cardsOf(ctx, rows, 0);
}

function more(size: number | null): number | null {
  return size !== null && size > 1 ? size : null;
}

function firstLine(text: string | null): string | null {
  const [line = ''] = (text ?? '').split('\n');
  return line === '' ? null : line;
}
