import { publicMethod } from '#addons/web';
import { defineAddon } from '#core';
import { expirePayments } from './jobs/expire-payments.ts';
import { orderMail } from './jobs/order-mail.ts';
import { sweepCarts } from './jobs/sweep-carts.ts';
import { testCardTells } from './jobs/test-card-tells.ts';
import { mails } from './mails.ts';
import { models } from './models/index.ts';
import { PaymentTransaction } from './models/payment-transaction.ts';
import { SaleOrder } from './models/sale-order.ts';
import { addressConfirm, addressPage } from './routes/address.ts';
import { notify } from './routes/notify.ts';
import { testCardPage, testCardPay } from './routes/test-card.ts';
import { transferFeedback } from './routes/transfer.ts';
import { groups, lists, rules } from './security.ts';
import { Documents } from './services/documents/pdf.ts';
import { memories } from './services/memories.ts';
import { warnOfTestMethods } from './services/payment/offered.ts';
import { paymentProviders } from './services/payment/provider.ts';
import { testCard } from './services/payment/test-card.ts';
import { transfer } from './services/payment/transfer.ts';
import { productTaxMemory } from './services/pricing/shown-prices.ts';
import { templatePriceMemory } from './services/pricing/template-prices.ts';
import { productResource } from './services/stock/product-resource.ts';
import { limitedResources } from './services/stock/resource.ts';
import { settings } from './settings.ts';
import { menus, views } from './views.ts';

export default defineAddon({
  name: 'sale',
  title: 'Sales',
  summary: 'Products, prices, taxes, quotations, orders and payments',
  version: '1.0.0',
  category: 'Sales',
  icon: 'receipt',
  depends: ['web', 'mail'],
  models,
  services: [Documents, ...memories, productTaxMemory, templatePriceMemory],
  routes: [transferFeedback, addressPage, addressConfirm, testCardPage, testCardPay, notify],
  jobs: [orderMail, expirePayments, sweepCarts, testCardTells],
  mails,
  settings,
  groups,
  access: lists,
  rules,
  views,
  menus,
  points: [paymentProviders, limitedResources],
  paymentProviders: [transfer, testCard],
  limitedResources: [productResource],
  startChecks: [warnOfTestMethods],
  publicMethods: [
    publicMethod(SaleOrder, 'send', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'confirm', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'cancel', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'reopen', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'finish', { right: 'write', writes: true }),
    publicMethod(SaleOrder, 'reprice', { right: 'write', writes: true }),
    publicMethod(PaymentTransaction, 'markPaid', { right: 'read', writes: true }),
    publicMethod(PaymentTransaction, 'markCancelled', { right: 'read', writes: true }),
  ],
});
