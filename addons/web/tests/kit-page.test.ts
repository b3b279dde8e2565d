import { createTestApp, expectAccessible, type TestApp, withBrowser } from 'pergola/testing';

describe('The page of the kit', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'], dev: true });
  });
  afterAll(() => app?.close());

  const open = async (look: { width?: number; dark?: boolean } = {}) => {
    const opened = await browser.openPage({ height: 800, baseUrl: app.url, ...look });
    // Suppresses the automatic reload of `pergola dev`.
    await opened.page.route('**/_dev/client.js', (request) =>
      request.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await opened.page.goto('/web/kit');
    // Waits until React has hydrated the server-rendered HTML.
    await opened.page.waitForFunction(() =>
      Object.keys(document.querySelector('[data-part=Combobox] input') ?? {}).some((key) => key.startsWith('__react')),
    );
    return opened;
  };

  it.each([
    [360, false],
    [360, true],
    [1280, false],
    [1280, true],
  ])('is accessible in all its states and as wide as its window, %i pixels wide (dark: %s)', async (width, dark) => {
    const { page, expectNoTrouble } = await open({ width, dark });
    const part = (name: string) => page.locator(`[data-part=${name}]`);
    await expectAccessible(page);
    await part('Combobox').getByRole('combobox').fill('a');
    await part('Combobox').getByRole('option').first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await part('notify').getByRole('button').last().click();
    await page.locator('.toast-note').waitFor();
    for (const button of await part('Dialog').getByRole('button').all()) {
      await button.click();
      await page.locator('dialog[open]').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
    const { overflow, busy, pager } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      busy: document.querySelector('[data-part=BusyButton] [aria-busy] span')?.clientWidth ?? 0,
      pager: document.querySelector('[data-part=Pager] ul')?.clientHeight ?? 0,
    }));
    expect(overflow).toBe(0);
    // The busy state is visible, and the pager fits on one line.
    expect(busy).toBeGreaterThan(0);
    expect(pager).toBeLessThan(60);
    await expectNoTrouble();
  });

  it('is used by keyboard from its first part to its last', async () => {
    const { page, expectNoTrouble } = await open({ width: 1280 });
    const part = (name: string) => page.locator(`[data-part=${name}]`);
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[data-part]')?.getAttribute('data-part') ?? null);
    await part('Field').locator('input').first().focus();
    const walked: string[] = [];
    for (let at = await focused(); at !== null; at = await focused()) {
      if (walked.at(-1) !== at) walked.push(at);
      const isSeen = await page.evaluate(() => {
        const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement as Element);
        return outlineStyle !== 'none' || boxShadow !== 'none';
      });
      expect([at, isSeen]).toEqual([at, true]);
      await page.keyboard.press('Tab');
    }
    expect(walked).toEqual(['Field', 'Quantity', 'Pager', 'BusyButton', 'Combobox', 'TagInput', 'Dialog', 'notify']);

    await part('Quantity')
      .getByRole('link', { name: 'Increase' })
      .or(part('Quantity').getByRole('button', { name: 'Increase' }))
      .press('Enter');
    expect(await part('Quantity').getByRole('textbox').or(part('Quantity').getByRole('spinbutton')).inputValue()).toBe(
      '3',
    );
    await part('Pager').getByLabel('Next page').press('Enter');
    expect(await part('Pager').locator('[aria-current=page]').textContent()).toBe('5');
    const fruit = part('Combobox').getByRole('combobox');
    await fruit.fill('apr');
    await part('Combobox').getByRole('option', { name: 'apricot' }).waitFor();
    // The previous suggestions disappear first.
    await part('Combobox').getByRole('option', { name: 'apple' }).waitFor({ state: 'detached' });
    await fruit.press('ArrowDown');
    await part('Combobox').getByRole('option', { name: 'apricot', selected: true }).waitFor();
    await fruit.press('Enter');
    // React updates this in the effects of the key press, a moment later.
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-part=Combobox] [role=combobox]')?.value === 'apricot',
    );
    await part('TagInput').getByRole('combobox').pressSequentially('pear ');
    await part('TagInput').getByText('pear', { exact: true }).waitFor();

    const [openWindow, , ask] = await part('Dialog').getByRole('button').all();
    await openWindow?.press('Enter');
    const field = page.locator('dialog[open] input');
    await field.waitFor();
    // The dialog's content gets the focus before its close button.
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await openWindow?.evaluate((element) => element === document.activeElement)).toBe(true);
    await ask?.press('Enter');
    await field.waitFor();
    await page.keyboard.type('Ann');
    await page.keyboard.press('Enter');
    await page.locator('.toast-note', { hasText: 'Ann' }).waitFor();
    await expectNoTrouble();
  });
});
