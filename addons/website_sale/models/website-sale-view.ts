import { f, model } from 'pergola';

/** Kinds of shop statistics, keyed by their name in the URL. */
export const viewKinds = {
  product_view: 'Product page views',
  product_add_to_cart: 'Added to cart',
  customer_checkout: 'Checkouts started',
  customer_signin: 'Sign-ins from checkout',
  customer_signup: 'Guest checkouts',
  order_checkout: 'Addresses entered',
  order_payment: 'Payments started',
  order_confirmed: 'Thank-you page views',
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
    kind: f.selection(viewKinds, { required: true, label: 'Type' }),
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
