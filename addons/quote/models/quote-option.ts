import { type Decimal, type FieldsOf, f, model, type Values } from 'pergola';
import { QuotedVariant } from './product-product.ts';

/** Optional product that quotations from a template offer in addition to their lines. */
export class QuoteOption extends model(
  'sale.quote.option',
  {
    template_id: f.many2one('sale.quote.template', { required: true, ondelete: 'cascade', index: true }),
    sequence: f.integer({ default: 10 }),
    product_id: f.many2one('product.product', {
      required: true,
      ondelete: 'restrict',
      domain: [['sale_ok', '=', true]],
    }),
    name: f.text({ required: true, filled: true, translate: true, size: 4_000, label: 'Description' }),
    quantity: f.decimal({ required: true, default: '1' as Decimal, places: 3 }),
    uom_id: f.many2one('product.uom', { ondelete: 'restrict', label: 'Unit' }),
    price_unit: f.decimal({ required: true, filled: true, label: 'Unit price' }),
    discount: f.decimal({ default: '0' as Decimal, places: 2, percentage: 'percent', label: 'Discount %' }),
    website_description: f.html({ translate: true, label: 'Page', help: 'Leave empty to use the product’s value' }),
  },
  { order: 'template_id, sequence, id', nameField: 'name', label: 'Quotation template option' },
) {
  /** Fills in missing text, price and unit from the product. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<QuoteOption>>[],
  ): Promise<readonly Values<FieldsOf<QuoteOption>>[]> {
    return super.beforeCreate(await this.ctx.model(QuotedVariant).completed(values, 'uom_id'));
  }
}

declare module 'pergola' {
  interface Models {
    'sale.quote.option': QuoteOption;
  }
}
