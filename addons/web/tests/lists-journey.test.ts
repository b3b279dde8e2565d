import { Partner } from '@pergola/base';
import {
  createTestApp,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  slowdown,
  type TestApp,
  withBrowser,
} from 'pergola/testing';
import type { Page } from 'playwright-core';
import { makeUser, PASSWORD } from './kit.ts';

const browser = withBrowser();
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ addons: ['web'] });
  await makeUser(app, 'ada', { groups: ['base.group_system'] });
  await makeUser(app, 'camille', { groups: ['base.group_system'], lang: 'fr_FR' });
  await makeUser(app, 'emil', { groups: ['base.group_partner_manager'] });
  await app.write((ctx) =>
    ctx.model(Partner).create(
      Array.from({ length: 200 }, (_, index) => ({
        name: `Member ${String(index).padStart(3, '0')}`,
        email: `member${index}@club.example`,
        city: index % 2 === 0 ? 'Paris' : 'Lyon',
      })),
    ),
  );
});
afterAll(() => app.close());

async function signedIn(login: string, path: string, options: PageOptions = {}): Promise<OpenPage> {
  const opened = await browser.openPage({ reducedMotion: true, baseUrl: app.url, ...options });
  const { page } = opened;
  await page.goto(`/web/login?redirect=${encodeURIComponent(path)}`);
  await page.locator('#login').fill(login);
  await page.locator('#password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
  return opened;
}

const slot = (page: Page, name: string) => page.locator(`[data-slot=${name}]`);
const rows = (page: Page) => page.locator('[data-slot=table] tbody tr[data-id]');
const count = (page: Page) => slot(page, 'count').textContent();
/** Horizontal overflow of the page, which must be zero. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

async function search(page: Page, text: string): Promise<void> {
  await slot(page, 'search').locator('input[type=search]').fill(text);
  await page.keyboard.press('Enter');
  await page.locator('[data-slot=chips] li', { hasText: text }).waitFor();
}

/** Measures the slowest interaction (INP) in milliseconds; 8 if all were too fast to be recorded. Throws if there was no interaction. */
async function watchAnswers(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const answers = { slowest: 8, count: 0 };
    Object.assign(globalThis, { answers });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[]) {
        if (!entry.interactionId && entry.entryType === 'event') continue;
        answers.count++;
        answers.slowest = Math.max(answers.slowest, entry.duration);
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  return async () => {
    const { count, slowest } = await page.evaluate(
      () =>
        new Promise<{ count: number; slowest: number }>((resolve) =>
          // The last interaction is recorded once it is painted.
          requestAnimationFrame(() => setTimeout(() => resolve(Reflect.get(globalThis, 'answers')), 100)),
        ),
    );
    if (count === 0) throw new Error('Nothing was done to the page.');
    return slowest;
  };
}

it('From the first sign-in to a list, a saved view and a record, by mouse and by keyboard', async () => {
  const { page, expectNoTrouble } = await signedIn('ada', '/web');
  await page.getByRole('heading', { name: 'Hello Name of ada' }).waitFor();
  await expectAccessible(page);
  await slot(page, 'home').getByRole('link', { name: 'Contacts' }).click();
  await rows(page).first().waitFor();
  expect(await page.title()).toContain('Contacts');
  await expectAccessible(page);
  // Filters are stored in the address and restored from it.
  await search(page, 'Member 01');
  await page.waitForFunction(() => document.querySelector('[data-slot=count]')?.textContent?.startsWith('10 '));
  await page.getByRole('button', { name: 'Group' }).click();
  await slot(page, 'group-by').getByRole('combobox').selectOption('city');
  await page.keyboard.press('Escape');
  await page.locator('tr[data-group=Lyon] button').click();
  await rows(page).first().waitFor();
  expect(await rows(page).count()).toBe(5);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'Save current view…' }).click();
  await expectAccessible(page);
  await page.getByLabel('Name', { exact: true }).fill('Few by city');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Few by city' }).waitFor();
  // Ctrl+K finds records.
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Menus, records, actions').fill('Member 042');
  await page.getByRole('option', { name: 'Member 042' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/web\/m\/res\.partner\/\d+/);
  await page.getByRole('heading', { name: 'Member 042' }).waitFor();
  // Actions of the record and single settings are also found by a few letters.
  const told = async (text: string, option: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Menus, records, actions').fill(text);
    await page.getByRole('option', { name: option }).click();
  };
  await told('archi', 'Archive');
  await page.getByText('Archived.').waitFor();
  await told('unarch', 'Unarchive');
  await page.getByText('Unarchived.').waitFor();
  await told('who can create', 'Accounts / Who can create an account');
  await page.locator('[data-setting="web.signup"] :focus').waitFor();
  await expectNoTrouble({ layoutShift: 0.1 });
});

it('Conditions are put together with and/or; columns are chosen, moved, widened, and remembered', async () => {
  const { page, expectNoTrouble } = await signedIn('ada', '/web/m/res.partner');
  await rows(page).first().waitFor();
  await slot(page, 'filters').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Custom filter…' }).click();
  const dialog = slot(page, 'filter-dialog');
  await dialog.getByLabel('Match').selectOption('any');
  await dialog.getByLabel('Value').fill('Member 003');
  await dialog.getByRole('button', { name: 'Add a condition' }).click();
  await dialog.getByLabel('Field').nth(1).selectOption('email');
  await dialog.getByLabel('Value').nth(1).fill('member7@');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Show' }).click();
  await page.waitForFunction(() => document.querySelector('[data-slot=count]')?.textContent === '2 records');
  await slot(page, 'columns').getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Search fields').fill('mobile');
  await slot(page, 'columns').getByRole('checkbox', { name: 'Mobile' }).check();
  await page.keyboard.press('Escape');
  await page.locator('th', { hasText: 'Mobile' }).waitFor();
  const handle = page.getByRole('separator', { name: 'Width of “Name”' });
  const width = Number(await handle.getAttribute('aria-valuenow'));
  await handle.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(
    (wide) => Number(document.querySelector('[role=separator]')?.getAttribute('aria-valuenow')) > wide,
    width,
  );
  await page.waitForResponse((answer) => answer.url().includes('web.preference/remember'));
  await page.goto('/web/m/res.partner');
  await page.locator('th', { hasText: 'Mobile' }).waitFor();
  expect(Number(await handle.getAttribute('aria-valuenow'))).toBe(width + 16);
  await page.locator('th', { hasText: 'Name' }).getByRole('button').click();
  await page.locator('th[aria-sort=ascending]').waitFor();
  await expectNoTrouble({ layoutShift: 0.1 });
});

it('Many records are changed at once, one in its place, and some are archived; nothing janks', async () => {
  const { page, expectNoTrouble } = await signedIn('ada', '/web/m/res.partner');
  await rows(page).first().waitFor();
  const slowest = await watchAnswers(page);
  await search(page, 'Member 1');
  await page.waitForFunction(() => document.querySelector('[data-slot=count]')?.textContent?.startsWith('100 '));
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Select all 100' }).click();
  await slot(page, 'bulk').getByRole('button', { name: 'Edit selected' }).click();
  await slot(page, 'bulk-edit').getByLabel('Field').selectOption('city');
  await slot(page, 'bulk-edit').getByLabel('New value for all records').fill('Marseille');
  await expectAccessible(page);
  await slot(page, 'bulk-edit').getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Updated: 100.').waitFor();
  expect(await app.read((ctx) => ctx.model(Partner).count([['city', '=', 'Marseille']]))).toBe(100);
  await slot(page, 'edit-cells').click();
  const cell = rows(page).first().locator('[data-editable=city]');
  await cell.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Nice');
  await page.keyboard.press('Enter');
  await page.locator('tr[data-id]').first().locator('td', { hasText: 'Nice' }).waitFor();
  expect(await app.read((ctx) => ctx.model(Partner).count([['city', '=', 'Nice']]))).toBe(1);
  await expectAccessible(page);
  // Escape restores the cell; a value refused by the model stays open with its error.
  const name = rows(page).first().locator('[data-editable=name]');
  await name.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await page.locator('.toast-note[role=alert]').waitFor();
  await page.keyboard.press('Escape');
  await slot(page, 'edit-cells').click();
  await page.getByLabel('Select Member 100').check();
  await page.getByLabel('Select Member 102').click({ modifiers: ['Shift'] });
  await slot(page, 'bulk').getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByText('Archived: 3.').waitFor();
  await page.waitForFunction(() => document.querySelector('[data-slot=count]')?.textContent?.startsWith('97 '));
  expect(await slowest()).toBeLessThan(200 * slack());
  await expectNoTrouble({ layoutShift: 0.1 });
});

/** The limits assume a dedicated machine; here, the browser and the site share one that may be busy. */
const slack = (): number => 3 * slowdown();

it('A thousand contacts with three faults are imported: all but those three', async () => {
  const { page, expectNoTrouble } = await signedIn('ada', '/web/m/res.partner');
  await slot(page, 'import').click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await expectAccessible(page);
  const faulty: Readonly<Record<number, string>> = { 17: 'Atlantis', 400: 'Mu', 999: 'Lemuria' };
  const lines = Array.from({ length: 1000 }, (_, index) =>
    [`Import ${index}`, `import${index}@list.example`, faulty[index] ?? 'France'].join(';'),
  );
  const content = ['Name;Email;Country', ...lines].join('\n');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByText('1,000 lines', { exact: true }).waitFor();
  await expectAccessible(page);
  await slot(page, 'try').click();
  await page.getByText('3 of 1,000 lines have errors. Nothing was saved.').waitFor();
  expect(await slot(page, 'faults').locator('tbody tr td:first-child').allTextContents()).toEqual([
    '19',
    '402',
    '1001',
  ]);
  await expectAccessible(page);
  expect(await app.read((ctx) => ctx.model(Partner).count([['email', 'ilike', '@list.example']]))).toBe(0);
  await slot(page, 'without').click();
  await page.getByText('Imported: 997 created, 0 updated.').waitFor();
  expect(await app.read((ctx) => ctx.model(Partner).count([['email', 'ilike', '@list.example']]))).toBe(997);
  await page.getByRole('link', { name: 'Open the list' }).click();
  await rows(page).first().waitFor();
  await expectNoTrouble({ layoutShift: 0.1 });
});

it('Who may not see Apps and settings finds no way there', async () => {
  const { page, trouble } = await signedIn('emil', '/web');
  await slot(page, 'home').getByRole('link', { name: 'Contacts' }).waitFor();
  expect(await slot(page, 'home').getByRole('link').allTextContents()).toEqual(['Contacts']);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Menus, records, actions').fill('apps');
  expect(await page.getByRole('option', { name: /Apps|Settings/ }).count()).toBe(0);
  await page.goto('/web/m/ir.sequence');
  await slot(page, 'broken').getByText('Unknown model “ir.sequence”.').waitFor();
  await expectAccessible(page);
  expect((await page.goto('/web/apps'))?.status()).toBe(404);
  expect(trouble.pageErrors).toEqual([]);
});

it('A session that ended and a fault are told in a dialog, never by a blank page', async () => {
  const { page } = await signedIn('ada', '/web/m/res.partner');
  await rows(page).first().waitFor();
  await page.route('**/call_kw/res.partner/search_read', (route) =>
    route.fulfill({
      json: {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: 200,
          message: 'Odoo Server Error',
          data: {
            message: 'It broke.',
            arguments: ['Something went wrong', 'It broke.'],
            reference: 'abc-123',
            code: 'core.internal',
          },
        },
      },
    }),
  );
  await page.locator('th', { hasText: 'Email' }).getByRole('button').click();
  await page.getByRole('dialog').getByText('abc-123').waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  expect(await rows(page).count()).toBeGreaterThan(0);
  await page.unroute('**/call_kw/res.partner/search_read');
  await page.context().clearCookies();
  await page.locator('th', { hasText: 'City' }).getByRole('button').click();
  await page.getByRole('dialog', { name: 'You have been signed out' }).waitFor();
});

it('On a phone, at night and in French everything is within reach', async () => {
  const { page, expectNoTrouble } = await signedIn('camille', '/web', {
    width: 360,
    height: 740,
    dark: true,
    locale: 'fr-FR',
  });
  await page.getByRole('heading', { name: /Bonjour/ }).waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expectAccessible(page);
  await page.goto('/web/m/res.partner');
  await slot(page, 'phone-list').locator('li').first().waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  expect(await count(page)).toMatch(/fiches|enregistrements/);
  // Grouped lists have no pager, so the count itself shows the total.
  await page.goto(`/web/m/res.partner?list=${encodeURIComponent(JSON.stringify({ groupBy: ['city'] }))}`);
  await slot(page, 'phone-list').getByRole('button', { name: 'Lyon' }).waitFor();
  await slot(page, 'count').getByText('enregistrements').waitFor();
  expect((await slot(page, 'count').boundingBox())?.width).toBeGreaterThan(50);
  await page.goto('/web/m/res.partner?view=kanban');
  await slot(page, 'kanban').locator('article').first().waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await expectNoTrouble({ layoutShift: 0.1 });
});

it('A link of Odoo’s shape opens the record, with its label as the way back', async () => {
  const id = await app.read((ctx) =>
    ctx.model(Partner).first([['name', '=', 'Member 007']], { select: { name: true } }),
  );
  const link = `/web#return_label=Website&model=res.partner&id=${id?.id}&view_type=form`;
  const { page } = await browser.openPage({ reducedMotion: true, baseUrl: app.url });
  const opensIt = async (): Promise<void> => {
    await page.getByRole('heading', { name: 'Member 007' }).waitFor();
    expect(await slot(page, 'crumbs').getByRole('link').first().textContent()).toBe('Website');
  };
  // Works even for users who sign in first and mistype, before the page's scripts have loaded.
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(link);
  for (const password of ['wrong', PASSWORD]) {
    if (password === PASSWORD) await page.unroute('**/*.js');
    await page.locator('#login').fill('ada');
    await page.locator('#password').fill(password);
    await page.keyboard.press('Enter');
    if (password !== PASSWORD) await page.getByText('Wrong email or password.').waitFor();
  }
  await opensIt();
  await page.goto('/web/account');
  await page.goto(link);
  await opensIt();
  await page.goto('/web/m/res.partner?view=kanban');
  await slot(page, 'kanban').locator('article').first().waitFor();
  await expectAccessible(page);
});

/** Creates a hundred thousand contacts by copying one row. */
async function fillUp(name: string): Promise<void> {
  await app.database.write(async (transaction) => {
    const { rows: columns } = await transaction.query({ sql: `pragma table_info('res_partner')`, bindings: [] });
    const names = columns.map((column) => String(column.name));
    const made = new Map([
      ['id', '100000 + n'],
      ['name', `'Many ' || n`],
      ['name__fold', `'many ' || n`],
    ]);
    const sql = `with recursive s(n) as (select 1 union all select n + 1 from s where n < 100000)
      insert into res_partner (${names.map((one) => `"${one}"`).join(', ')})
      select ${names.map((one) => made.get(one) ?? `"${one}"`).join(', ')}
      from s, (select * from res_partner where name = '${name}')`;
    await transaction.query({ sql, bindings: [] });
  });
}

it('80 of 100 000 records are on screen within a second, and all that was loaded is less than 250 KB', async () => {
  await fillUp('Member 001');
  const { page, expectNoTrouble } = await signedIn('ada', '/web');
  const tile = slot(page, 'home').getByRole('link', { name: 'Contacts' });
  await tile.waitFor();
  const begun = performance.now();
  await tile.click();
  await rows(page).first().waitFor();
  expect(performance.now() - begun).toBeLessThan(1_000 * slack());
  const pagerSays = (text: string) =>
    page.waitForFunction((wanted) => document.querySelector('[data-slot=pager]')?.textContent?.includes(wanted), text);
  await pagerSays('1–80 of 10');
  const turned = performance.now();
  await page.getByRole('button', { name: 'Next page' }).click();
  await pagerSays('81–160');
  expect(performance.now() - turned).toBeLessThan(1_000 * slack());
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/_assets/'))
      .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  await expectNoTrouble({ layoutShift: 0.1 });
  // Scrolling and typing respond at once, regardless of the number of records.
  const slowest = await watchAnswers(page);
  await page.locator('[data-slot=table]').hover();
  for (let step = 0; step < 12; step++) await page.mouse.wheel(0, 400);
  await slot(page, 'search').locator('input[type=search]').pressSequentially('Many 4711', { delay: 20 });
  await page.keyboard.press('Enter');
  await page.locator('tr[data-id]', { hasText: 'Many 4711' }).first().waitFor();
  await page.locator('[data-slot=chips] .backend-chip-remove').click();
  await pagerSays('1–80 of 10');
  expect(await slowest()).toBeLessThan(200 * slack());
});
