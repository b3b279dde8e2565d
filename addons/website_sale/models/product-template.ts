import { ProductTemplate, reviewOpenOrders } from '@pergola/sale';
import { MultiWebsite, Published, Seo } from '@pergola/website';
import { extend, type FieldsOf, f, type Id, type Ids, type RawDomain, slugify, type Values } from 'pergola';

/** Adds the shop page to products. */
export const ShopTemplate = extend(
  ProductTemplate,
  {
    website_description: f.html({ translate: true, label: 'Page content' }),
    website_sequence: f.integer({ default: 0, label: 'Position in the shop', help: 'Higher numbers come first' }),
    website_size_x: f.integer({ default: 1, min: 1, max: 4, label: 'Columns in the grid' }),
    website_size_y: f.integer({ default: 1, min: 1, max: 4, label: 'Rows in the grid' }),
    website_style_ids: f.many2many('product.style', { empty: 'none', label: 'Ribbon' }),
    public_categ_ids: f.many2many('product.public.category', {
      empty: 'none',
      label: 'Shop categories',
      relation: { table: 'product_public_category_rel', from: 'product_tmpl_id', to: 'public_categ_id' },
    }),
    alternative_product_ids: f.many2many('product.template', {
      empty: 'none',
      label: 'Alternatives',
      help: 'Shown under “You may also like”. If empty: other products of the same category',
      relation: { table: 'product_alternative_rel', from: 'product_tmpl_id', to: 'alternative_id' },
    }),
    accessory_product_ids: f.many2many('product.product', {
      empty: 'none',
      label: 'Accessories',
      help: 'Suggested in the cart with this product',
      relation: { table: 'product_accessory_rel', from: 'product_tmpl_id', to: 'product_id' },
    }),
    image_ids: f.one2many('product.image', 'product_tmpl_id', { label: 'More images' }),
  },
  (Base) =>
    class extends Base {
      /** Reviews orders awaiting payment when one of their products is removed from their website. */
      override async afterWrite(ids: Ids, values: Values<FieldsOf<ProductTemplate>>): Promise<void> {
        await super.afterWrite(ids, values);
        if ('website_published' in values || 'website_id' in values)
          await reviewOpenOrders(this.ctx, [['order_line.product_id.product_tmpl_id', 'in', ids]]);
      }

      override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
        const rows = await this.read(ids, { select: { name: true } });
        return new Map(rows.map(({ id, name }) => [id, productUrl(id, name)]));
      }

      /**
       * Domain of the products listed in the shop, applied in addition to the caller's access rights. Extensions narrow it for products
       * sold elsewhere (tickets).
       *
       * @returns a domain of `product.template`
       */
      shopDomain(): RawDomain {
        return [['sale_ok', '=', true]];
      }
    },
  {
    mixins: [Published, Seo, MultiWebsite],
    publishable: true,
    indexes: [
      ['website_published', 'website_sequence', 'id'],
      ['website_published', 'list_price', 'id'],
      ['website_published', 'name', 'id'],
    ],
  },
);

/** Returns the URL of a product, without language. */
export function productUrl(id: Id, name: string): string {
  const slug = slugify(name);
  return `/shop/product/${slug === '' ? id : `${slug}-${id}`}`;
}
