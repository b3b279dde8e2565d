import { f, model } from 'pergola';

/** Unit of measure of a product: pieces, hours, kilograms. */
export class ProductUom extends model(
  'product.uom',
  {
    name: f.char({ required: true, translate: true, label: 'Unit' }),
    decimals: f.integer({
      required: true,
      default: 0,
      min: 0,
      max: 3,
      label: 'Decimals',
      help: 'Decimal places allowed in quantities; 0 for whole units',
    }),
    sequence: f.integer({ default: 10 }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Unit of measure' },
) {}

declare module 'pergola' {
  interface Models {
    'product.uom': ProductUom;
  }
}
