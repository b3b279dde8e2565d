import { ProductPricelist } from '#addons/sale';
import { MultiWebsite } from '#addons/website';
import { extend, f } from '#core';

/** Pricelists of the shop: for everybody, to choose from, or for who knows a code. */
export const ShopPricelist = extend(
  ProductPricelist,
  {
    code: f.char({
      size: 64,
      copy: false,
      label: 'Promo code',
      groups: 'sale.group_sale_user',
      help: 'Who enters it in the cart gets these prices',
    }),
    selectable: f.boolean({ label: 'Visitors may choose it', help: 'In the shop’s list of currencies' }),
  },
  undefined,
  { mixins: [MultiWebsite] },
);
