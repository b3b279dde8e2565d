import { oneCart, oneCartShown } from '../services/cart/new-carts.ts';

/** Gives visitors a single cart even if their first requests arrive at the same time. */
export const newCartRoutes = [
  ...oneCart([
    'website_sale.cart_update',
    'website_sale.cart_update_json',
    'website_sale.cart_refresh',
    'website_sale.cart_clean',
    'website_sale.cart_undo',
    'website_sale.promo',
    'website_sale.change_pricelist',
    'website_sale.confirm_order',
  ]),
  ...oneCartShown(['website_sale.cart', 'website_sale.cart_lines', 'website_sale.checkout', 'website_sale.payment']),
];
