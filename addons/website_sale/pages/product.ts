import { currentWebsite, originOf, type SeoValues, seoOf, seoSelect } from '#addons/website';
import type { Ctx, FileRef, Id } from '#core';
import { app } from '#core';
import { pictureSet, pictureUrl } from '#core/pages';
import { productUrl } from '../models/product-template.ts';
import { cardsById } from '../services/catalogue/cards.ts';
import { crumbsTo, readCategories } from '../services/catalogue/categories.ts';
import { type CurrencyView, isDiscount, priceView } from '../services/catalogue/price-view.ts';
import {
  majorUnits,
  type ProductData,
  readProduct,
  type Variants,
  type VariantView,
  variantsOf,
} from '../services/catalogue/product-data.ts';
import { sides } from '../services/picture.ts';

/** More than anybody puts in a cart at once. */
const MOST_AT_ONCE = 9999;

/** What is read of the product as its reader, who may edit it in place. */
export const productSelect = {
  ...seoSelect,
  name: true,
  description_sale: true,
  website_description: true,
  website_published: true,
  image: true,
} as const;

interface ProductRow {
  readonly id: Id;
  readonly name: string;
  readonly description_sale: string | null;
  readonly website_description: string | null;
  readonly website_published: boolean;
  readonly image: FileRef | null;
  readonly website_meta_title: string | null;
  readonly website_meta_description: string | null;
  readonly website_meta_keywords: string | null;
  readonly website_meta_og_img: string | null;
}

/** The values of a product's page. */
export async function productPage(ctx: Ctx, product: ProductRow) {
  const data = await readProduct(ctx, product.id);
  const variants = await variantsOf(ctx, data);
  const nodes = await readCategories(ctx);
  const { currency } = variants;
  const first = variants.all[0];
  const main = data.public_categ_ids.find((id) => nodes.has(id)) ?? null;
  const crumbs = [{ name: ctx.t('Shop'), url: '/shop' }, ...crumbsTo(nodes, main), { name: product.name, url: null }];
  const pictures = picturesOf(product, data);
  return {
    product,
    crumbs,
    pictures: pictures.length > 0 ? pictures : null,
    ribbons: data.website_style_ids.map(({ name, html_class: look }) => ({ name, look: look ?? '' })),
    attributes: attributesOf(ctx, data, variants),
    variants: currency
      ? variants.all.map(({ id, values, price, list }) => [
          id,
          values,
          majorUnits(price, currency),
          majorUnits(list, currency),
        ])
      : [],
    variantPictures: Object.fromEntries(variants.all.flatMap((variant) => variantPicture(variant, data))),
    choice: choiceOf(first, currency),
    counted: data.inventory === 'kept',
    most: MOST_AT_ONCE,
    taxNote: variants.taxed ? ctx.t('tax included') : ctx.t('without tax'),
    categories: data.public_categ_ids.flatMap((id) => nodes.get(id) ?? []),
    alternatives: await alternativesOf(ctx, data),
    mayEdit: ctx.has('website.group_website_publisher'),
    seo: await seoFor(ctx, product, variants, crumbs),
  };
}

async function alternativesOf(ctx: Ctx, { alternative_product_ids }: ProductData) {
  const cards = await cardsById(ctx, alternative_product_ids.slice(0, 4));
  return cards.length > 0 ? cards : null;
}

function choiceOf(variant: VariantView | undefined, currency: CurrencyView | null) {
  if (!variant || !currency) {
    const nothing = { value: '0', digits: 2, before: '', after: '' };
    return { available: false, price: nothing, list: nothing, discount: false };
  }
  return {
    available: true,
    price: priceView(variant.price, currency),
    list: priceView(variant.list, currency),
    discount: isDiscount(variant.price, variant.list, currency),
  };
}

function picturesOf(product: ProductRow, data: ProductData) {
  const files = [
    { model: 'product.template', id: product.id, file: product.image, alt: product.name },
    ...data.image_ids
      .filter(({ value_id }) => value_id === null)
      .map(({ id, image, name }) => ({ model: 'product.image', id, file: image, alt: name })),
  ];
  return files.flatMap(({ model, id, file, alt }) => {
    const src = pictureUrl(model, id, 'image', file, sides.page);
    if (!src) return [];
    return [
      {
        alt,
        src,
        srcset: pictureSet(model, id, 'image', file, 'page'),
        thumb: pictureUrl(model, id, 'image', file, sides.thumb) ?? src,
        large: pictureUrl(model, id, 'image', file, sides.zoom) ?? src,
      },
    ];
  });
}

/** What a variant looks like, where it looks different: its own picture, else that of one of its values. */
function variantPicture(
  variant: VariantView,
  data: ProductData,
): [Id, { src: string; srcset: string; large: string }][] {
  const own = { model: 'product.product', id: variant.id, field: 'image_variant', file: variant.picture };
  const ofValue = data.image_ids.find(({ value_id }) => value_id !== null && variant.values.includes(value_id));
  const { model, id, field, file } =
    variant.picture === null && ofValue
      ? { model: 'product.image', id: ofValue.id, field: 'image', file: ofValue.image }
      : own;
  const src = pictureUrl(model, id, field, file, sides.page);
  const large = pictureUrl(model, id, field, file, sides.zoom);
  const srcset = pictureSet(model, id, field, file, 'page');
  return src && large ? [[variant.id, { src, srcset, large }]] : [];
}

/** The attributes as the form shows them; the first variant is chosen. */
function attributesOf(ctx: Ctx, data: ProductData, variants: Variants) {
  const chosen = new Set(variants.all[0]?.values ?? []);
  return data.attribute_line_ids.flatMap(({ attribute_id: attribute, value_ids }) => {
    if (!attribute) return [];
    const extras = extrasOf(
      value_ids.map(({ id }) => id),
      variants,
    );
    return [
      {
        id: attribute.id,
        name: attribute.name,
        type: attribute.type === 'hidden' ? 'select' : attribute.type,
        single: value_ids.length === 1 ? value_ids[0]?.name : null,
        values: value_ids.map(({ id, name, color }) => ({
          id,
          name,
          color: color ?? '#cccccc',
          chosen: chosen.has(id),
          extra: extraText(ctx, extras.get(id) ?? 0, variants.currency),
        })),
      },
    ];
  });
}

/** What the cheapest variant with a value costs more than the cheapest with any value of the same attribute. */
function extrasOf(values: readonly Id[], { all }: Variants): Map<Id, number> {
  const cheapest = new Map(
    values.map((value) => [
      value,
      Math.min(...all.filter((variant) => variant.values.includes(value)).map(({ price }) => price)),
    ]),
  );
  const least = Math.min(...cheapest.values());
  return new Map([...cheapest].map(([value, price]) => [value, Number.isFinite(price) ? price - least : 0]));
}

function extraText(ctx: Ctx, extra: number, currency: CurrencyView | null): string | null {
  return extra > 0 && currency ? `+ ${ctx.get(app.formats).formatMoney(extra, currency, ctx.lang)}` : null;
}

async function seoFor(
  ctx: Ctx,
  product: ProductRow,
  { all, currency }: Variants,
  crumbs: readonly { readonly name: string; readonly url: string | null }[],
): Promise<SeoValues> {
  const url = productUrl(product.id, product.name);
  const image = pictureUrl('product.template', product.id, 'image', product.image, sides.page);
  const origin = originOf(ctx, await currentWebsite(ctx));
  const prices = all.map(({ price }) => price).sort((a, b) => a - b);
  const amount = (price: number | undefined): string =>
    currency && price !== undefined ? majorUnits(price, currency).toFixed(currency.digits) : '0';
  const offers =
    prices.length > 1 && prices[0] !== prices.at(-1)
      ? {
          '@type': 'AggregateOffer',
          lowPrice: amount(prices[0]),
          highPrice: amount(prices.at(-1)),
          offerCount: prices.length,
        }
      : { '@type': 'Offer', price: amount(prices[0]), url: origin + url };
  return seoOf(product, {
    title: product.name,
    description: product.description_sale,
    image,
    type: 'product',
    canonical: url,
    breadcrumbs: crumbs.map(({ name, url: to }) => ({ name, url: to ?? url })),
    noindex: !product.website_published,
    jsonLd: currency
      ? [
          {
            '@type': 'Product',
            name: product.name,
            ...(product.description_sale ? { description: product.description_sale } : {}),
            ...(image ? { image: origin + image } : {}),
            sku: String(product.id),
            offers: { ...offers, priceCurrency: currency.code },
          },
        ]
      : [],
  });
}
