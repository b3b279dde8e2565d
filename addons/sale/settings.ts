import { setting, z } from 'pergola';

const section = 'Sales';

const isAddress = (text: string): boolean => text === '' || (/^https?:/.test(text) && URL.canParse(text));

/** How long a cart holds limited items, in minutes. */
export const holdMinutes = setting('sale.hold_minutes', z.number().int().min(1).max(1440), 15, {
  label: 'Minutes a cart holds seats and stock',
  section,
});

/** How long limited items are held once a customer starts to pay, in minutes. */
export const paymentMinutes = setting('sale.payment_minutes', z.number().int().min(5).max(1440), 60, {
  label: 'Minutes a payment that was begun holds seats and stock',
  section,
});

/** How long an order waits for a transfer, in days; then it is cancelled. */
export const pendingDays = setting('sale.pending_days', z.number().int().min(1).max(90), 7, {
  label: 'Days an order waits for a transfer',
  help: 'Orders of things that are not limited. After that the order is cancelled, and the customer is told.',
  section,
});

/** How long limited items are held for a transfer, in hours; then the order is cancelled. */
export const transferHours = setting('sale.transfer_hours', z.number().int().min(1).max(720), 72, {
  label: 'Hours seats and stock are kept for a transfer',
  help: 'Once the customer has confirmed their e-mail address. After that the order is cancelled, and the customer is told.',
  section,
});

/** Share of the remaining quantity that one network may hold unpaid, in per cent. */
export const networkShare = setting('sale.network_share', z.number().int().min(1).max(100), 25, {
  label: 'Largest share of seats or stock held unpaid for one network, in %',
  help: 'Visitors of that network who aren’t signed in can’t put more into their carts, and further bank transfers are held only as long as other payments.',
  section,
});

/** Whether pages show prices with tax. */
export const pricesShown = setting<'included' | 'excluded'>(
  'sale.prices_shown',
  z.enum(['included', 'excluded']),
  'included',
  {
    label: 'Prices of the shop are shown',
    section,
    choices: { included: { label: 'With tax' }, excluded: { label: 'Without tax' } },
  },
);

/** How long an abandoned cart is kept, in days. */
export const cartDays = setting('sale.cart_days', z.number().int().min(1).max(3650), 60, {
  label: 'Days an abandoned cart is kept',
  section,
});

/** Quantity from which stock counts as low. */
export const lowStock = setting('sale.low_stock', z.number().int().min(0).max(100_000), 5, {
  label: 'Pieces at which stock is low',
  help: 'The first page of the backend lists what has so few left',
  section,
});

/** How to tax orders whose VAT number the EU register hasn't confirmed. */
export const reverseCharge = setting<'confirmed' | 'unverified'>(
  'sale.reverse_charge',
  z.enum(['confirmed', 'unverified']),
  'confirmed',
  {
    label: 'Customers with a VAT number of another EU country',
    help: 'A number with wrong check digits, of your own country or of another country than the invoice address never takes tax off.',
    section,
    choices: {
      confirmed: { label: 'Pay without tax once VIES confirms the number' },
      unverified: { label: 'Pay without tax at once; orders are marked “To be checked” until VIES answers' },
    },
  },
);

/** URL of the EU register of VAT numbers, if not the European Commission's. */
export const viesUrl = setting(
  'sale.vies_url',
  z.string().max(200).refine(isAddress, 'Enter an address that begins with https://.'),
  '',
  {
    label: 'Other address of VIES, the EU register of VAT numbers',
    help: 'Empty: the European Commission is asked, except by development sites',
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
