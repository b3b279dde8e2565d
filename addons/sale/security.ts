import { access, group, rule } from 'pergola';
import { followRules } from 'pergola/orm';
import { FiscalPosition } from './models/account-fiscal-position.ts';
import { FiscalPositionTax } from './models/account-fiscal-position-tax.ts';
import { AccountTax } from './models/account-tax.ts';
import { TaxSetup } from './models/account-tax-setup.ts';
import { PaymentAcquirer } from './models/payment-acquirer.ts';
import { PaymentEvent } from './models/payment-event.ts';
import { PaymentRefund } from './models/payment-refund.ts';
import { PaymentTransaction } from './models/payment-transaction.ts';
import { ProductAttribute } from './models/product-attribute.ts';
import { ProductAttributeExclusion } from './models/product-attribute-exclusion.ts';
import { ProductAttributeLine } from './models/product-attribute-line.ts';
import { ProductAttributePrice } from './models/product-attribute-price.ts';
import { ProductAttributeValue } from './models/product-attribute-value.ts';
import { ProductCategory } from './models/product-category.ts';
import { ProductPricelist } from './models/product-pricelist.ts';
import { PricelistItem } from './models/product-pricelist-item.ts';
import { ProductProduct } from './models/product-product.ts';
import { ProductStock } from './models/product-stock.ts';
import { ProductTemplate } from './models/product-template.ts';
import { ProductUom } from './models/product-uom.ts';
import { SaleCancellation } from './models/sale-cancellation.ts';
import { SaleHold } from './models/sale-hold.ts';
import { SaleOrder } from './models/sale-order.ts';
import { OrderEmail } from './models/sale-order-email.ts';
import { SaleOrderLine } from './models/sale-order-line.ts';
import { VatCheck } from './models/sale-vat-check.ts';

export const groups = [
  group('sale.group_sale_user', { label: 'Salesperson', category: 'Sales', implies: ['base.group_user'] }),
  group('sale.group_sale_manager', {
    label: 'Sales manager',
    category: 'Sales',
    implies: ['sale.group_sale_user'],
    impliedBy: ['base.group_system'],
  }),
];

/** Grants nothing to visitors and customers: addons that show products to them add their own rules. */
const catalogue = { 'base.group_user': 'r', 'sale.group_sale_manager': 'rwcd' } as const;

export const lists = [
  access(ProductCategory, catalogue),
  access(ProductUom, catalogue),
  access(ProductAttribute, catalogue),
  access(ProductAttributeValue, catalogue),
  access(ProductAttributeLine, catalogue),
  access(ProductAttributePrice, catalogue),
  access(ProductAttributeExclusion, catalogue),
  access(ProductTemplate, catalogue),
  access(ProductProduct, catalogue),
  access(ProductStock, { 'base.group_user': 'r', 'sale.group_sale_user': 'rwc', 'sale.group_sale_manager': 'rwcd' }),
  access(ProductPricelist, catalogue),
  access(PricelistItem, catalogue),
  access(AccountTax, catalogue),
  access(FiscalPosition, catalogue),
  access(FiscalPositionTax, catalogue),
  access(SaleOrder, { 'base.group_portal': 'r', 'sale.group_sale_user': 'rwc', 'sale.group_sale_manager': 'rwcd' }),
  access(SaleOrderLine, { 'base.group_portal': 'r', 'sale.group_sale_user': 'rwcd' }),
  access(SaleHold, { 'sale.group_sale_user': 'r' }),
  access(TaxSetup, { 'sale.group_sale_manager': 'rc' }),
  access(PaymentAcquirer, { 'sale.group_sale_user': 'r', 'sale.group_sale_manager': 'rwcd' }),
  // Creating one registers a payment received by hand.
  access(PaymentTransaction, { 'base.group_portal': 'r', 'sale.group_sale_user': 'rc' }),
  // Creating one refunds a payment: for managers, and roles with that right.
  access(PaymentRefund, { 'base.group_portal': 'r', 'sale.group_sale_user': 'r', 'sale.group_sale_manager': 'rc' }),
  access(SaleCancellation, { 'sale.group_sale_user': 'rc' }),
  access(OrderEmail, { 'sale.group_sale_user': 'rc' }),
  access(PaymentEvent, { 'sale.group_sale_manager': 'r' }),
  access(VatCheck, { 'sale.group_sale_user': 'r' }),
];

export const rules = [
  rule('sale.own_orders', SaleOrder, {
    groups: ['base.group_portal'],
    domain: (ctx) => [
      ['partner_id', 'child_of', ctx.user.partnerId ?? 0],
      ['is_cart', '=', false],
      ['state', '!=', 'draft'],
    ],
  }),
  rule('sale.all_orders', SaleOrder, { groups: ['sale.group_sale_user'], domain: () => [] }),
  ...followRules('sale.lines_of_orders', SaleOrderLine, 'order_id'),
  ...followRules('sale.holds_of_orders', SaleHold, 'order_id'),
  ...followRules('sale.cancellations_of_orders', SaleCancellation, 'order_id'),
  ...followRules('sale.emails_of_orders', OrderEmail, 'order_id'),
  // Payments and refunds don't change the order itself.
  ...followRules('sale.payments_of_orders', PaymentTransaction, 'sale_order_id', { readers: 'rwcd', writers: '' }),
  ...followRules('sale.refunds_of_orders', PaymentRefund, 'sale_order_id', { readers: 'rwcd', writers: '' }),
  ...followRules('sale.events_of_payments', PaymentEvent, 'transaction_id'),
];
