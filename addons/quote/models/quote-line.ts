import { type Decimal, type FieldsOf, f, model, type Values } from 'pergola';
import { QuotedVariant } from './product-product.ts';

/** Line that a template adds to its quotations. */
export class QuoteLine extends model(
  'sale.quote.line',
  {
    quote_id: f.many2one('sale.quote.template', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Template',
    }),
    sequence: f.integer({ default: 10 }),
    product_id: f.many2one('product.product', {
      required: true,
      ondelete: 'restrict',
      domain: [['sale_ok', '=', true]],
    }),
    name: f.text({ required: true, filled: true, translate: true, size: 4_000, label: 'Description' }),
    product_uom_qty: f.decimal({ required: true, default: '1' as Decimal, places: 3, label: 'Quantity' }),
    product_uom_id: f.many2one('product.uom', { ondelete: 'restrict', label: 'Unit' }),
    price_unit: f.decimal({ required: true, filled: true, label: 'Unit price' }),
    discount: f.decimal({ default: '0' as Decimal, places: 2, percentage: 'percent', label: 'Discount %' }),
    website_description: f.html({ translate: true, label: 'Page', help: 'Leave empty to use the product’s value' }),
  },
  { order: 'quote_id, sequence, id', nameField: 'name', label: 'Quotation template line' },
) {
  /** Fills in missing text, price and unit from the product. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<QuoteLine>>[],
  ): Promise<readonly Values<FieldsOf<QuoteLine>>[]> {
    return super.beforeCreate(await this.ctx.model(QuotedVariant).completed(values, 'product_uom_id'));
  }
}

declare module 'pergola' {
  interface Models {
    'sale.quote.line': QuoteLine;
  }
}
