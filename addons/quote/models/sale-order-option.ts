import { type Decimal, type FieldsOf, f, model, type Values } from 'pergola';
import { QuotedVariant } from './product-product.ts';

/** Optional product on a quotation; becomes a line when the customer takes it. */
export class SaleOrderOption extends model(
  'sale.order.option',
  {
    order_id: f.many2one('sale.order', { required: true, ondelete: 'cascade', index: true, label: 'Quotation' }),
    line_id: f.many2one('sale.order.line', { empty: 'none', index: true, copy: false, label: 'Added as' }),
    sequence: f.integer({ default: 10 }),
    product_id: f.many2one('product.product', { required: true, ondelete: 'restrict', label: 'Product' }),
    name: f.text({ required: true, filled: true, size: 4_000, label: 'Description' }),
    quantity: f.decimal({ required: true, default: '1' as Decimal, places: 3 }),
    uom_id: f.many2one('product.uom', { ondelete: 'restrict', label: 'Unit' }),
    price_unit: f.decimal({ required: true, filled: true, label: 'Unit price' }),
    discount: f.decimal({ default: '0' as Decimal, places: 2, percentage: 'percent', label: 'Discount %' }),
    website_description: f.html({ label: 'Page' }),
  },
  { order: 'order_id, sequence, id', nameField: 'name', label: 'Quotation option' },
) {
  /** Fills in missing text, price and unit from the product. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<SaleOrderOption>>[],
  ): Promise<readonly Values<FieldsOf<SaleOrderOption>>[]> {
    return super.beforeCreate(await this.ctx.model(QuotedVariant).completed(values, 'uom_id'));
  }
}

declare module 'pergola' {
  interface Models {
    'sale.order.option': SaleOrderOption;
  }
}
