import { type Decimal, f, type Id, type Ids, model } from 'pergola';
import { namedAfter } from '../services/names.ts';

/** Surcharge (or discount) for one attribute value on one product. */
export class ProductAttributePrice extends model(
  'product.attribute.price',
  {
    product_tmpl_id: f.many2one('product.template', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Product',
    }),
    value_id: f.many2one('product.attribute.value', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Product',
    }),
    price_extra: f.decimal({ required: true, default: '0' as Decimal, label: 'Extra price' }),
    currency_id: f.many2one('res.currency', { related: 'product_tmpl_id.currency_id' }),
  },
  {
    order: 'id',
    label: 'Extra price',
    unique: [{ fields: ['product_tmpl_id', 'value_id'], message: 'This value already has an extra price.' }],
  },
) {
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    return namedAfter(this, ids, 'value_id');
  }

  /** Returns the surcharges of products by `template:value`. */
  async extras(templates: Ids): Promise<Map<string, Decimal>> {
    const rows = await this.find([['product_tmpl_id', 'in', [...new Set(templates)]]], {
      select: { product_tmpl_id: true, value_id: true, price_extra: true },
    });
    return new Map(rows.map((row) => [`${row.product_tmpl_id}:${row.value_id}`, row.price_extra]));
  }
}

declare module 'pergola' {
  interface Models {
    'product.attribute.price': ProductAttributePrice;
  }
}
