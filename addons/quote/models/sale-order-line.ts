import { SaleOrderLine } from '@pergola/sale';
import { extend, f } from 'pergola';

/** Adds a detailed description to quotation lines, and a link to the option a line came from. */
export const QuotedLine = extend(SaleOrderLine, {
  website_description: f.html({ label: 'Page' }),
  option_line_id: f.one2many('sale.order.option', 'line_id', { label: 'Added from options' }),
});
