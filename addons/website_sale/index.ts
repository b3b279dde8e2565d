/** Public API of website_sale for other addons. */

export { ShopPricelist } from './models/product-pricelist.ts';
export { PublicCategory } from './models/product-public-category.ts';
export { ShopTemplate } from './models/product-template.ts';
export { ShopOrder } from './models/sale-order.ts';
export { isOnSite, ShopOrderLine } from './models/sale-order-line.ts';
export { ensureCart } from './services/cart/begin-cart.ts';
export { type LineView, linesOf } from './services/cart/lines.ts';
export { oneCart } from './services/cart/new-carts.ts';
export { CART, cartOf, isBeingPaid, LAST_ORDER, lastOrderOf } from './services/cart/session-cart.ts';
export { type Totals, totalsOf } from './services/cart/totals.ts';
export { type Card, cardsById } from './services/catalogue/cards.ts';
export {
  type CurrencyView,
  currencyViews,
  isDiscount,
  type PriceView,
  priceView,
} from './services/catalogue/price-view.ts';
export { orderAddresses } from './services/checkout/order-address.ts';
export { type StatusView, statusOf } from './services/checkout/status.ts';
export { countView } from './services/count-view.ts';
export { orderUrl } from './services/order-url.ts';
export { type PricingContext, pricingContext, sellingCompany } from './services/pricing-context.ts';
export { shopAttribute } from './services/shop-attribute.ts';
export { buyProduct } from './tours/buy-product.ts';
export { otherInCart } from './tours/cart-trouble.ts';
