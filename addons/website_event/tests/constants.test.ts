import { createTestApp, type TestApp } from 'pergola/testing';
import { Temporal } from 'temporal-polyfill';
import { plans } from '../demo/events/plans.ts';
import { daysOf } from '../services/event-dates.ts';
import { buyTickets } from '../tours/buy-tickets.ts';
import { makeEvent } from './kit.ts';

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

describe('The events of the demo', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], demo: true });
  });
  afterAll(() => app.close());

  const page = async (path: string): Promise<string> => (await app.visitor().get(path)).text;
  const titles = (html: string) => [...html.matchAll(/<a class="[^"]*event-link[^"]*"[^>]*>([^<]*)</g)];

  it('are ten, one of which is over; a page lists ten', async () => {
    expect(titles(await page('/event')).length + titles(await page('/event?date=old')).length).toBe(10);
    for (const name of ['One more', 'Another one']) await app.write((ctx) => makeEvent(ctx, { name }));
    expect(titles(await page('/event'))).toHaveLength(10);
    expect(titles(await page('/event/page/2'))).toHaveLength(1);
  });

  // All coming events have no date in their address.
  it('are filtered by these dates and no others', async () => {
    const dates = [...(await page('/event')).matchAll(/[?&](?:amp;)?date=(\w+)/g)].map(([, date]) => date);
    expect([...new Set(dates)].sort()).toEqual(['month', 'nextmonth', 'nextweek', 'old', 'today', 'week']);
  });

  it('have the conference, with its tickets and prices, of which nine can be chosen at once and are kept for 15 minutes', async () => {
    const [, address = ''] =
      /href="([^"]*\/event\/conference-on-business-apps-\d+)[^"]*"/.exec(await page('/event')) ?? [];
    const text = await page(`${address}/register`);
    expect(text).toContain('Conference on Business Apps');
    expect(text).toMatch(/Standard[\s\S]*1,000\.00[\s\S]*VIP[\s\S]*1,500\.00/);
    const [, options = ''] = /<select[^>]*name="ticket-\d+"[^>]*>([\s\S]*?)<\/select>/.exec(text) ?? [];
    expect([...options.matchAll(/<option[^>]*value="(\d+)"/g)].map(([, value]) => Number(value))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    expect(text).toContain('We’ll hold the tickets in your cart for 15 minutes.');
  });
});
