import { extend, f } from 'pergola';
import { ProductTemplate } from '#addons/sale';

/** Detailed description of a product on quotations. */
export const QuotedProduct = extend(ProductTemplate, {
  quote_description: f.html({ translate: true, label: 'Text for quotations' }),
});
