import { ProductTemplate } from '#addons/sale';
import { extend, f } from '#core';

/** What quotations say of a product, at length. */
export const QuotedProduct = extend(ProductTemplate, {
  quote_description: f.html({ translate: true, label: 'Text for quotations' }),
});
