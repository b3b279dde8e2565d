import { currentWebsite, originOf, type SeoValues, seoOf, seoSelect } from '@pergola/website';
import type { Ctx, FileRef, Id } from 'pergola';
import { app } from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { productUrl } from '../models/product-template.ts';
import { crumbsTo, mainCategory, readCategories } from '../services/catalogue/categories.ts';
import { type CurrencyView, isDiscount, priceView } from '../services/catalogue/price-view.ts';
import {
  majorUnits,
  type ProductData,
  readProduct,
  type Variants,
  type VariantView,
  variantsOf,
} from '../services/catalogue/product-data.ts';
import { type Picture, picturesOf, setOf, sides, urlOf } from '../services/picture.ts';
import { promisesOf } from '../services/promises.ts';
import { t } from '../texts.ts';

/** Upper limit for a quantity added at once. */
const MAX_QUANTITY = 9999;

/** Product fields read with the visitor's rights; editors change them in place. */
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

/** Returns the values of a product page with the requested variant selected, or else the first one. */
export async function productPage(ctx: Ctx, product: ProductRow, variantId: Id) {
  const data = await readProduct(ctx, product.id);
  const variants = await variantsOf(ctx, data);
  const nodes = await readCategories(ctx);
  const { currency } = variants;
  const current = variants.all.find(({ id }) => id === variantId) ?? variants.all[0];
  const main = mainCategory(data, nodes);
  const crumbs = [{ name: t(ctx, 'Shop'), url: '/shop' }, ...crumbsTo(nodes, main), { name: product.name, url: null }];
  return {
    product,
    crumbs,
    gallery: galleryOf(product, data, variants, current),
    ribbons: data.website_style_ids.map(({ name, html_class: look }) => ({ name, look: look ?? '' })),
    attributes: attributesOf(ctx, data, variants, current),
    variants: currency
      ? variants.all.map(({ id, values, price, list }) => [
          id,
          values,
          majorUnits(price, currency),
          majorUnits(list, currency),
        ])
      : [],
    choice: choiceOf(current, currency),
    counted: data.inventory === 'kept',
    most: MAX_QUANTITY,
    taxNote: variants.taxed ? t(ctx, 'tax included') : t(ctx, 'tax excluded'),
    // Categories that the breadcrumbs don't already show.
    categories: data.public_categ_ids
      .flatMap((id) => nodes.get(id) ?? [])
      .filter(({ url }) => !crumbs.some((crumb) => crumb.url === url)),
    promises: await promisesOf(ctx),
    mayEdit: ctx.has('website.group_website_publisher'),
    seo: await seoFor(ctx, product, variants, crumbs),
  };
}

function choiceOf(variant: VariantView | undefined, currency: CurrencyView | null) {
  if (!variant || !currency) {
    const noPrice = { value: '0', digits: 2, before: '', after: '' };
    return { available: false, price: noPrice, list: noPrice, discount: false };
  }
  return {
    available: true,
    price: priceView(variant.price, currency),
    list: priceView(variant.list, currency),
    discount: isDiscount(variant.price, variant.list, currency),
  };
}

/** All pictures of a product and the ordered pictures of each variant, or null if there are no pictures. */
function galleryOf(product: ProductRow, data: ProductData, { all }: Variants, initialVariant: VariantView | undefined) {
  const { name } = product;
  const gallery: Picture[] = [];
  const indexOf = (picture: Picture): number => {
    const index = gallery.findIndex(({ model, id }) => model === picture.model && id === picture.id);
    return index === -1 ? gallery.push(picture) - 1 : index;
  };
  const shownBy = (variant: VariantView | undefined): number[] =>
    picturesOf({ ...product, image_ids: data.image_ids }, variant).map(indexOf);
  const initialPlaces = shownBy(initialVariant);
  const variants = Object.fromEntries(all.map((variant) => [variant.id, shownBy(variant)]));
  const pictures = gallery.map((picture) => ({
    alt: picture.name ?? name,
    src: urlOf(picture, sides.page),
    srcset: setOf(picture, 'page'),
    thumb: urlOf(picture, sides.thumb),
    large: urlOf(picture, sides.zoom),
  }));
  return initialPlaces.length > 0 ? { name, pictures, shown: initialPlaces, variants } : null;
}

/** Returns the attributes for the form, with the values of one variant selected. */
function attributesOf(ctx: Ctx, data: ProductData, variants: Variants, variant: VariantView | undefined) {
  const chosenValues = new Set(variant?.values ?? []);
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
          chosen: chosenValues.has(id),
          extra: extraText(ctx, extras.get(id) ?? 0, variants.currency),
        })),
      },
    ];
  });
}

/** Price difference between the cheapest variant with a value and the cheapest variant with any value of the attribute. */
function extrasOf(values: readonly Id[], { all }: Variants): Map<Id, number> {
  const cheapest = new Map(
    values.map((value) => [
      value,
      Math.min(...all.filter((variant) => variant.values.includes(value)).map(({ price }) => price)),
    ]),
  );
  const lowest = Math.min(...cheapest.values());
  return new Map([...cheapest].map(([value, price]) => [value, Number.isFinite(price) ? price - lowest : 0]));
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
