import { FiscalPosition } from './account-fiscal-position.ts';
import { FiscalPositionTax } from './account-fiscal-position-tax.ts';
import { AccountTax } from './account-tax.ts';
import { TaxSetup } from './account-tax-setup.ts';
import { PaymentAcquirer } from './payment-acquirer.ts';
import { PaymentEvent } from './payment-event.ts';
import { PaymentRefund } from './payment-refund.ts';
import { PaymentTransaction } from './payment-transaction.ts';
import { ProductAttribute } from './product-attribute.ts';
import { ProductAttributeExclusion } from './product-attribute-exclusion.ts';
import { ProductAttributeLine } from './product-attribute-line.ts';
import { ProductAttributePrice } from './product-attribute-price.ts';
import { ProductAttributeValue } from './product-attribute-value.ts';
import { ProductCategory } from './product-category.ts';
import { ProductPricelist } from './product-pricelist.ts';
import { PricelistItem } from './product-pricelist-item.ts';
import { ProductProduct } from './product-product.ts';
import { ProductStock } from './product-stock.ts';
import { ProductTemplate } from './product-template.ts';
import { ProductUom } from './product-uom.ts';
import { SaleCompany } from './res-company.ts';
import { SalePartner } from './res-partner.ts';
import { SaleCancellation } from './sale-cancellation.ts';
import { SaleHold } from './sale-hold.ts';
import { SaleOrder } from './sale-order.ts';
import { OrderEmail } from './sale-order-email.ts';
import { SaleOrderLine } from './sale-order-line.ts';
import { VatCheck } from './sale-vat-check.ts';

/** All models of the addon. */
export const models = [
  TaxSetup,
  ProductCategory,
  ProductUom,
  ProductAttribute,
  ProductAttributeValue,
  ProductTemplate,
  ProductProduct,
  ProductAttributeLine,
  ProductAttributePrice,
  ProductAttributeExclusion,
  ProductStock,
  AccountTax,
  FiscalPosition,
  FiscalPositionTax,
  ProductPricelist,
  PricelistItem,
  SalePartner,
  SaleCompany,
  SaleOrder,
  SaleOrderLine,
  SaleHold,
  PaymentAcquirer,
  PaymentTransaction,
  PaymentRefund,
  PaymentEvent,
  SaleCancellation,
  OrderEmail,
  VatCheck,
];
