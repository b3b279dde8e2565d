import { f, model } from '#core';

/** One more picture of a product, beside its first one. */
export class ProductImage extends model(
  'product.image',
  {
    name: f.char({ required: true, translate: true, label: 'What it shows', help: 'Read out to who cannot see it' }),
    image: f.image({ required: true, label: 'Picture' }),
    product_tmpl_id: f.many2one('product.template', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Product',
    }),
    value_id: f.many2one('product.attribute.value', {
      ondelete: 'cascade',
      label: 'For the value',
      help: 'Shown when this value is chosen; empty: among the pictures of the product',
    }),
    sequence: f.integer({ default: 10 }),
  },
  { order: 'sequence, id', label: 'Product picture' },
) {}

declare module '#core' {
  interface Models {
    'product.image': ProductImage;
  }
}
