import { type TourDefinition, type TourStep, tour } from '@pergola/website';
import { otherInCart } from '@pergola/website_sale';

const form = 'form[action$="/shop/confirm_order"]';

/** Tour: a visitor buys conference tickets, from the event list to the confirmation. */
export const buyTickets: TourDefinition = tour({
  id: 'website_event.event_buy_tickets',
  name: 'Buy tickets for an event',
  path: '/event',
  steps: [
    {
      element: 'a.event-link[href*="conference-on-business-apps"]',
      title: 'Open the conference',
      trouble: otherInCart(),
      content: 'These are the upcoming events. Open “Conference on Business Apps”.',
    },
    {
      element: '[data-slot="ticket"]:nth-of-type(1) select[name^="ticket-"]',
      waitNot: 'a.event-link',
      title: 'Choose two Standard tickets',
      action: 'select',
      text: '2',
    },
    {
      element: '[data-slot="ticket"]:nth-of-type(2) select[name^="ticket-"]',
      title: 'Choose three VIP tickets',
      action: 'select',
      text: '3',
    },
    {
      element: '[data-slot="order-now"]',
      title: 'Press “Order Now”',
      content: 'Your seats are now reserved.',
    },
    {
      element: 'a[data-slot="cart-link"]',
      waitFor: '.my_cart_quantity[data-cart-quantity="5"]',
      title: 'Open the cart',
      trouble: otherInCart(5),
      content: 'It holds five tickets.',
    },
    { element: '[data-slot="mini-cart"] a[href$="/shop/cart"]', title: 'View your cart' },
    {
      element: '#cart_products tbody tr:nth-of-type(2) .js_add_cart_json[data-step="1"]',
      title: 'Add one more VIP ticket',
    },
    {
      element: '[data-slot="cart"] a.btn-primary[href$="/shop/checkout"]',
      waitFor: '.my_cart_quantity[data-cart-quantity="6"]',
      title: 'Press “Process Checkout”',
      content: 'Six tickets now.',
    },
    { title: 'Enter your name', ...typed('name', 'Alex Example') },
    { title: 'Enter your email address', ...typed('email', 'alex@example.com') },
    { title: 'Enter your phone number', ...typed('phone', '+33 1 99 00 12 34') },
    { title: 'Enter your street', ...typed('street2', '12 rue des Lilas') },
    { title: 'Enter your postal code', ...typed('zip', '75011') },
    { title: 'Enter your city', ...typed('city', 'Paris') },
    { element: `${form} select[name="country_id"]`, title: 'Choose your country', action: 'select', text: 'France' },
    { element: `${form} button[type="submit"]`, title: 'Confirm' },
    {
      element: 'label:has(img[title="Wire Transfer"])',
      title: 'Choose “Wire Transfer”',
      content: 'You pay from your bank later. Your seats are reserved until then.',
    },
    { element: '.oe_sale_acquirer_button:not([data-hidden]) button[type="submit"]', title: 'Press “Pay Now”' },
    {
      element: '.shop-thanks',
      title: 'Thank you for your order',
      content: 'That’s all: the order is placed, and you’ll get an email.',
      action: 'none',
    },
  ],
});

/** Types a value into an address field, unless it is already filled in. */
function typed(name: string, text: string): Pick<TourStep, 'element' | 'action' | 'text' | 'onlyIfEmpty'> {
  return { element: `${form} input[name="${name}"]`, action: 'type', text, onlyIfEmpty: true };
}
