/** Public API of quote for other addons. */
export { QuoteTemplate } from './models/quote-template.ts';
export { QuotedOrder } from './models/sale-order.ts';
export { SaleOrderOption } from './models/sale-order-option.ts';
