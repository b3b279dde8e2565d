import { f, model } from 'pergola';

/** A property in which the variants of a product differ: size, colour. */
export class ProductAttribute extends model(
  'product.attribute',
  {
    name: f.char({ required: true, translate: true, label: 'Attribute' }),
    type: f.selection(
      { radio: 'Radio buttons', select: 'List', color: 'Colours', hidden: 'Hidden' },
      { default: 'radio', label: 'Display type' },
    ),
    sequence: f.integer({ default: 10 }),
    value_ids: f.one2many('product.attribute.value', 'attribute_id', { label: 'Values', order: 'sequence, id' }),
  },
  { order: 'sequence, id', label: 'Attribute' },
) {}

declare module 'pergola' {
  interface Models {
    'product.attribute': ProductAttribute;
  }
}
