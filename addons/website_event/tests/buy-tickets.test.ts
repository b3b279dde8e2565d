import { SaleOrder } from '@pergola/sale';
import {
  createTestApp,
  expectAccessible,
  type PageOptions,
  runTour,
  type TestApp,
  until,
  withBrowser,
} from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { Seats } from '../services/seats.ts';
import { buyTickets } from '../tours/buy-tickets.ts';

/** How often the tour is walked one after the other; `TOURS=20` before a release. */
const times = Number(process.env.TOURS ?? 1);

const browser = withBrowser();
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ addons: ['website_event'], demo: true });
});
afterAll(() => app?.close());

const walk = async (locale = 'en-US', path = buyTickets.path): Promise<string> => {
  const { page, expectNoTrouble, close } = await browser.openPage({ baseUrl: app.url, reducedMotion: true, locale });
  await runTour(
    page,
    { ...buyTickets, path },
    {
      onStep: async (step) => {
        if (step.title === 'Thank you for your order') {
          expect(await page.locator('main').innerText()).toContain(
            locale === 'en-US' ? 'Thank you for your order' : 'Merci pour votre commande',
          );
        }
      },
    },
  );
  await page.locator('.shop-thanks').waitFor();
  const id = (await page.locator('[data-order-id]').first().getAttribute('data-order-id')) ?? '';
  await expectNoTrouble({ layoutShift: 0.1 });
  await close();
  return id;
};

/** Seats of the conference that orders hold. */
const held = () =>
  app.read(async (ctx) => {
    const [event = 0] = await ctx
      .model(EventEvent)
      .search([['id', '=', await ctx.ref('website_event.demo_conference')]]);
    return (await ctx.get(Seats).of([event])).get(event)?.held ?? 0;
  });

describe('The tour “Buy tickets”', () => {
  it(
    `is walked ${times} times in a row, and each order keeps its seats`,
    async () => {
      const before = await held();
      for (let round = 0; round < times; round += 1) {
        const id = Number(await walk());
        const order = await app.read((ctx) =>
          ctx.model(SaleOrder).get(id, {
            select: {
              state: true,
              amount_untaxed: true,
              cart_quantity: true,
              order_line: { name: true, product_uom_qty: true },
            },
          }),
        );
        expect(order).toMatchObject({ state: 'sent', amount_untaxed: 800_000, cart_quantity: 6 });
        expect(order.order_line.map(({ product_uom_qty }) => product_uom_qty)).toEqual(['2', '4']);
      }
      expect(await held()).toBe(before + 6 * times);
    },
    60_000 * Math.max(1, times),
  );

  it('is walked twice at once', async () => {
    const before = await held();
    const [one, other] = await Promise.all([walk(), walk()]);
    expect(one).not.toBe(other);
    expect(await held()).toBe(before + 12);
  });

  it('ends with tickets when the money has come', async () => {
    const id = Number(await walk());
    await app.write((ctx) => ctx.model(SaleOrder).confirm([id]));
    const rows = await app.read((ctx) =>
      ctx.model(EventRegistration).find([['sale_order_id', '=', id]], { select: { state: true, name: true } }),
    );
    expect(rows.map(({ state, name }) => [state, name])).toEqual(
      Array.from({ length: 6 }, () => ['open', 'Alex Example']),
    );
  });

  it('puts a ticket in the name of the buyer, as they write it', async () => {
    const { page, expectNoTrouble } = await browser.openPage({
      baseUrl: app.url,
      reducedMotion: true,
      locale: 'fr-FR',
      width: 360,
    });
    const conference = await app.read((ctx) => ctx.ref('website_event.demo_conference'));
    await page.goto(`/fr/event/${conference}`);
    await page.locator('select[name^="ticket-"]').first().selectOption('2');
    await page.locator('[data-slot="order-now"]').click();
    await page.getByLabel('Billet 1 : au nom de l’acheteur').check();
    await page.getByLabel('Votre nom').fill('Grace Hopper');
    const name = page.getByLabel('Billet 1 : nom');
    await until(async () => (await name.inputValue()) === 'Grace Hopper');
    await expectAccessible(page);
    await page.getByLabel('Billet 1 : au nom de l’acheteur').uncheck();
    await until(async () => (await name.inputValue()) === '');
    await expectNoTrouble({ layoutShift: 0.1 });
  });

  it('guides a person through all of it, by the name it has in Odoo', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url, reducedMotion: true });
    await page.goto('/event#tutorial.event_buy_tickets=true');
    for (const step of buyTickets.steps) {
      const note = page.locator('.tour-note', { hasText: step.title });
      await note.waitFor();
      await note.locator('.btn-primary').click();
    }
    await page.locator('.toast-note', { hasText: 'You’ve completed the tour' }).waitFor();
    await expectAccessible(page);
    await expectNoTrouble({ layoutShift: 1 });
  });
});

describe('Events', () => {
  it.each([
    [360, true, '/fr'],
    [1280, false, ''],
  ])('are for everybody, %i pixels wide (dark: %s), and so is the door', async (width, dark, lang) => {
    const event = await app.read((ctx) => ctx.ref('website_event.demo_conference'));
    const look = async (paths: readonly string[], more: PageOptions = {}): Promise<void> => {
      const { page, expectNoTrouble } = await browser.openPage({
        width,
        height: 760,
        dark,
        baseUrl: app.url,
        ...more,
      });
      for (const path of paths) {
        await page.goto(lang + path);
        await expectNoTrouble({ layoutShift: 0.1 });
        await expectAccessible(page);
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width]);
      }
    };
    await look(['/event', `/event/${event}/register`]);
    await look(['/event/check-in', `/event/check-in/${event}`], { client: await app.as('admin') });
  });

  it('sell tickets by keyboard alone, and look at them at the door', async () => {
    const event = await app.read((ctx) => ctx.ref('website_event.demo_conference'));
    const { page } = await browser.openPage({ baseUrl: app.url, client: await app.as('admin') });
    await page.goto(`/event/${event}/register`);
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Quantity: Standard').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-slot=ticket-total]', { hasText: 'Total' }).waitFor();
    const order = page.getByRole('button', { name: 'Order Now' });
    for (let tab = 0; tab < 5 && !(await order.evaluate((one) => one === document.activeElement)); tab += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/shop/checkout');
    await page.getByText('Reserved for you until').waitFor();
    await expectAccessible(page);
    await page.goto(`/event/check-in/${event}`);
    await page.locator('#check-in-code:focus').waitFor();
    await page.keyboard.type('NONE');
    await page.keyboard.press('Enter');
    await page.getByText('No ticket has this code').waitFor();
    await expectAccessible(page);
  });
});
