import { Partner } from '@pergola/base';
import type { Id } from 'pergola';
import {
  createTestApp,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  type TestApp,
  withBrowser,
} from 'pergola/testing';
import type { Locator } from 'playwright-core';
import { makeUser, PASSWORD } from './kit.ts';

const browser = withBrowser();
let app: TestApp;
let contact: Id;

beforeAll(async () => {
  app = await createTestApp({ addons: ['mail', 'fx_hello', 'fx_host', 'fx_shared_columns'] });
  await makeUser(app, 'ada', { groups: ['base.group_system'] });
  await makeUser(app, 'camille', { groups: ['base.group_system'], lang: 'fr_FR' });
  await makeUser(app, 'emil', { groups: ['base.group_user'] });
  contact = await app.write((ctx) =>
    ctx.model(Partner).create({ name: 'Garden Club', city: 'Paris', is_company: true }),
  );
});
afterAll(() => app.close());

/** Opens a page that requires signing in, signs in, and waits for the requested page. */
async function signedIn(login: string, path: string, options: PageOptions = {}): Promise<OpenPage> {
  const opened = await browser.openPage({ reducedMotion: true, baseUrl: app.url, ...options });
  const { page } = opened;
  await page.goto(path);
  await page.waitForURL('**/web/login?redirect=*');
  await page.locator('#login').fill(login);
  await page.locator('#password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
  return opened;
}

/** Contrast ratio of an icon to its background; WCAG requires 3. */
function contrastOf(sign: Locator): Promise<number> {
  return sign.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    const pen = document.createElement('canvas').getContext('2d');
    const light = [color, backgroundColor].map((wanted) => {
      if (!pen) return 0;
      pen.fillStyle = wanted;
      pen.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((part) =>
        part > 10 ? ((part / 255 + 0.055) / 1.055) ** 2.4 : part / 3294.6,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    });
    return Math.max(...light) / Math.min(...light);
  });
}

/** Simulates a visitor who keeps reading; `stop` returns the statuses received. */
function visitor(): { stop(): Promise<ReadonlySet<number>> } {
  const seen = new Set<number>();
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      for (const path of ['/fx/hello', '/web/login']) seen.add((await fetch(`${app.url}${path}`)).status);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await reading;
      return seen;
    },
  };
}

const looks = [
  { login: 'ada', width: 1280, dark: false, words: ['Apps', 'Disable', 'Enable', 'is disabled'] },
  { login: 'camille', width: 360, dark: true, words: ['Applications', 'Désactiver', 'Activer', 'est désactivé'] },
] as const;

it.each(looks)(
  '$login switches an app off and on while a visitor reads ($width px, dark: $dark)',
  async ({ login, words, ...options }) => {
    const [apps, disable, enable, disabled] = words;
    const { page, expectNoTrouble, close } = await signedIn(login, '/web/apps', options);
    await page.getByRole('heading', { level: 1, name: apps }).waitFor();
    await expectAccessible(page);
    const reader = visitor();
    const card = page.locator('[data-app="fx_hello"]');
    await card.getByRole('link', { name: disable }).click();
    await page.locator('[data-slot="app-plan"]').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: disable, exact: true }).click();
    await page.getByRole('status').getByText(disabled).waitFor();
    expect((await fetch(`${app.url}/fx/hello`)).status).toBe(404);
    // The plan delivered with its page isn't calculated again.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/web/apps/fx_hello/enable');
    await page.getByRole('button', { name: enable, exact: true }).waitFor();
    expect(asked.filter((path) => path.includes('/apps/plan'))).toEqual([]);
    await page.getByRole('button', { name: enable, exact: true }).click();
    await card.getByRole('link', { name: disable }).waitFor();
    // Visitors received either the page or a 404 in the meantime.
    expect([...(await reader.stop())].sort()).toEqual([200, 404]);
    await page.goto('/web/apps/history');
    await page.locator('[data-slot="apps-history"] li').first().waitFor();
    await expectAccessible(page);
    await page.goto('/web/apps/fx_host/uninstall');
    await page.locator('[data-slot="app-plan"]').waitFor();
    await expectAccessible(page);
    await expectNoTrouble({ layoutShift: 0.1 });
    await close();
  },
);

it('the Apps work without scripts', async () => {
  const { page } = await signedIn('ada', '/web/apps', { javaScript: false });
  const card = page.locator('[data-app="fx_hello"]');
  await card.getByRole('link', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByRole('status').getByText('is disabled').waitFor();
  await card.getByRole('link', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.waitForURL('**/web/apps?done=enable*');
  expect((await fetch(`${app.url}/fx/hello`)).status).toBe(200);
});

it('from the first sign-in to a saved form: faults beside their fields, a note, a value put back', async () => {
  const { page, expectNoTrouble, close } = await signedIn('ada', `/web/m/res.partner/${contact}`);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByRole('heading', { level: 1, name: 'Garden Club' }).waitFor();
  await expectAccessible(page);
  await field('Name').fill('');
  await field('Email').fill('nonsense');
  await save.click();
  await page.locator('[data-field="name"] .form-fault').waitFor();
  await field('Name').fill('Gardeners');
  await save.click();
  await page.locator('[data-field="email"] .form-fault').waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toContain('email');
  await expectAccessible(page);
  await field('Email').fill('club@example.com');
  await page.getByRole('button', { name: 'Add a line' }).click();
  await page.getByRole('textbox', { name: 'Name, line 1' }).fill('Ada');
  // By keyboard.
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Gardeners' }).waitFor();
  const [row] = await app.read((ctx) =>
    ctx.model(Partner).read([contact], { select: { name: true, email: true, child_ids: { name: true } } }),
  );
  expect(row).toMatchObject({ name: 'Gardeners', email: 'club@example.com', child_ids: [{ name: 'Ada' }] });
  // Unsaved changes aren't lost by mistake.
  await field('City').fill('Lyon');
  await page.locator('.backend-crumbs a').first().click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await field('City').inputValue()).toBe('Paris');
  await page.getByPlaceholder('Only colleagues see it.').fill('Call back');
  await page.getByRole('button', { name: 'Log note' }).click();
  await page.locator('[data-slot="note"]').getByText('Call back').waitFor();
  await page.getByRole('button', { name: 'Revert Name' }).click();
  await page.getByRole('button', { name: 'Revert', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Garden Club' }).waitFor();
  const more = page.getByRole('button', { name: 'More', exact: true });
  await more.click();
  expect(await contrastOf(more)).toBeGreaterThan(3);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByText('Contact: 1').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  // Administrators reach the audit trail in one step.
  await more.click();
  await page.getByRole('button', { name: 'Audit log' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await page
    .getByRole('button', { name: /Garden Club/ })
    .first()
    .waitFor();
  await expectNoTrouble({ layoutShift: 0.1 });
  await close();
});

it('of two who change the same field, the second sees both values and loses nothing', async () => {
  const id = await app.write((ctx) => ctx.model(Partner).create({ name: 'Both', city: 'Paris', phone: '1' }));
  const first = await signedIn('ada', `/web/m/res.partner/${id}`);
  await first.page.getByRole('textbox', { name: 'City', exact: true }).fill('Lyon');
  await first.page.getByRole('textbox', { name: 'Phone', exact: true }).fill('2');
  const admin = await app.as('admin');
  await admin.rpc('/web/dataset/call_kw', {
    model: 'res.partner',
    method: 'write',
    args: [[id], { city: 'Rome' }],
    kwargs: {},
  });
  await first.page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = first.page.getByRole('dialog');
  await dialog.getByText('Rome').waitFor();
  await dialog.getByText('Lyon').waitFor();
  await expectAccessible(first.page);
  await dialog.getByRole('radio', { name: 'Your version' }).check();
  await dialog.getByRole('button', { name: 'Save my choices' }).click();
  await first.page.getByText('Saved.').waitFor();
  const [row] = await app.read((ctx) => ctx.model(Partner).read([id], { select: { city: true, phone: true } }));
  expect(row).toMatchObject({ city: 'Lyon', phone: '2' });
  await first.close();
});

it.each([
  { login: 'ada', width: 1280, dark: false },
  { login: 'camille', width: 360, dark: true },
])('a change is undone by keyboard ($login, $width px, dark: $dark)', async ({ login, ...look }) => {
  const admin = await app.as(login);
  const write = (name: string) =>
    admin.rpc('/web/dataset/call_kw', {
      model: 'res.partner',
      method: 'write',
      args: [[contact], { comment: name }],
      kwargs: {},
    });
  await write('First');
  await write('Second');
  const { page, expectNoTrouble, close } = await signedIn(login, '/web/settings/changes', look);
  await page.locator('.settings-table button').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const [row] = await app.read((ctx) => ctx.model(Partner).read([contact], { select: { comment: true } }));
  expect(row?.comment).toBe('First');
  await expectAccessible(page);
  // The message after archiving offers to undo it.
  await page.goto(`/web/m/res.partner/${contact}`);
  await page.locator('[data-slot="form-menu"] > button').press('Enter');
  await page.getByRole('button', { name: /^Archiver?$/ }).press('Enter');
  await page.locator('.toasts button').focus();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.locator('.toasts .toast-note:not(:has(button))').waitFor();
  const [restored] = await app.read((ctx) => ctx.model(Partner).read([contact], { select: { active: true } }));
  expect(restored?.active).toBe(true);
  await expectNoTrouble({ layoutShift: 0.1 });
  await close();
});

it.each([
  { login: 'ada', width: 1280, dark: false },
  { login: 'camille', width: 360, dark: true },
])('the settings are accessible and without trouble ($login, $width px, dark: $dark)', async ({ login, ...look }) => {
  const { page, expectNoTrouble, close } = await signedIn(login, '/web/settings', look);
  for (const name of ['', '/rights', '/translations', '/mails', '/jobs', '/changes', '/sessions', '/health']) {
    await page.goto(`/web/settings${name}`);
    await page.locator('.settings-main h1').waitFor();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page);
    // Nothing exceeds the window's width.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  }
  await page.goto(`/web/m/res.partner/${contact}`);
  await page.locator('[data-slot="chatter"] .chatter-composer').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expectNoTrouble({ layoutShift: 0.1 });
  await close();
});

it('why somebody may not do something is explained, and an employee has no settings', async () => {
  const { page, close } = await signedIn('ada', '/web/settings/rights');
  await page.getByRole('combobox', { name: 'User' }).fill('Name of emil');
  await page.getByRole('option', { name: 'Name of emil' }).click();
  await page.getByRole('combobox', { name: 'Action' }).selectOption('write');
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('No, this is not allowed.').waitFor();
  await expectAccessible(page);
  await close();
  const other = await signedIn('emil', `/web/m/res.partner/${contact}`);
  await other.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await other.page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  expect((await other.page.goto('/web/settings'))?.status()).toBe(404);
  await other.close();
});

it.each([
  [1280, false],
  [360, true],
])('the pages for visitors are accessible (%s px, dark: %s)', async (width, dark) => {
  const { page, expectNoTrouble } = await browser.openPage({ width, dark, baseUrl: app.url });
  for (const path of ['/web/signup', '/web/reset_password?sent=1', '/web/logout']) {
    await page.goto(path);
    await expectNoTrouble();
    await expectAccessible(page);
  }
  // Missing values are marked, by the page or by the server.
  await page.goto('/web/signup');
  await page.locator('main button').click();
  await page.locator('.is-invalid').nth(1).waitFor();
  await expectAccessible(page);
  await page.goto('/no/such/page');
  await expectAccessible(page);
});

it('everything can be reached by keyboard, the content first', async () => {
  const { page } = await browser.openPage({ baseUrl: app.url });
  await page.goto('/web/login');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip-link');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('login');
});
