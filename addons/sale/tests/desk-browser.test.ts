import { createTestApp, expectAccessible, type TestApp, withBrowser } from '#core/testing';

describe('an order in the backend', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], demo: true });
  }, 120_000);
  afterAll(() => app.close());

  it.each([
    [1280, false],
    [360, true],
  ])('goes from nothing to paid in a few clicks, %i pixels wide (dark: %s)', async (width, dark) => {
    const client = await app.as('admin');
    const { page, expectNoTrouble } = await browser.openPage({ width, height: 900, dark, baseUrl: app.url, client });
    const choose = async (name: RegExp, text: string): Promise<void> => {
      const field = page.getByRole('combobox', { name });
      await field.fill(text);
      await page
        .getByRole('option', { name: new RegExp(text) })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
    };
    let clicks = 0;
    const click = async (name: string | RegExp, within = page.locator('body')): Promise<void> => {
      clicks += 1;
      await within.getByRole('button', { name, exact: true }).click();
    };
    await page.goto('/web/m/sale.order/new');
    await choose(/Customer/, 'Delft');
    await click(/Add a line/);
    await choose(/Product, line 1/, 'Building');
    // Nothing is saved yet, and all of it is there.
    await page.locator('[data-field=amount_total]', { hasText: '3,480.00' }).waitFor();
    await page.getByRole('textbox', { name: /Quantity, line 1/ }).fill('2');
    await page.locator('[data-field=amount_total]', { hasText: '6,960.00' }).waitFor();
    await click('Save');
    await click('Confirm');
    // What was agreed on is no longer typed over.
    await page.locator('[data-field=partner_id] [data-slot=value]', { hasText: 'Delft' }).waitFor();
    expect(await page.getByRole('combobox', { name: /Customer/ }).count()).toBe(0);
    await click('Register payment');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('dialog [data-field=amount] input')?.value === '6960',
    );
    await expectAccessible(page);
    await click('Register payment', page.locator('dialog'));
    await page.locator('[data-field=payment_state]', { hasText: /Paid/ }).waitFor();
    await page.locator('dialog').waitFor({ state: 'detached' });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/desk-${width}.png`, fullPage: true });
    await expectAccessible(page);
    await expectNoTrouble({ layoutShift: 0.1 });
    expect(clicks).toBeLessThan(12);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
