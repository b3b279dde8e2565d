import { f, model } from 'pergola';

/**
 * How many published products there are in a category, and how many of them come with each value of each attribute: counted beforehand, so that a
 * page of a large shop costs what one of a small shop does. A row without a value counts the products themselves.
 */
export class ShopFacet extends model(
  'website.sale.facet',
  {
    website_id: f.many2one('website', { required: true, ondelete: 'cascade' }),
    /** Empty: the whole shop. */
    category_id: f.many2one('product.public.category', { ondelete: 'cascade', label: 'Category' }),
    attribute_id: f.many2one('product.attribute', { ondelete: 'cascade', label: 'Attribute' }),
    value_id: f.many2one('product.attribute.value', { ondelete: 'cascade', label: 'Value' }),
    count: f.integer({ required: true, label: 'Products' }),
    /** 1 for the value with the most products of its attribute; 0 for products as such. */
    rank: f.integer({ required: true, default: 0 }),
    /** How many values of the attribute there are. */
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
