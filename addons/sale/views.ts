import { menu } from '@pergola/web';
import { FiscalPosition } from './models/account-fiscal-position.ts';
import { AccountTax } from './models/account-tax.ts';
import { TaxSetup } from './models/account-tax-setup.ts';
import { PaymentAcquirer } from './models/payment-acquirer.ts';
import { PaymentRefund } from './models/payment-refund.ts';
import { PaymentTransaction } from './models/payment-transaction.ts';
import { ProductAttribute } from './models/product-attribute.ts';
import { ProductCategory } from './models/product-category.ts';
import { ProductPricelist } from './models/product-pricelist.ts';
import { ProductProduct } from './models/product-product.ts';
import { ProductStock } from './models/product-stock.ts';
import { ProductTemplate } from './models/product-template.ts';
import { ProductUom } from './models/product-uom.ts';
import { SaleOrder } from './models/sale-order.ts';
import { SaleOrderLine } from './models/sale-order-line.ts';
import { orderViews } from './views/orders.ts';
import { paymentViews } from './views/payments.ts';
import { priceViews } from './views/prices.ts';
import { productViews } from './views/products.ts';

export const views = [...orderViews, ...productViews, ...priceViews, ...paymentViews];

const user = ['sale.group_sale_user'];
const manager = ['sale.group_sale_manager'];

export const menus = [
  menu('sale.menu_root', { label: 'Sales', icon: 'receipt', groups: user }),
  menu('sale.menu_quotations', {
    label: 'Quotations',
    parent: 'sale.menu_root',
    model: SaleOrder,
    domain: [
      ['state', 'in', ['draft', 'sent']],
      ['is_cart', '=', false],
    ],
    views: ['list', 'kanban', 'form'],
    groups: user,
  }),
  menu('sale.menu_orders', {
    label: 'Orders',
    parent: 'sale.menu_root',
    model: SaleOrder,
    domain: [['state', 'in', ['sale', 'done']]],
    views: ['list', 'kanban', 'form'],
    groups: user,
    after: 'sale.menu_quotations',
  }),
  menu('sale.menu_follow_up', {
    label: 'Follow-up',
    parent: 'sale.menu_root',
    groups: user,
    after: 'sale.menu_orders',
  }),
  menu('sale.menu_blocked', {
    label: 'Needs review',
    parent: 'sale.menu_follow_up',
    model: SaleOrder,
    domain: [['blocked_reason', '!=', false]],
    groups: user,
  }),
  menu('sale.menu_carts', {
    label: 'Carts',
    parent: 'sale.menu_follow_up',
    model: SaleOrder,
    domain: [['is_cart', '=', true]],
    groups: user,
    after: 'sale.menu_blocked',
  }),
  menu('sale.menu_payments', {
    label: 'Payments',
    parent: 'sale.menu_follow_up',
    model: PaymentTransaction,
    groups: user,
    after: 'sale.menu_carts',
  }),
  menu('sale.menu_refund_due', {
    label: 'Refund due',
    parent: 'sale.menu_follow_up',
    model: SaleOrder,
    domain: [['payment_state', '=', 'refund_due']],
    groups: user,
    after: 'sale.menu_payments',
  }),
  menu('sale.menu_refunds', {
    label: 'Refunds',
    parent: 'sale.menu_follow_up',
    model: PaymentRefund,
    groups: user,
    after: 'sale.menu_refund_due',
  }),
  menu('sale.menu_catalogue', {
    label: 'Products',
    parent: 'sale.menu_root',
    groups: user,
    after: 'sale.menu_follow_up',
  }),
  menu('sale.menu_products', {
    label: 'Products',
    parent: 'sale.menu_catalogue',
    model: ProductTemplate,
    views: ['kanban', 'list', 'form'],
    groups: user,
  }),
  menu('sale.menu_variants', {
    label: 'Variants',
    parent: 'sale.menu_catalogue',
    model: ProductProduct,
    groups: user,
    after: 'sale.menu_products',
  }),
  menu('sale.menu_stock', {
    label: 'Stock',
    parent: 'sale.menu_catalogue',
    model: ProductStock,
    groups: user,
    after: 'sale.menu_variants',
  }),
  menu('sale.menu_reporting', {
    label: 'Reporting',
    parent: 'sale.menu_root',
    groups: user,
    after: 'sale.menu_catalogue',
  }),
  menu('sale.menu_sales_analysis', {
    label: 'Sales analysis',
    parent: 'sale.menu_reporting',
    model: SaleOrderLine,
    domain: [['state', 'in', ['sale', 'done']]],
    views: ['pivot', 'graph', 'list'],
    groups: user,
  }),
  menu('sale.menu_configuration', {
    label: 'Configuration',
    parent: 'sale.menu_root',
    groups: manager,
    after: 'sale.menu_reporting',
  }),
  menu('sale.menu_categories', {
    label: 'Product categories',
    parent: 'sale.menu_configuration',
    model: ProductCategory,
    groups: manager,
  }),
  menu('sale.menu_attributes', {
    label: 'Attributes',
    parent: 'sale.menu_configuration',
    model: ProductAttribute,
    groups: manager,
    after: 'sale.menu_categories',
  }),
  menu('sale.menu_uom', {
    label: 'Units of measure',
    parent: 'sale.menu_configuration',
    model: ProductUom,
    groups: manager,
    after: 'sale.menu_attributes',
  }),
  menu('sale.menu_pricelists', {
    label: 'Pricelists',
    parent: 'sale.menu_configuration',
    model: ProductPricelist,
    groups: manager,
    after: 'sale.menu_uom',
  }),
  menu('sale.menu_taxes', {
    label: 'Taxes',
    parent: 'sale.menu_configuration',
    model: AccountTax,
    groups: manager,
    after: 'sale.menu_pricelists',
  }),
  menu('sale.menu_tax_setup', {
    label: 'Tax setup',
    parent: 'sale.menu_configuration',
    model: TaxSetup,
    groups: manager,
    after: 'sale.menu_taxes',
  }),
  menu('sale.menu_fiscal_positions', {
    label: 'Fiscal positions',
    parent: 'sale.menu_configuration',
    model: FiscalPosition,
    groups: manager,
    after: 'sale.menu_tax_setup',
  }),
  menu('sale.menu_acquirers', {
    label: 'Payment methods',
    parent: 'sale.menu_configuration',
    model: PaymentAcquirer,
    groups: manager,
    after: 'sale.menu_fiscal_positions',
  }),
];
