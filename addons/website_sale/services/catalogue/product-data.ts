import { Pricing } from '@pergola/sale';
import { type Ctx, type FileRef, fromMinor, type Id, type Ids, kept, type Minor } from 'pergola';
import { ShopTemplate } from '../../models/product-template.ts';
import { picturesSelect } from '../picture.ts';
import { pricingContext } from '../pricing-context.ts';
import { type CurrencyView, currencyViews } from './price-view.ts';

/** Everything a product page needs besides the product's own texts. */
export const productData = kept('website_sale.product', (system, lang: string, id: Id) =>
  system
    .as({ lang })
    .model(ShopTemplate)
    .get(id, {
      select: {
        inventory: true,
        attribute_line_ids: {
          attribute_id: { name: true, type: true },
          value_ids: { name: true, color: true },
        },
        product_variant_ids: { attribute_value_ids: true, image_variant: true },
        image_ids: picturesSelect.image_ids,
        website_style_ids: { name: true, html_class: true },
        public_categ_ids: true,
        alternative_product_ids: true,
      },
    }),
);

export function readProduct(ctx: Ctx, id: Id): Promise<ProductData> {
  // The caller may see the product, and therefore its related records.
  return productData.get(ctx.sudo(), ctx.lang, id);
}
export type ProductData = Awaited<ReturnType<typeof productData.get>>;

/** A variant as sent to pages. */
export interface VariantView {
  readonly id: Id;
  /** Values of the attributes that have several. */
  readonly values: Ids;
  readonly price: Minor;
  readonly list: Minor;
  readonly image_variant: FileRef | null;
}
export interface Variants {
  readonly all: readonly VariantView[];
  readonly currency: CurrencyView | null;
  /** Whether the prices include tax. */
  readonly taxed: boolean;
}

/** Returns the variants of a product with their prices for `quantity` pieces. A fixed number of queries. */
export async function variantsOf(ctx: Ctx, product: ProductData, quantity = 1): Promise<Variants> {
  const several = new Set(
    product.attribute_line_ids
      .filter(({ value_ids }) => value_ids.length > 1)
      .flatMap(({ value_ids }) => value_ids.map(({ id }) => id)),
  );
  const rows = product.product_variant_ids;
  // Prices are public for readers of the product.
  const prices = await ctx
    .sudo()
    .get(Pricing)
    .shown(
      await pricingContext(ctx),
      rows.map(({ id }) => ({ product: id, quantity })),
    );
  const currencies = await currencyViews(
    ctx,
    prices.flatMap((price) => price?.currency ?? []),
  );
  const first = prices.find((price) => price !== null);
  return {
    all: rows.flatMap(({ id, attribute_value_ids, image_variant }, index) => {
      const price = prices[index];
      if (!price) return [];
      return [
        {
          id,
          values: attribute_value_ids.filter((value) => several.has(value)),
          price: price.price,
          list: price.list,
          image_variant,
        },
      ];
    }),
    currency: first ? (currencies.get(first.currency) ?? null) : null,
    taxed: first?.taxed ?? false,
  };
}

/** Returns an amount as a number in major units, for JSON. */
export function majorUnits(amount: Minor, currency: CurrencyView): number {
  return Number(fromMinor(amount, currency));
}

/** Returns the variant whose values are all among the given ones, or null if none matches. */
export async function variantWith(ctx: Ctx, template: Id, values: Ids): Promise<Id | null> {
  const [row] = await ctx.model(ShopTemplate).read([template], { select: { name: true } });
  if (!row) return null;
  const product = await readProduct(ctx, template);
  const several = new Set(
    product.attribute_line_ids
      .filter(({ value_ids }) => value_ids.length > 1)
      .flatMap((line) => line.value_ids.map(({ id }) => id)),
  );
  const variant = product.product_variant_ids.find(({ attribute_value_ids }) =>
    attribute_value_ids.every((value) => !several.has(value) || values.includes(value)),
  );
  return variant?.id ?? null;
}
