import { Partner } from '@pergola/base';
import { extend, f } from 'pergola';

/** Adds prices, taxes and orders to customers. */
export const SalePartner = extend(Partner, {
  property_product_pricelist: f.many2one('product.pricelist', {
    ondelete: 'restrict',
    label: 'Pricelist',
    groups: 'base.group_user',
  }),
  property_account_position: f.many2one('account.fiscal.position', {
    ondelete: 'restrict',
    label: 'Fiscal position',
    groups: 'base.group_user',
  }),
  sale_order_ids: f.one2many('sale.order', 'partner_id', { label: 'Orders' }),
});
