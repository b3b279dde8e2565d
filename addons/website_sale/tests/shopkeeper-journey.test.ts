import { PaymentTransaction, ProductProduct, ProductTemplate, SaleOrder } from '@pergola/sale';
import type { Id } from 'pergola';
import { createTestApp, expectAccessible, type TestApp, until, withBrowser } from 'pergola/testing';
import { ShopTemplate } from '../models/product-template.ts';

describe('a shopkeeper', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], demo: true });
  });
  afterAll(() => app.close());

  const shot = async (page: { screenshot(options: object): Promise<unknown> }, name: string): Promise<void> => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
  };
  const sizes = [
    { width: 1280, dark: false, lang: 'en_US' },
    { width: 360, dark: true, lang: 'fr_FR' },
  ] as const;
  const openDesk = async ({ width, dark, lang }: (typeof sizes)[number]) => {
    await app.write(async (ctx) => {
      const [admin = 0] = await ctx.modelNamed('res.users').search([['login', '=', 'admin']]);
      await ctx.modelNamed('res.users').write(admin, { lang });
    });
    return browser.openPage({ width, height: 900, dark, baseUrl: app.url, client: await app.as('admin') });
  };
  /** A quotation with a line at the shop's price of 100, and one included at 0.00; the shop asks 120 by now. */
  const makeQuotation = () =>
    app.write(async (ctx) => {
      const template = await ctx.model(ProductTemplate).create({ name: 'Bench', list_price: '100' });
      const [bench = 0] = await ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]]);
      const id = await ctx.model(SaleOrder).create({
        partner_id: await ctx.ref('base.demo_delft'),
        order_line: [
          { create: { product_id: bench } },
          { create: { product_id: bench, price_unit: '0', name: 'Bench, included' } },
        ],
      });
      await ctx.model(ProductTemplate).write(template, { list_price: '120' });
      return id;
    });
  const pricesOf = (id: Id) =>
    app.read(async (ctx) => {
      const { order_line } = await ctx.model(SaleOrder).get(id, { select: { order_line: { price_unit: true } } });
      return order_line.map(({ price_unit }) => price_unit);
    });

  it.each(sizes)('updates prices by keyboard and keeps what was set by hand ($width px, $lang)', async (size) => {
    const id = await makeQuotation();
    const { page, expectNoTrouble } = await openDesk(size);
    await page.goto(`/web/m/sale.order/${id}`);
    await page
      .getByRole('button', { name: size.lang === 'fr_FR' ? 'Actualiser les prix' : 'Update prices' })
      .press('Enter');
    const rows = page.locator('[data-slot=review] tbody tr');
    await rows.first().waitFor();
    expect(
      await rows.locator('input').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked)),
    ).toEqual([true, false]);
    expect(await page.evaluate(() => document.activeElement?.matches('[data-slot=review] tbody input'))).toBe(true);
    await expectAccessible(page);
    await shot(page, `prices-${size.width}`);
    expect(await pricesOf(id)).toEqual(['100', '0']);
    // The second line too, and then not after all.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.locator('[data-slot=review] dd', { hasText: /240/ }).waitFor();
    await page.keyboard.press('Space');
    await page.locator('[data-slot=review] dd', { hasText: /120/ }).waitFor();
    const overflow = await page.evaluate(() => {
      const dialog = document.querySelector('dialog[open]');
      return (dialog?.scrollWidth ?? 0) - (dialog?.clientWidth ?? 0);
    });
    expect(overflow).toBeLessThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.locator('[data-slot=review]').waitFor({ state: 'detached' });
    expect(await pricesOf(id)).toEqual(['120', '0']);
    await expectNoTrouble({ layoutShift: 0.1 });
  });

  it.each(sizes)('is asked before a product goes out without a tax ($width px, $lang)', async (size) => {
    const french = size.lang === 'fr_FR';
    const id = await app.write((ctx) =>
      ctx.model(ShopTemplate).create({ name: 'Untaxed lamp', list_price: '10', taxes_id: [] }),
    );
    const isPublished = () =>
      app.read(
        async (ctx) =>
          (await ctx.model(ShopTemplate).get(id, { select: { website_published: true } })).website_published,
      );
    const { page, expectNoTrouble } = await openDesk(size);
    const yes = french ? 'Publier sans taxe' : 'Publish without tax';
    const no = french ? 'Retour' : 'Go back';
    const answer = async (name: string) => {
      const dialog = page.locator('dialog[open]', { hasText: 'Untaxed lamp' });
      await dialog.waitFor();
      await expectAccessible(page);
      await shot(page, `untaxed-${size.width}`);
      await dialog.getByRole('button', { name, exact: true }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
    };
    // In the form.
    await page.goto(`/web/m/product.template/${id}?menu=sale.menu_products`);
    await page.getByRole('tab', { name: french ? 'Boutique' : 'Shop' }).click();
    await page.locator('[data-field=website_published] input').check();
    await page.keyboard.press('Control+s');
    await answer(no);
    expect(await isPublished()).toBe(false);
    await page.locator('.form-bar-tools [type=submit]:enabled').waitFor();
    await page.keyboard.press('Control+s');
    await answer(yes);
    await until(isPublished);
    // On its page.
    await app.write((ctx) => ctx.model(ShopTemplate).write(id, { website_published: false }));
    await page.goto(`${french ? '/fr' : ''}/shop/product/untaxed-lamp-${id}`);
    await page.locator('.css_unpublished .js_publish_btn').press('Enter');
    await answer(no);
    expect(await isPublished()).toBe(false);
    await page.locator('.css_unpublished .js_publish_btn').press('Enter');
    await answer(yes);
    await page.locator('.css_published').waitFor();
    expect(await isPublished()).toBe(true);
    await expectNoTrouble({ layoutShift: 0.1 });
  });

  it.each(sizes)(
    'finds refunds to transfer on the first page, and marks them in their list ($width px, $lang)',
    async (size) => {
      const french = size.lang === 'fr_FR';
      const { id, path } = await app.write(async (ctx) => {
        const orders = ctx.model(SaleOrder);
        const id = await orders.create({
          partner_id: await ctx.ref('base.demo_delft'),
          order_line: [{ create: { name: 'A garden bench', price_unit: '42', tax_id: [] } }],
        });
        await orders.confirm([id]);
        const { access_token } = await orders.get(id, { select: { access_token: true } });
        return { id, path: `${french ? '/fr' : ''}/shop/order/${id}/${access_token}` };
      });
      const admin = await app.as('admin');
      const call = (model: string, method: string, args: unknown[]) =>
        admin.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });
      await call('payment.transaction', 'create', [{ sale_order_id: id }]);
      const { page, expectNoTrouble } = await openDesk(size);
      await page.goto('/web');
      await page.locator('[data-widget="sale.orders"]').waitFor();
      expect(await page.locator('[data-widget="sale.refunds"]').count()).toBe(0);
      await call('sale.cancellation', 'create', [{ order_id: id, refund: true }]);
      await page.goto(`/web/m/sale.order/${id}`);
      await page
        .locator('[data-field=payment_state]', { hasText: french ? 'Remboursement dû' : 'Refund due' })
        .waitFor();
      await page.locator('[data-field=amount_refund_due]', { hasText: /42[.,]00/ }).waitFor();
      await shot(page, `due-${size.width}`);
      await page.goto(path);
      await page
        .locator('main', { hasText: french ? /Nous vous virerons 42,00\s€/ : /We’ll transfer 42\.00\s€ to you/ })
        .waitFor();
      await expectAccessible(page);
      await shot(page, `customer-${size.width}`);
      await page.goto('/web');
      const task = page.locator('[data-widget="sale.refunds"]');
      await task.filter({ hasText: /42[.,]00/ }).waitFor();
      await shot(page, `home-${size.width}`);
      await task.locator('a').first().press('Enter');
      await page.locator('[data-slot=bulk], .backend-table, [data-slot=list]').first().waitFor();
      await page.getByRole('checkbox').last().check();
      const mark = french ? 'Marquer comme remboursé' : 'Mark as refunded';
      await page.locator('[data-slot=bulk]').getByRole('button', { name: mark }).press('Enter');
      await shot(page, `mark-${size.width}`);
      await page.getByRole('dialog').getByRole('button', { name: mark }).press('Enter');
      await page.locator('[data-slot=bulk]').waitFor({ state: 'detached' });
      const { payment_state } = await app.read((ctx) =>
        ctx.model(SaleOrder).get(id, { select: { payment_state: true } }),
      );
      expect(payment_state).toBe('refunded');
      await page.goto('/web');
      await page.locator('[data-widget="sale.orders"]').waitFor();
      expect(await page.locator('[data-widget="sale.refunds"]').count()).toBe(0);
      expect(await app.read((ctx) => ctx.model(PaymentTransaction).count([['sale_order_id', '=', id]]))).toBe(1);
      await expectNoTrouble({ layoutShift: 0.1 });
    },
  );
});
