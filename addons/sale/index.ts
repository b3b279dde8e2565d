/** Public API of sale for other addons. */
export { expirePayments } from './jobs/expire-payments.ts';
export { orderMail } from './jobs/order-mail.ts';
export { reviewOpenOrders } from './jobs/review-orders.ts';
export { FiscalPosition, type Supply, type TaxMapping, type TaxTerms } from './models/account-fiscal-position.ts';
export { AccountTax } from './models/account-tax.ts';
export { PaymentAcquirer } from './models/payment-acquirer.ts';
export { PaymentRefund } from './models/payment-refund.ts';
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
export { SaleOrder, type TaxShare } from './models/sale-order.ts';
export { SaleOrderLine } from './models/sale-order-line.ts';
export { VatCheck } from './models/sale-vat-check.ts';
export { orderMoney } from './pages/order-money.ts';
export { type Letterhead, letterhead, onLetterhead, picture } from './services/documents/letterhead.ts';
export { contentDocument, type OrderDocumentOptions, orderDocument } from './services/documents/order-document.ts';
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
  type AddressInput,
  filledLines,
  invoiceAddress,
  invoiceLines,
  type PostalAddress,
  shippingAddress,
  shippingLines,
} from './services/orders/addresses.ts';
export { orderByToken } from './services/orders/by-token.ts';
export { type AddressField, checkAddress } from './services/orders/check-address.ts';
export { changeColumns, orderColumns, termColumns } from './services/orders/columns.ts';
export { cartUntil, paymentUntil } from './services/orders/expiry.ts';
export { agreed } from './services/orders/frozen.ts';
export type { ShownLine } from './services/orders/line-money.ts';
export {
  cutText,
  type LineAnswer,
  type LineRequest,
  MOST_PIECES,
  quantityFrom,
  shortText,
  wholeQuantity,
} from './services/orders/line-request.ts';
export type { Offer, OfferRequest, OrderTerms } from './services/orders/offer.ts';
export {
  type ContentFact,
  type ContentLine,
  changesSince,
  contentToken,
  contentVersion,
  factOf,
  MAX_TOKEN,
  OrderChanged,
  type OrderContent,
  stableJson,
} from './services/orders/order-content.ts';
export { OrderDefaults } from './services/orders/order-defaults.ts';
export type { OrderMailKind } from './services/orders/order-mail-values.ts';
export { holdsForMoney, type OrderProblem } from './services/orders/problems.ts';
export { textFact } from './services/orders/read-content.ts';
export { type OrderSums, type TotalRow, totalRows } from './services/orders/total-rows.ts';
export { typedQuantity } from './services/orders/typed-quantity.ts';
export { paymentMethods } from './services/payment/methods.ts';
export type { OfferedMethod } from './services/payment/offered-methods.ts';
export {
  type Notice,
  type NotificationRequest,
  type PaymentFacts,
  type PaymentForm,
  type PaymentProvider,
  paymentProviders,
  type RefundFacts,
  type RefundOutcome,
} from './services/payment/payment-providers.ts';
export type { PaymentStatus } from './services/payment/payment-status.ts';
export { type PaymentStart, Payments, type StartedPayment } from './services/payment/payments.ts';
export { type BankDetails, Transfers } from './services/payment/transfers.ts';
export {
  type Price,
  type PriceQuery,
  Pricing,
  type PricingContext,
  type ShownPrice,
  type TemplatePrice,
} from './services/pricing/pricing.ts';
export { type LimitedResource, limitedResources, type Need } from './services/stock/limited-resources.ts';
export { type Shortage, Stock } from './services/stock/stock.ts';
export { defaultTaxes } from './services/tax/default-tax.ts';
export { TaxNumbers } from './services/tax/tax-numbers.ts';
export { taxLabels } from './services/tax/tax-rules.ts';
export { lackingTax, lacksTax } from './services/tax/untaxed.ts';
export { zonedTime } from './services/zone.ts';
export {
  cartDays,
  holdMinutes,
  networkShare,
  paymentMinutes,
  pendingDays,
  pricesShown,
  reverseCharge,
  transferHours,
  viesUrl,
} from './settings.ts';
