import { f, model } from 'pergola';

/** Kinds of shop statistics, keyed by their name in the URL. */
export const viewKinds = {
  product_view: 'Product pages seen',
  product_add_to_cart: 'Put in the cart',
  customer_checkout: 'Checkouts begun',
  customer_signin: 'Went to sign in',
  customer_signup: 'Checkouts as a guest',
  order_checkout: 'Addresses given',
  order_payment: 'Payments begun',
  order_confirmed: 'Thank-you pages seen',
} as const;
export type ViewKind = keyof typeof viewKinds;

/**
 * Daily number of views. Each view starts as a separate row, so that visitors never wait for each other's locks; a nightly job merges the
 * rows of a day. Stores no visitor data.
 */
export class ShopView extends model(
  'website.sale.view',
  {
    day: f.date({ required: true, index: true }),
    kind: f.selection(viewKinds, { required: true }),
    product_id: f.many2one('product.product', { ondelete: 'cascade', index: true, label: 'Product' }),
    /** Name of the payment method. */
    method: f.char({ size: 64, label: 'Payment method' }),
    website_id: f.many2one('website', { ondelete: 'cascade', label: 'Website' }),
    count: f.integer({ required: true, default: 1, label: 'Views' }),
  },
  {
    order: 'day desc, id desc',
    nameField: 'kind',
    label: 'Shop visits by day',
    volatile: true,
    indexes: [['day', 'kind']],
  },
) {}

declare module 'pergola' {
  interface Models {
    'website.sale.view': ShopView;
  }
}
