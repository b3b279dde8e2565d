import { f, model } from 'pergola';

/** A ribbon on a product's picture: "Sale", "New". */
export class ProductStyle extends model(
  'product.style',
  {
    name: f.char({ required: true, translate: true, label: 'Text' }),
    html_class: f.selection(
      { oe_ribbon_promo: 'Sale', oe_ribbon_new: 'New', oe_ribbon_plain: 'Plain' },
      { default: 'oe_ribbon_promo', label: 'Style' },
    ),
  },
  { order: 'name, id', label: 'Ribbon' },
) {}

declare module 'pergola' {
  interface Models {
    'product.style': ProductStyle;
  }
}
