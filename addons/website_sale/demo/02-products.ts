import { readFile } from 'node:fs/promises';
import { type Ctx, data, type FieldsOf, type FileRef, type Ids, ref, type Values } from 'pergola';
import { ProductImage } from '../models/product-image.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { articles, productKey } from './catalogue/articles.ts';
import { valueKey } from './catalogue/attributes.ts';
import { type Article, type Said, said } from './catalogue/types.ts';

type Template = Values<FieldsOf<InstanceType<typeof ShopTemplate>>>;

async function picture(ctx: Ctx, name: string): Promise<FileRef> {
  const file = `${name}.png`;
  return ctx.files.putImage(await readFile(new URL(`pictures/${file}`, import.meta.url)), { name: file });
}

const products = data(ShopTemplate, async (ctx: Ctx) => {
  const all: Record<string, Template> = {};
  for (const [index, [key, article]] of Object.entries(articles).entries())
    all[productKey(key)] = { ...(await template(ctx, key, article)), website_sequence: 1000 - index * 10 };
  return all;
});

async function template(ctx: Ctx, key: string, article: Article): Promise<Template> {
  return {
    name: said(article.name),
    description_sale: said(article.text),
    ...(article.more ? { website_description: page(article.more) } : {}),
    list_price: article.price,
    type: article.service ? 'service' : 'consu',
    image: await picture(ctx, key),
    categ_id: ref('sale.all_products'),
    uom_id: ref('sale.unit'),
    taxes_id: await taxOf(ctx, article.reduced ? 'sale.tax_reduced' : 'sale.tax_standard'),
    public_categ_ids: article.categories.map((name) => ref(`category_${name}`)),
    website_published: true,
    website_style_ids: article.ribbon ? [ref(`style_${article.ribbon}`)] : [],
    ...(article.wide ? { website_size_x: 2, website_size_y: 2 } : {}),
    ...choices(key, article),
  };
}

/** Tax from the sales demo; empty if that demo isn't loaded. */
async function taxOf(ctx: Ctx, externalId: string): Promise<Ids> {
  return ctx.ref(externalId).then(
    (id) => [id],
    () => [],
  );
}

/** Returns an article's attributes with their values, surcharges and excluded combinations. */
function choices(key: string, { choices: articleChoices = [], without: excludedPairs = [] }: Article): Template {
  if (articleChoices.length === 0) return {};
  return {
    attribute_price_ids: articleChoices.flatMap(({ attribute, values }) =>
      Object.entries(values)
        .filter(([, extra]) => extra !== '0')
        .map(([value, price_extra]) => ({ create: { value_id: ref(valueKey(attribute, value)), price_extra } })),
    ),
    exclusion_ids: excludedPairs.map((pair) => ({
      create: { value_ids: pair.map((value) => ref(ownerKey(key, value))) },
    })),
    attribute_line_ids: articleChoices.map(({ attribute, values }, sequence) => ({
      create: {
        attribute_id: ref(`attribute_${attribute}`),
        value_ids: Object.keys(values).map((value) => ref(valueKey(attribute, value))),
        sequence,
      },
    })),
  };
}

/** Returns the external id of a value from its short key, among a product's attributes. */
function ownerKey(product: string, value: string): string {
  const choice = articles[product]?.choices?.find(({ values }) => value in values);
  return valueKey(choice?.attribute ?? '', value);
}

function page(paragraphs: readonly Said[]) {
  const html = (language: 0 | 1): string => paragraphs.map((text) => `<p>${text[language]}</p>`).join('');
  return { en_US: html(0), fr_FR: html(1) };
}

/** Pictures of products in other colours. */
const looks = data(ProductImage, async (ctx: Ctx) => {
  const all: Record<string, Values<FieldsOf<ProductImage>>> = {};
  for (const [key, article] of Object.entries(articles)) {
    for (const value of article.looks ?? []) {
      all[`picture_${key}_${value}`] = {
        name: said(article.name),
        image: await picture(ctx, `${key}-${value}`),
        product_tmpl_id: ref(productKey(key)),
        value_id: ref(ownerKey(key, value)),
      };
    }
  }
  return all;
});

/** Additional views of products. */
const views = data(ProductImage, async (ctx: Ctx) => {
  const all: Record<string, Values<FieldsOf<ProductImage>>> = {};
  for (const [key, { views: articleViews = [] }] of Object.entries(articles)) {
    for (const [index, { text, of: valueKey }] of articleViews.entries()) {
      all[`view_${key}_${index}`] = {
        name: said(text),
        image: await picture(ctx, `${key}-view-${index}`),
        product_tmpl_id: ref(productKey(key)),
        sequence: 20 + index,
        ...(valueKey ? { value_id: ref(ownerKey(key, valueKey)) } : {}),
      };
    }
  }
  return all;
});

export default [products, looks, views];
