import { Temporal } from 'temporal-polyfill';
import { holdMinutes } from '#addons/sale';
import { plans } from '../demo/events/plans.ts';
import { mostAtOnce } from '../models/event-event-ticket.ts';
import { perPage } from '../pages/list.ts';
import { cartUpdate } from '../routes/cart.ts';
import { countryEventList } from '../routes/country-events.ts';
import { list } from '../routes/list.ts';
import { daysOf, periods } from '../services/event-dates.ts';
import { buyTickets } from '../tours/buy-tickets.ts';

/**
 * Constants and texts of the specification's sections 5, 8 and 9 that are the events'; section 8 has none of theirs. The calendar's are website's, those
 * of cart, checkout and payment website_sale's.
 */
describe('What the specification says of events', () => {
  const step = (part: string) => buyTickets.steps.findIndex(({ element = '' }) => element.includes(part));

  it.each([
    ['begins at the list of events', buyTickets.path, '/event'],
    ['has the name that Odoo gave it', buyTickets.id.split('.').at(-1), 'event_buy_tickets'],
    ['chooses 2 Standard', buyTickets.steps[1]?.text, '2'],
    ['chooses 3 VIP', buyTickets.steps[2]?.text, '3'],
    ['sees 5 in the cart', buyTickets.steps[4]?.waitFor, '.my_cart_quantity[data-cart-quantity="5"]'],
    ['sees 6 after one more', buyTickets.steps[7]?.waitFor, '.my_cart_quantity[data-cart-quantity="6"]'],
    ['ends with the thanks', buyTickets.steps.at(-1)?.title, 'Thank you for your order'],
  ])('the tour %s', (_what, found, expected) => {
    expect(found).toBe(expected);
  });

  it('the tour goes its way in order: tickets, Order Now, cart, one more, checkout, Wire Transfer, Pay Now', () => {
    const way = [
      'select[name^="ticket-"]',
      'order-now',
      'cart-link',
      'js_add_cart_json',
      '/shop/checkout',
      'Wire Transfer',
      'oe_sale_acquirer_button',
    ];
    const places = way.map(step);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('the tour fills in the address only where it is empty', () => {
    const typed = buyTickets.steps.filter(({ action }) => action === 'type');
    expect(typed.map(({ element }) => /name="(\w+)"/.exec(element ?? '')?.[1])).toEqual([
      'name',
      'email',
      'phone',
      'street2',
      'zip',
      'city',
    ]);
    expect(typed.every(({ onlyIfEmpty }) => onlyIfEmpty)).toBe(true);
  });

  it.each([
    ['the list', list.path, '/event'],
    ['the form for tickets', cartUpdate.path, '/event/cart/update'],
    [
      'the list by country',
      [countryEventList.path, ...countryEventList.methods].join(' '),
      '/event/get_country_event_list POST',
    ],
    ['events on a page', perPage, 10],
    ['tickets chosen at once', mostAtOnce, 9],
    ['minutes a cart keeps seats', holdMinutes.fallback, 15],
    ['the filters by date', periods.join(' '), 'all today week nextweek month nextmonth old'],
    ['events of the demo', Object.keys(plans).length, 10],
    ['the conference', plans.conference?.name[0], 'Conference on Business Apps'],
    [
      'its tickets',
      plans.conference?.tickets.map(({ name, price, seats }) => [name[0], price, seats]).join(' '),
      'Standard,1000,1000 VIP,1500,500',
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toBe(expected);
  });

  it('the demo is spread over countries, months and kinds', () => {
    const all = Object.values(plans);
    expect(new Set(all.map(({ zone }) => zone)).size).toBeGreaterThan(5);
    expect(new Set(all.map(({ type }) => type)).size).toBe(5);
    expect(new Set(all.map(({ from: [days] }) => Math.floor(days / 30))).size).toBeGreaterThan(2);
    expect(all.some(({ place }) => place === null)).toBe(true);
  });

  it.each([
    ['today', '2026-11-26', '2026-11-27'],
    ['week', '2026-11-23', '2026-11-30'],
    ['nextweek', '2026-11-30', '2026-12-07'],
    ['month', '2026-11-01', '2026-12-01'],
    ['nextmonth', '2026-12-01', '2027-01-01'],
  ] as const)('“%s” of a Thursday goes from %s up to %s', (period, from, to) => {
    expect(daysOf(period, Temporal.PlainDate.from('2026-11-26')).map(String)).toEqual([from, to]);
  });
});
