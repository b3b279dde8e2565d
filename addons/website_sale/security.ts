import {
  ProductAttribute,
  ProductAttributeLine,
  ProductAttributeValue,
  ProductProduct,
  ProductTemplate,
} from '@pergola/sale';
import { onWebsite, publishedRules } from '@pergola/website';
import { access, type Domain, type FieldsOf, type RawDomain, rule } from 'pergola';
import { ProductImage } from './models/product-image.ts';
import { PublicCategory } from './models/product-public-category.ts';
import { ProductStyle } from './models/product-style.ts';
import { ShopTemplate } from './models/product-template.ts';
import { ShopFacet } from './models/website-sale-facet.ts';
import { ShopView } from './models/website-sale-view.ts';

const readable = { '*': 'r' } as const;
const managed = { '*': 'r', 'sale.group_sale_manager': 'rwcd' } as const;

/** The shop's records are public to read; the rules below limit the products. */
export const lists = [
  access(ProductTemplate, readable),
  access(ProductProduct, readable),
  access(ProductAttribute, readable),
  access(ProductAttributeValue, readable),
  access(ProductAttributeLine, readable),
  access(PublicCategory, managed),
  access(ProductStyle, managed),
  access(ProductImage, managed),
  access(ShopFacet, { 'sale.group_sale_manager': 'r' }),
  access(ShopView, { 'sale.group_sale_user': 'r' }),
];

const visitors = ['base.group_public', 'base.group_portal'];

/** Domain of records whose product is published and on sale; `path` leads to the product. */
function ofPublished<I>(path: string) {
  return (ctx: Parameters<typeof onWebsite>[0]): Domain<FieldsOf<I>> => {
    const site = onWebsite(ctx);
    const domain: RawDomain = [
      [`${path}.website_published`, '=', true],
      [`${path}.sale_ok`, '=', true],
      ...(site.length > 0
        ? ['|', [`${path}.website_id`, '=', null], [`${path}.website_id`, '=', ctx.attributes.website?.id ?? 0]]
        : []),
    ];
    return domain as unknown as Domain<FieldsOf<I>>;
  };
}

export const rules = [
  ...publishedRules('website_sale.published_products', ShopTemplate, {
    websites: true,
    more: () => [['sale_ok', '=', true]],
  }),
  rule('website_sale.published_variants', ProductProduct, {
    groups: visitors,
    operations: 'r',
    domain: ofPublished<ProductProduct>('product_tmpl_id'),
  }),
  rule('website_sale.all_variants', ProductProduct, { groups: ['base.group_user'], operations: 'r', domain: () => [] }),
  rule('website_sale.published_attribute_lines', ProductAttributeLine, {
    groups: visitors,
    operations: 'r',
    domain: ofPublished<ProductAttributeLine>('product_tmpl_id'),
  }),
  rule('website_sale.all_attribute_lines', ProductAttributeLine, {
    groups: ['base.group_user'],
    operations: 'r',
    domain: () => [],
  }),
  rule('website_sale.published_pictures', ProductImage, {
    groups: visitors,
    operations: 'r',
    domain: ofPublished<ProductImage>('product_tmpl_id'),
  }),
  rule('website_sale.all_pictures', ProductImage, { groups: ['base.group_user'], domain: () => [] }),
  ...publishedRules('website_sale.published_categories', PublicCategory, { websites: true }),
];
