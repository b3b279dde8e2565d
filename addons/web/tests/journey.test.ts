import { createTestApp, expectAccessible, type TestApp, withBrowser } from '#core/testing';
import { makeUser, PASSWORD } from './kit.ts';

const browser = withBrowser();
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ addons: ['web', 'fx_hello', 'fx_host', 'fx_shared_columns'] });
  await makeUser(app, 'ada', { groups: ['base.group_system'] });
  await makeUser(app, 'camille', { groups: ['base.group_system'], lang: 'fr_FR' });
}, 120_000);
afterAll(() => app.close());

const looks = [
  {
    login: 'ada',
    width: 1280,
    dark: false,
    javaScript: true,
    words: ['My account', 'Apps', 'Disable', 'Enable', 'is disabled'],
  },
  {
    login: 'ada',
    width: 360,
    dark: true,
    javaScript: false,
    words: ['My account', 'Apps', 'Disable', 'Enable', 'is disabled'],
  },
  {
    login: 'camille',
    width: 360,
    dark: false,
    javaScript: true,
    words: ['Mon compte', 'Applications', 'Désactiver', 'Activer', 'est désactivé'],
  },
  {
    login: 'camille',
    width: 1280,
    dark: true,
    javaScript: true,
    words: ['Mon compte', 'Applications', 'Désactiver', 'Activer', 'est désactivé'],
  },
] as const;

it.each(looks)(
  '$login signs in, sees the account, and switches an app off and on ($width px, dark: $dark, scripts: $javaScript)',
  async (look) => {
    const { login, words, ...options } = look;
    const [account, apps, disable, enable, disabled] = words;
    const { page, expectNoTrouble } = await browser.openPage({ ...options, reducedMotion: true, baseUrl: app.url });
    const check = async (): Promise<void> => {
      await expectNoTrouble();
      // Axe is a script.
      if (options.javaScript) await expectAccessible(page);
    };

    await page.goto('/web/account');
    await page.waitForURL('**/web/login?redirect=*');
    await check();
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/web/account');
    await page.getByRole('heading', { level: 1, name: account }).waitFor();
    await check();

    await page.getByText(`Name of ${login}`).first().click();
    await check();
    await page.locator('[data-slot="user-menu-backend"] a').click();
    await page.getByRole('heading', { level: 1, name: apps }).waitFor();
    await check();
    const card = page.locator('[data-app="fx_hello"]');
    await card.getByRole('link', { name: disable }).click();
    await page.waitForURL('**/web/apps/fx_hello/disable');
    await check();
    await page.getByRole('button', { name: disable, exact: true }).click();
    await page.getByRole('status').getByText(disabled).waitFor();
    await check();
    expect((await fetch(`${app.url}/fx/hello`)).status).toBe(404);
    await card.getByRole('link', { name: enable }).click();
    await page.getByRole('button', { name: enable, exact: true }).click();
    await page.waitForURL('**/web/apps?done=enable*');
    expect((await fetch(`${app.url}/fx/hello`)).status).toBe(200);

    await page.goto('/web/apps/fx_host/uninstall');
    await check();
    await page.goto('/web/logout');
    await page.locator('main button').click();
    await page.waitForURL('**/web/login?redirect=*');
  },
  120_000,
);

it.each([
  [1280, false],
  [360, true],
])(
  'the pages for visitors are accessible (%s px, dark: %s)',
  async (width, dark) => {
    const { page, expectNoTrouble } = await browser.openPage({ width, dark, baseUrl: app.url });
    for (const path of ['/web/signup', '/web/reset_password?sent=1', '/web/logout']) {
      await page.goto(path);
      await expectNoTrouble();
      await expectAccessible(page);
    }
    // A refusal is an answer that the browser notes as a failure.
    await page.goto('/web/signup');
    await page.locator('form[action="/web/signup"]').evaluate((form) => form.setAttribute('novalidate', ''));
    await page.locator('main button').click();
    expect(await page.locator('.is-invalid').count()).toBe(2);
    await expectAccessible(page);
    await page.goto('/no/such/page');
    await expectAccessible(page);
  },
  60_000,
);

it('everything can be reached by keyboard, the content first', async () => {
  const { page } = await browser.openPage({ baseUrl: app.url });
  await page.goto('/web/login');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip-link');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('login');
});
