import { ProductTemplate } from '@pergola/sale';
import { extend, f } from 'pergola';

/** Detailed description of a product on quotations. */
export const QuotedProduct = extend(ProductTemplate, {
  quote_description: f.html({ translate: true, label: 'Text for quotations' }),
});
