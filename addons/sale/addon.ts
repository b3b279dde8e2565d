import { publicMethod } from '@pergola/web';
import { defineAddon, z } from 'pergola';
import { consequences } from './consequences.ts';
import { checkVatNumber } from './jobs/check-vat-number.ts';
import { expirePayments } from './jobs/expire-payments.ts';
import { orderMail } from './jobs/order-mail.ts';
import { reviewOrders } from './jobs/review-orders.ts';
import { sendRefund } from './jobs/send-refund.ts';
import { sendTestNotification } from './jobs/send-test-notification.ts';
import { sweepCarts } from './jobs/sweep-carts.ts';
import { mails } from './mails.ts';
import { automaticPositions, companyCountry, mappings } from './models/account-fiscal-position.ts';
import { models } from './models/index.ts';
import { PaymentAcquirer } from './models/payment-acquirer.ts';
import { PaymentRefund } from './models/payment-refund.ts';
import { PaymentTransaction } from './models/payment-transaction.ts';
import { buyableVariants, stockedVariants } from './models/product-product.ts';
import { stockRows } from './models/product-stock.ts';
import { SaleOrder } from './models/sale-order.ts';
import { questions } from './questions.ts';
import { addressConfirm, addressPage } from './routes/address.ts';
import { notify } from './routes/notify.ts';
import { acceptChanges, payOrder, payOrderForm, transferCode } from './routes/order-payment.ts';
import { orderPdf } from './routes/order-pdf.ts';
import { testCardPage, testCardPay } from './routes/test-card.ts';
import { transferFeedback } from './routes/transfer.ts';
import { groups, lists, rules } from './security.ts';
import { currencies } from './services/currencies.ts';
import { Documents } from './services/documents/pdf.ts';
import { OrderDefaults } from './services/orders/order-defaults.ts';
import { taxRounding } from './services/orders/totals.ts';
import { warnOfTestMethods } from './services/payment/offered-methods.ts';
import { paymentProviders } from './services/payment/payment-providers.ts';
import { Payments } from './services/payment/payments.ts';
import { Refunds } from './services/payment/refunds.ts';
import { testCard } from './services/payment/test-card.ts';
import { Transfers } from './services/payment/transfers.ts';
import { transfer } from './services/payment/wire-transfer.ts';
import { listRules, priceBases, productTaxes, productTexts } from './services/pricing/price-bases.ts';
import { Pricing, templatePrices } from './services/pricing/pricing.ts';
import { limitedResources } from './services/stock/limited-resources.ts';
import { productResource } from './services/stock/product-resource.ts';
import { Stock } from './services/stock/stock.ts';
import { companyTax } from './services/tax/default-tax.ts';
import { TaxNumbers } from './services/tax/tax-numbers.ts';
import { taxLabelTexts, taxRules } from './services/tax/tax-rules.ts';
import { Vies } from './services/tax/vies.ts';
import { settings } from './settings.ts';
import { menus, views } from './views.ts';
import { firstSteps, widgets } from './widgets.ts';

/** Lines of one order. */
const lineIds = z.array(z.number().int().positive()).max(300);

/** Cached values, kept until their records change. */
const keptValues = [
  currencies,
  taxRules,
  companyTax,
  taxLabelTexts,
  automaticPositions,
  companyCountry,
  mappings,
  taxRounding,
  buyableVariants,
  stockedVariants,
  stockRows,
  productTexts,
  productTaxes,
  priceBases,
  listRules,
  templatePrices,
];

export default defineAddon({
  name: 'sale',
  title: 'Sales',
  summary: 'Products, prices, taxes, quotations, orders and payments',
  version: '1.4.0',
  category: 'Sales',
  icon: 'receipt',
  depends: ['web', 'mail'],
  consequences,
  models,
  services: [
    Pricing,
    Stock,
    Vies,
    TaxNumbers,
    OrderDefaults,
    Transfers,
    Payments,
    Refunds,
    Documents,
    ...keptValues.map(({ service }) => service),
  ],
  routes: [
    transferFeedback,
    addressPage,
    addressConfirm,
    testCardPage,
    testCardPay,
    notify,
    orderPdf,
    payOrder,
    payOrderForm,
    transferCode,
    acceptChanges,
  ],
  jobs: [checkVatNumber, orderMail, expirePayments, sweepCarts, sendTestNotification, sendRefund, reviewOrders],
  mails,
  settings,
  questions,
  groups,
  access: lists,
  rules,
  views,
  menus,
  widgets,
  firstSteps,
  points: [paymentProviders, limitedResources],
  paymentProviders: [transfer, testCard],
  limitedResources: [productResource],
  startChecks: [warnOfTestMethods],
  publicMethods: [
    publicMethod(SaleOrder, 'send', { right: 'write', writes: true, mails: true }),
    publicMethod(SaleOrder, 'confirm', { right: 'write', writes: true, mails: true }),
    publicMethod(SaleOrder, 'cancel', { right: 'write', writes: true, mails: true }),
    publicMethod(SaleOrder, 'reopen', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'finish', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'reprice', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'priceChanges', {
      right: 'write',
      writes: false,
      args: z.strictObject({ selected: lineIds.nullish() }),
    }),
    publicMethod(SaleOrder, 'updatePrices', {
      right: 'write',
      writes: true,
      args: z.strictObject({ version: z.string().max(64), selected: lineIds }),
    }),
    publicMethod(PaymentAcquirer, 'openCompany', { right: 'read', writes: false }),
    publicMethod(SaleOrder, 'removeVoid', { right: 'write', writes: true, mails: true }),
    publicMethod(SaleOrder, 'refundOwed', { right: 'write', writes: true, mails: true }),
    publicMethod(SaleOrder, 'resume', { right: 'write', writes: true, mails: true }),
    publicMethod(PaymentTransaction, 'markPaid', { right: 'read', writes: true, mails: true }),
    publicMethod(PaymentTransaction, 'markCancelled', { right: 'read', writes: true }),
    publicMethod(PaymentTransaction, 'takeBack', { right: 'read', writes: true }),
    publicMethod(PaymentRefund, 'markDone', { right: 'create', writes: true, mails: true }),
    publicMethod(PaymentRefund, 'markCancelled', { right: 'create', writes: true }),
    publicMethod(PaymentRefund, 'retry', { right: 'create', writes: true, mails: true }),
  ],
});
