import { createTestApp, expectAccessible, type TestApp, withBrowser } from 'pergola/testing';
import { makeQuote, quoteOf } from './kit.ts';

/** The page of a quotation, and the constants and states of the specification's "Quotation" that a browser shows. */
describe('The page of a quotation in a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    // Mails go nowhere: the outbox keeps them.
    app = await createTestApp({ addons: ['quote'], demo: true });
  });
  afterAll(() => app.close());

  const description = '<h1>Your garden</h1><p>All of it.</p><h2>What we bring</h2><p>Benches.</p>';

  it('changes quantities in place, marks what is missing, and is signed with the mouse', async () => {
    const quote = await makeQuote(app, { website_description: description, validity_date: '2099-01-01' });
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto(quote.path);
    expect(await page.locator('[data-id=sidebar] a').allTextContents()).toEqual([
      'Your garden',
      'What we bring',
      'Pricing',
      'Options',
      'Questions and history',
    ]);
    await expectAccessible(page);
    const row = page.locator(`[data-line-id="${quote.lines[0]}"]`);
    await row.getByRole('button', { name: 'Increase quantity: Garden bench' }).click();
    await page.locator('.js_total', { hasText: '345.00' }).first().waitFor();
    expect(await row.locator('.js_quantity').textContent()).toBe('3');
    await page.locator('.o_website_quote[aria-busy]').waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: 'Accept and sign' })
      .first()
      .click()
      .catch(() => page.locator('[data-accept]').first().click());
    const dialog = page.locator('#modelaccept');
    const submit = dialog.locator('[type=submit]');
    await dialog.locator('canvas').waitFor();
    await page.waitForLoadState('networkidle');
    await submit.click();
    expect(await dialog.locator('.has-error').count()).toBe(2);
    await expectAccessible(page);
    await dialog.getByLabel('Your name').fill('Ada Lovelace');
    // What was put right is no longer marked.
    expect(await dialog.locator('.has-error').count()).toBe(1);
    const box = await dialog.locator('canvas').boundingBox();
    if (!box) throw new Error('There is no canvas.');
    const draw = async (moves: readonly (readonly [number, number])[]): Promise<void> => {
      await page.mouse.move(box.x + 60, box.y + 60);
      await page.mouse.down();
      for (const [x, y] of moves) await page.mouse.move(box.x + 60 + x, box.y + 60 + y, { steps: 4 });
      await page.mouse.up();
    };
    // A touch that moves four pixels is no stroke.
    await draw([[4, 0]]);
    await submit.click();
    expect(await dialog.locator('#drawsign.has-error').count()).toBe(1);
    await draw([
      [60, 30],
      [120, -20],
      [200, 40],
    ]);
    expect(await dialog.locator('.has-error').count()).toBe(0);
    await submit.click();
    await page.waitForURL(/message=3/);
    expect(await page.locator('.alert-success').first().textContent()).toContain('the order is confirmed');
    expect(await quoteOf(app, quote.id)).toMatchObject({ state: 'sale', signer: 'Ada Lovelace' });
    await expectAccessible(page);
    await expectNoTrouble();
  });

  it('leads back with message 4 when somebody was faster', async () => {
    const quote = await makeQuote(app);
    const { page } = await browser.openPage({ width: 360, height: 740, dark: true, baseUrl: app.url });
    await page.goto(quote.path);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await app.visitor().form(`${quote.path}/decline`);
    await page.locator('[data-accept]').first().click();
    const dialog = page.locator('#modelaccept');
    await dialog.getByLabel('Your name').fill('Ada');
    await dialog.getByText('I can’t draw my signature').click();
    await dialog.getByLabel('Use my typed name as my signature').check();
    await page.waitForLoadState('networkidle');
    await dialog.locator('[type=submit]').click();
    await page.waitForURL(/message=4/);
    expect(await page.locator('[role=alert]').first().textContent()).toContain('Something went wrong');
  });

  it('works without JavaScript, in French', async () => {
    const quote = await makeQuote(app, { lang: 'fr_FR' });
    const { page } = await browser.openPage({ width: 360, javaScript: false, locale: 'fr-FR', baseUrl: app.url });
    await page.goto(`/fr${quote.path}`);
    await page.locator(`[data-line-id="${quote.lines[0]}"] .js_update_line_json[data-remove]`).click();
    expect(await page.locator(`[data-line-id="${quote.lines[0]}"] .js_quantity`).textContent()).toBe('1');
    await page.locator('[data-slot=quote-options] button').click();
    expect((await quoteOf(app, quote.id)).order_line).toHaveLength(3);
    await page.locator('#quote-comment').fill('Bonjour');
    await page.locator('[data-slot=quote-comment] button').click();
    expect(await page.locator('[data-slot=quote-history]').textContent()).toContain('Bonjour');
    await page.locator('#quote-signer-plain').fill('Ada');
    await page.locator('#quote-typed').check();
    await page.locator('[data-slot=quote-accept-form] button').click();
    expect(page.url()).toContain('message=3');
    expect(await quoteOf(app, quote.id)).toMatchObject({ state: 'sale', signer: 'Ada' });
  });
});
