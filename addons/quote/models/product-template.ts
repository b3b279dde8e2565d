import { extend, f } from 'pergola';
import { ProductTemplate } from '#addons/sale';

/** What quotations say of a product, at length. */
export const QuotedProduct = extend(ProductTemplate, {
  quote_description: f.html({ translate: true, label: 'Text for quotations' }),
});
