/** What other addons may use of sale; explained in `docs/` beside the models. */
export { expirePayments } from './jobs/expire-payments.ts';
export { type OrderMailKind, orderMail } from './jobs/order-mail.ts';
export { FiscalPosition } from './models/account-fiscal-position.ts';
export { AccountTax } from './models/account-tax.ts';
export { PaymentAcquirer } from './models/payment-acquirer.ts';
export { PaymentTransaction } from './models/payment-transaction.ts';
export { ProductAttribute } from './models/product-attribute.ts';
export { ProductAttributeExclusion } from './models/product-attribute-exclusion.ts';
export { ProductAttributeLine } from './models/product-attribute-line.ts';
export { ProductAttributePrice } from './models/product-attribute-price.ts';
export { ProductAttributeValue } from './models/product-attribute-value.ts';
export { ProductCategory } from './models/product-category.ts';
export { ProductPricelist } from './models/product-pricelist.ts';
export { PricelistItem } from './models/product-pricelist-item.ts';
export { ProductProduct, variantName } from './models/product-product.ts';
export { ProductStock } from './models/product-stock.ts';
export { ProductTemplate } from './models/product-template.ts';
export { ProductUom } from './models/product-uom.ts';
export { SaleCompany } from './models/res-company.ts';
export { SalePartner } from './models/res-partner.ts';
export { SaleHold } from './models/sale-hold.ts';
export { SaleOrder } from './models/sale-order.ts';
export { SaleOrderLine } from './models/sale-order-line.ts';
export { type Letterhead, letterhead, onLetterhead, picture } from './services/documents/letterhead.ts';
export { type OrderDocumentOptions, orderDocument } from './services/documents/order-document.ts';
export { Documents, type PdfContent, type PdfDocument } from './services/documents/pdf.ts';
export {
  currencyFormats,
  formatAmount,
  formatPercent,
  formatQuantity,
  type MoneyTexts,
  moneyTexts,
} from './services/formats.ts';
export {
  filledLines,
  invoiceAddress,
  invoiceLines,
  shippingAddress,
  shippingLines,
} from './services/order/address-lines.ts';
export type { AddressInput, PostalAddress } from './services/order/addresses.ts';
export { type AddressField, checkAddress } from './services/order/check-address.ts';
export { orderColumns } from './services/order/columns.ts';
export type { Offer, OfferRequest, Terms } from './services/order/offers.ts';
export type { OrderProblem } from './services/order/problems.ts';
export { MOST_PIECES, wholeQuantity } from './services/order/quantity.ts';
export { type LineAnswer, type LineRequest, shortText } from './services/order/set-line.ts';
export { type ShownLine, shownLines, shownOffers } from './services/order/shown-lines.ts';
export { type TaxShare, taxLabels } from './services/order/tax-shares.ts';
export { cartUntil, paymentUntil } from './services/order/until.ts';
export { handleNotification } from './services/payment/notification.ts';
export { type OfferedMethod, offeredMethods } from './services/payment/offered.ts';
export {
  type Notice,
  type NotificationRequest,
  type PaymentFacts,
  type PaymentForm,
  type PaymentProvider,
  paymentProviders,
} from './services/payment/provider.ts';
export { confirmFree, type PaymentStart, type StartedPayment, startPayment } from './services/payment/start.ts';
export {
  type BankDetails,
  bankDetails,
  type PaymentStatus,
  paymentStatus,
  transferText,
} from './services/payment/status.ts';
export { type Price, type PriceQuery, priceProducts } from './services/pricing/price-products.ts';
export { pricelistFor } from './services/pricing/pricelist-for.ts';
export { type ShownFor, type ShownPrice, shownPrices } from './services/pricing/shown-prices.ts';
export { type TemplatePrice, templatePrices } from './services/pricing/template-prices.ts';
export { available, extendHolds, hold, release, type Shortage, shortages } from './services/stock/holds.ts';
export { type LimitedResource, limitedResources, type Need } from './services/stock/resource.ts';
export { fiscalPositionFor, type TaxMapping, taxMapping } from './services/tax/fiscal-position.ts';
export { cityOf, zonedTime, zoneText } from './services/zone.ts';
export {
  cartDays,
  holdMinutes,
  networkHolds,
  paymentMinutes,
  pendingDays,
  pricesShown,
  transferHours,
} from './settings.ts';
