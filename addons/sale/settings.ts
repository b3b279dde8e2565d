import { setting, z } from 'pergola';

const section = 'Sales';

const isAddress = (text: string): boolean => text === '' || (/^https?:/.test(text) && URL.canParse(text));

/** How long a cart holds limited items, in minutes. */
export const holdMinutes = setting('sale.hold_minutes', z.number().int().min(1).max(1440), 15, {
  label: 'Cart hold on seats and stock (minutes)',
  section,
});

/** How long limited items are held once a customer starts to pay, in minutes. */
export const paymentMinutes = setting('sale.payment_minutes', z.number().int().min(5).max(1440), 60, {
  label: 'Payment hold on seats and stock (minutes)',
  section,
});

/** How long an order waits for a transfer, in days; then it is cancelled. */
export const pendingDays = setting('sale.pending_days', z.number().int().min(1).max(90), 7, {
  label: 'Bank transfer deadline (days)',
  help: 'For orders without limited seats or stock. After that, the order is cancelled and the customer is notified.',
  section,
});

/** How long limited items are held for a transfer, in hours; then the order is cancelled. */
export const transferHours = setting('sale.transfer_hours', z.number().int().min(1).max(720), 72, {
  label: 'Bank transfer hold on seats and stock (hours)',
  help: 'Starts once the customer has confirmed their email address. After that, the order is cancelled and the customer is notified.',
  section,
});

/** Share of the remaining quantity that one network may hold unpaid, in per cent. */
export const networkShare = setting('sale.network_share', z.number().int().min(1).max(100), 25, {
  label: 'Maximum share of seats or stock held unpaid per network (%)',
  help: 'Visitors on that network who aren’t signed in can’t add more to their carts, and further bank transfers are held only as long as other payments.',
  section,
});

/** Whether pages show prices with tax. */
export const pricesShown = setting<'included' | 'excluded'>(
  'sale.prices_shown',
  z.enum(['included', 'excluded']),
  'included',
  {
    label: 'Prices displayed in the shop',
    section,
    choices: { included: { label: 'Tax included' }, excluded: { label: 'Tax excluded' } },
  },
);

/** How long an abandoned cart is kept, in days. */
export const cartDays = setting('sale.cart_days', z.number().int().min(1).max(3650), 60, {
  label: 'Abandoned cart retention (days)',
  section,
});

/** Quantity from which stock counts as low. */
export const lowStock = setting('sale.low_stock', z.number().int().min(0).max(100_000), 5, {
  label: 'Low-stock threshold',
  help: 'The home screen lists products at or below this quantity',
  section,
});

/** How to tax orders whose VAT number the EU register hasn't confirmed. */
export const reverseCharge = setting<'confirmed' | 'unverified'>(
  'sale.reverse_charge',
  z.enum(['confirmed', 'unverified']),
  'confirmed',
  {
    label: 'Customers with a VAT number from another EU country',
    help: 'Tax always applies if the number is invalid, from your own country, or from a different country than the billing address.',
    section,
    choices: {
      confirmed: { label: 'No tax once VIES has confirmed the number' },
      unverified: { label: 'No tax right away; orders are marked “To be checked” until VIES answers' },
    },
  },
);

/** URL of the EU register of VAT numbers, if not the European Commission's. */
export const viesUrl = setting(
  'sale.vies_url',
  z.string().max(200).refine(isAddress, 'Enter an address that starts with https://.'),
  '',
  {
    label: 'Address of VIES, the EU VAT number register',
    help: 'Leave empty to use the European Commission’s service; development sites don’t call it',
    section,
  },
);

export const settings = [
  holdMinutes,
  paymentMinutes,
  pendingDays,
  transferHours,
  networkShare,
  pricesShown,
  cartDays,
  lowStock,
  reverseCharge,
  viesUrl,
];
