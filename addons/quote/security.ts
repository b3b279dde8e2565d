import { access } from 'pergola';
import { followRules } from 'pergola/orm';
import { QuoteLine } from './models/quote-line.ts';
import { QuoteOption } from './models/quote-option.ts';
import { QuoteTemplate } from './models/quote-template.ts';
import { SaleOrderOption } from './models/sale-order-option.ts';
import { SaleOrderSignature } from './models/sale-order-signature.ts';

const templates = { 'sale.group_sale_user': 'r', 'sale.group_sale_manager': 'rwcd' } as const;

/** Customers use the token of their quotation (`services/quotations.ts`) and have no rights on these models. */
export const lists = [
  access(QuoteTemplate, templates),
  access(QuoteLine, templates),
  access(QuoteOption, templates),
  access(SaleOrderOption, { 'sale.group_sale_user': 'rwcd' }),
  // Only written by the acceptance.
  access(SaleOrderSignature, { 'sale.group_sale_user': 'r' }),
];

export const rules = [
  ...followRules('quote.options_of_orders', SaleOrderOption, 'order_id'),
  ...followRules('quote.signatures_of_orders', SaleOrderSignature, 'order_id'),
];
