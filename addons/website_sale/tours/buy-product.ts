import { type TourDefinition, tour } from '@pergola/website';
import { otherInCart } from './cart-trouble.ts';

const phone = '#phone';
const line = (position: number): string => `#cart_products tbody tr:nth-of-type(${position})`;
const inCart = (pieces: number): string => `a .my_cart_quantity[data-cart-quantity="${pieces}"]`;

/** Buys a product with variants: chooses a variant, adds an accessory, changes the cart, forgets the phone number, and pays by transfer. */
export const buyProduct: TourDefinition = tour({
  id: 'website_sale.shop_buy_product',
  name: 'Buy a product',
  path: '/shop',
  steps: [
    { element: '.oe_product_cart a.stretched-link', title: 'Open the product', trouble: otherInCart() },
    {
      element: 'fieldset.shop-attribute:nth-of-type(2) li:nth-of-type(2) label',
      title: 'Choose the size',
      content: 'Unavailable combinations are struck through.',
    },
    {
      element: '#add_to_cart:not([disabled])',
      title: 'Add it to your cart',
      waitFor: 'input.product_id:not([value=""])',
    },
    {
      element: '[data-slot=mini-cart] a[href$="/shop/cart"]',
      title: 'View your cart',
      waitFor: inCart(1),
    },
    {
      element: '[data-slot=suggested] form button',
      title: 'Add an accessory',
    },
    {
      element: `${line(1)} a.js_add_cart_json:has(.fa-plus)`,
      title: 'Increase quantity',
      waitFor: inCart(2),
    },
    {
      element: `${line(2)} a.js_add_cart_json:has(.fa-minus)`,
      title: 'Remove the accessory',
      content: 'Setting the quantity to zero removes the line.',
      waitFor: inCart(3),
    },
    {
      element: `${line(1)} input.js_quantity`,
      title: 'Keep just one',
      action: 'type',
      text: '1',
      waitNot: '#cart_products tr:nth-of-type(2)',
    },
    {
      element: 'a[href$="/shop/checkout"].btn-primary',
      title: 'Process Checkout',
      waitFor: inCart(1),
    },
    { element: '#name', title: 'Enter your name', action: 'type', text: 'Ada Lovelace', onlyIfEmpty: true },
    {
      element: '#email',
      title: 'Enter your email address',
      action: 'type',
      text: 'ada@example.org',
      onlyIfEmpty: true,
    },
    { element: phone, title: 'Leave the phone number empty', action: 'type', text: '' },
    { element: '#street2', title: 'Enter your street', action: 'type', text: '12 Garden Lane' },
    { element: '#zip', title: 'Enter your postal code', action: 'type', text: '1000' },
    { element: '#city', title: 'Enter your city', action: 'type', text: 'Brussels' },
    { element: '#country_id', title: 'Choose your country', action: 'select', text: 'Belgium' },
    { element: '.js_checkout_form .a-submit', title: 'Confirm' },
    {
      element: `.has-error ${phone}`,
      title: 'Enter the missing phone number',
      action: 'type',
      text: '+32 2 555 12 12',
    },
    { element: '.js_checkout_form .a-submit', title: 'Confirm again' },
    { element: 'label:has(img[title="Wire Transfer"])', title: 'Choose the bank transfer' },
    { element: '.oe_sale_acquirer_button:not([data-hidden]) button', title: 'Pay Now' },
    {
      element: '.shop-thanks',
      title: 'Thank you for your order',
      content: 'The bank details are on the page and in the email.',
      action: 'none',
    },
  ],
});
