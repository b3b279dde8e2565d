import { extend, f } from 'pergola';
import { SaleOrderLine } from '#addons/sale';

/** Lines of quotations say more of what they offer; those that were options know it. */
export const QuotedLine = extend(SaleOrderLine, {
  website_description: f.html({ label: 'Page' }),
  option_line_id: f.one2many('sale.order.option', 'line_id', { label: 'Was an option' }),
});
