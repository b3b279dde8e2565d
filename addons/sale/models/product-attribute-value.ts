import { f, type Ids, InvalidInput, model } from 'pergola';

/** A value of an attribute: red, blue. */
export class ProductAttributeValue extends model(
  'product.attribute.value',
  {
    name: f.char({ required: true, translate: true, label: 'Value' }),
    attribute_id: f.many2one('product.attribute', { required: true, ondelete: 'cascade', index: true }),
    sequence: f.integer({ default: 10 }),
    /** Attribute lines of products available in this value. */
    line_ids: f.many2many('product.attribute.line', {
      empty: 'none',
      relation: {
        table: 'product_attribute_line__product_attribute_value__rel',
        from: 'product_attribute_value_id',
        to: 'product_attribute_line_id',
      },
      copy: false,
      label: 'Products',
    }),
    color: f.char({ size: 7, label: 'Colour', help: 'For example #2e7d32, for attributes displayed as colours' }),
  },
  { order: 'attribute_id, sequence, id', label: 'Attribute value' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('color')) return;
    for (const { color } of await this.read(ids, { select: { color: true } })) {
      if (!color || /^#[0-9a-f]{6}$/i.test(color)) continue;
      const message = 'Enter a colour such as #2e7d32.';
      throw new InvalidInput(message, { code: 'sale.bad_color', fields: { color: message } });
    }
  }
}

declare module 'pergola' {
  interface Models {
    'product.attribute.value': ProductAttributeValue;
  }
}
