import { SaleOrder } from '@pergola/sale';
import { createTestApp, expectAccessible, type TestApp, until, withBrowser } from 'pergola/testing';

describe('an order that staff made', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], demo: true });
  });
  afterAll(() => app.close());

  /** Confirmed, and paid in part by hand; with the address its customer has. */
  const makeOrder = async () => {
    const order = await app.write(async (ctx) => {
      const orders = ctx.model(SaleOrder);
      const id = await orders.create({
        partner_id: await ctx.ref('base.demo_delft'),
        order_line: [{ create: { name: 'A garden bench', price_unit: '100', product_uom_qty: '1', tax_id: [] } }],
      });
      await orders.confirm([id]);
      const { access_token } = await orders.get(id, { select: { access_token: true } });
      return { id, path: `/shop/order/${id}/${access_token}` };
    });
    const args = [{ sale_order_id: order.id, amount: 40 }];
    const call = { model: 'payment.transaction', method: 'create', args, kwargs: {} };
    await (await app.as('admin')).rpc('/web/dataset/call_kw', call);
    return order;
  };
  const orderOf = (id: number) =>
    app.read((ctx) =>
      ctx.model(SaleOrder).get(id, {
        select: { payment_state: true, amount_paid: true, amount_refunded: true, amount_open: true },
      }),
    );

  it.each([
    [1280, false, ''],
    [360, true, '/fr'],
  ])(
    'is paid by its link with the keyboard, and refunded in part, %i pixels wide (dark: %s)',
    async (width, dark, lang) => {
      const { id, path } = await makeOrder();
      const customer = await browser.openPage({ width, height: 900, dark, baseUrl: app.url });
      const { page } = customer;
      await page.goto(lang + path);
      expect((await page.locator('[data-slot=progress] h2').first().innerText()).replace(/\s/g, ' ')).toMatch(
        /60[.,]00/,
      );
      await expectAccessible(page);
      // By transfer first; then a card is tried instead, beside where the transfer goes.
      await page.locator('[data-slot=acquirer]:not([data-hidden]) button').press('Enter');
      await page.locator('.pay-bank').waitFor();
      await expectAccessible(page);
      expect(await page.locator('input[name=acquirer]').count()).toBe(1);
      await page.locator('[data-slot=acquirer] button').press('Enter');
      await page.locator('button[value=paid]').press('Enter');
      await page.waitForURL((url) => url.pathname.endsWith(path));
      await page.locator('.pay-head-good').waitFor();
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/paid-${width}.png`, fullPage: true });
      await expectAccessible(page);
      await customer.expectNoTrouble();
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await overflow()).toBeLessThanOrEqual(0);
      expect(await orderOf(id)).toMatchObject({ payment_state: 'paid', amount_paid: 10_000, amount_open: 0 });

      const client = await app.as('admin');
      const desk = await browser.openPage({ width, height: 900, dark, baseUrl: app.url, client });
      await desk.page.goto(`/web/m/sale.order/${id}`);
      await desk.page.getByRole('button', { name: 'Refund', exact: true }).press('Enter');
      const dialog = desk.page.locator('dialog[open]');
      const amount = dialog.locator('[data-field=amount] input');
      await desk.page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('dialog [data-field=amount] input')?.value === '60.00',
      );
      await amount.fill('20');
      await dialog.locator('[data-field=reason] input').fill('A scratch');
      await expectAccessible(desk.page);
      await dialog.getByRole('button', { name: 'Refund', exact: true }).press('Enter');
      await desk.page.locator('dialog').waitFor({ state: 'detached' });
      await until(async () => {
        await app.runJobs();
        return Boolean((await orderOf(id)).amount_refunded);
      });
      await desk.page.locator('[data-field=payment_state]', { hasText: 'Partially refunded' }).waitFor();
      await desk.page.getByRole('tab', { name: 'Payments' }).press('Enter');
      await desk.page.locator('[data-field=money_history]', { hasText: 'A scratch' }).waitFor();
      // The bar that stays covers nothing that has the focus.
      const crumb = await desk.page.evaluate(() => {
        const link = document.querySelector<HTMLElement>('.backend-crumbs a');
        scrollTo(0, 70);
        link?.focus();
        const bars = ['.backend-bar', '.form-bar'].flatMap((name) => document.querySelector(name) ?? []);
        const covering = bars.filter((bar) => !bar.contains(link) && getComputedStyle(bar).position === 'sticky');
        const top = link?.getBoundingClientRect().top ?? -1;
        return { top, covered: Math.max(...covering.map((bar) => bar.getBoundingClientRect().bottom)) };
      });
      expect(crumb.top).toBeGreaterThanOrEqual(crumb.covered);
      if (process.env.SHOTS)
        await desk.page.screenshot({ path: `${process.env.SHOTS}/refunded-${width}.png`, fullPage: true });
      await expectAccessible(desk.page);
      expect(await orderOf(id)).toMatchObject({
        payment_state: 'part_refunded',
        amount_refunded: 2_000,
        amount_open: 0,
      });
      await page.reload();
      expect((await page.locator('[data-slot=order-figures]').innerText()).replace(/\s/g, ' ')).toMatch(/20[.,]00/);
    },
  );
});
