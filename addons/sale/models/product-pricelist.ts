import { f, model } from 'pergola';

/** Prices for certain customers, in one currency: rules based on product prices. */
export class ProductPricelist extends model(
  'product.pricelist',
  {
    name: f.char({ required: true, translate: true, label: 'Pricelist' }),
    currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', label: 'Currency' }),
    company_id: f.many2one('res.company', { empty: 'all', ondelete: 'restrict' }),
    sequence: f.integer({ default: 10 }),
    item_ids: f.one2many('product.pricelist.item', 'pricelist_id', { label: 'Rules', order: 'sequence, id' }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Pricelist' },
) {}

declare module 'pergola' {
  interface Models {
    'product.pricelist': ProductPricelist;
  }
}
