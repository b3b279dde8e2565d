import { f, model } from 'pergola';

/**
 * Number of published products in a category, by attribute value. Counted in advance, so that pages of a large shop load as fast as pages
 * of a small one. A row without a value counts the products themselves.
 */
export class ShopFacet extends model(
  'website.sale.facet',
  {
    website_id: f.many2one('website', { required: true, ondelete: 'cascade' }),
    /** Empty for the whole shop. */
    category_id: f.many2one('product.public.category', { ondelete: 'cascade', label: 'Category' }),
    attribute_id: f.many2one('product.attribute', { ondelete: 'cascade', label: 'Attribute' }),
    value_id: f.many2one('product.attribute.value', { ondelete: 'cascade', label: 'Value' }),
    count: f.integer({ required: true, label: 'Products' }),
    /** Rank of the value by number of products within its attribute, starting at 1; 0 for the products themselves. */
    rank: f.integer({ required: true, default: 0 }),
    /** Number of values of the attribute. */
    values: f.integer({ required: true, default: 0, label: 'Values' }),
  },
  {
    order: 'rank, id',
    nameField: 'value_id',
    label: 'Shop counts',
    indexes: [['website_id', 'category_id', 'rank']],
  },
) {}

declare module 'pergola' {
  interface Models {
    'website.sale.facet': ShopFacet;
  }
}
