import { createTestApp, expectAccessible, type TestApp, withBrowser } from '#core/testing';
import { allSnippets, makePage } from '../../snippets/tests/kit.ts';

const browser = withBrowser();

describe('an editor makes a page their own', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], demo: true });
    const snippets = await allSnippets(app);
    const parts = ['split', 'two_columns', 'table', 'tabs'].map((name) => snippets.get(`website.${name}`) ?? '');
    await makePage(app, '/made', `<h1>Made</h1>${parts.join('\n')}`);
  }, 280_000);
  afterAll(() => app?.close());

  it('with grounds, edges, widths, pictures, words and tables, all of which is kept', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url, width: 1280 });
    await page.goto('/web/login');
    await page.fill('#login', 'editor');
    await page.fill('#password', 'editor');
    await page.press('#password', 'Enter');
    await page.waitForURL((url) => !url.pathname.includes('login'));
    await page.goto('/made?enable_editor=1');
    await page.locator('.ed-bar').waitFor({ timeout: 60_000 });
    await page.locator('[data-name="website.split"] h2').click();
    await page.getByRole('tab', { name: 'Options' }).click();
    await expectAccessible(page, { include: ['.ed-panel'] });
    const section = page.locator('.ed-part').last();
    await section.locator('summary').click();
    await section.getByTitle('Main colour').click();
    await section.getByLabel('Lower edge').selectOption('Wave');
    const edge = page.getByRole('slider', { name: 'Width of the column' });
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[data-name="website.split"] img').click();
    await page.getByLabel('Filter').selectOption('Sepia');
    await page.getByLabel('Leads to').fill('/contactus');
    await page.keyboard.press('Enter');
    await page.locator('[data-name="website.two_columns"] p').first().click();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar').getByLabel('Colour of the text').selectOption('Red');
    await page.locator('[data-name="website.table"] td').first().click();
    await page.getByRole('button', { name: 'Row below' }).click();
    await page.locator('[data-name="website.tabs"] summary').first().click();
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.ed-bar').waitFor({ state: 'detached' });
    const { text } = await app.visitor().get('/made');
    expect(text).toMatch(/<section class="s_split o-ground-main o-bottom-wave"/);
    expect(text).toContain('s_split_text col-12 col-md-5');
    expect(text).toMatch(/<a href="\/contactus"><img class="s_split_picture o-filter-sepia"/);
    expect(text).toContain('<span class="o-ink-danger">');
    expect(text.match(/<tr>/g)).toHaveLength(4);
  }, 280_000);
});
