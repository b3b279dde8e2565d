import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { Partner } from '#addons/base';
import {
  createTestApp,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  type TestApp,
  withBrowser,
} from '#core/testing';
import { makeUser, PASSWORD } from './kit.ts';

/** A journey takes a few seconds; on a machine that does much at once it takes as long as it takes. */
const PATIENCE = 120_000;
/** All scripts of the first screen, gzipped, in bytes. */
const MOST_SCRIPT = 250_000;
const browser = withBrowser();
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ addons: ['web'] });
  await makeUser(app, 'ada', { groups: ['base.group_system'] });
  await makeUser(app, 'camille', { groups: ['base.group_system'], lang: 'fr_FR' });
  await app.write((ctx) =>
    ctx.model(Partner).create(
      Array.from({ length: 12 }, (_, index) => ({
        name: `Member ${index}`,
        city: index % 3 === 0 ? 'Lyon' : 'Paris',
        type: index % 2 === 0 ? ('contact' as const) : ('delivery' as const),
      })),
    ),
  );
}, PATIENCE);
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
/** The page as wide as the window, so that nobody scrolls sideways. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
const rowsOf = (page: Page) =>
  slot(page, 'pivot-table')
    .locator('tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));

/** Chooses a field in a menu of groups, with the keyboard alone. */
async function groupBy(page: Page, menu: string, field: string): Promise<void> {
  await slot(page, menu).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await slot(page, menu).getByRole('combobox').selectOption(field);
  await page.keyboard.press('Escape');
}

/** A test that is late once is tried again, beside what its first try saved. */
let tries = 0;

it(
  'A pivot table is made by keyboard, saved, found again and exported; a number in it leads to its records',
  async () => {
    const { page, expectNoTrouble } = await signedIn('ada', '/web');
    const name = `Where they live ${++tries}`;
    const members = JSON.stringify({ chips: [{ kind: 'text', text: 'Member', field: null }] });
    await page.goto(`/web/m/res.partner?${new URLSearchParams({ view: 'pivot', list: members })}`);
    await slot(page, 'pivot-table').waitFor();
    await groupBy(page, 'group-by', 'city');
    await groupBy(page, 'pivot-columns', 'type');
    await page.getByRole('columnheader', { name: 'Total' }).waitFor();
    expect((await rowsOf(page)).map((row) => row.join('|'))).toEqual([
      'City|Contact|Shipping address|Total',
      'Number of records|Number of records|Number of records',
      'Lyon|2|2|4',
      'Paris|4|4|8',
      'Total|6|6|12',
    ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Save what is shown …' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name, exact: true }).waitFor();
    await page.goto('/web/m/res.partner');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('columnheader', { name: 'Total' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page.getByRole('button', { name: 'Export' }).click();
        await page.getByRole('button', { name: 'Text (.csv)' }).click();
      })(),
    ]);
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toEqual([
      '\ufeffCity,Contact – Number of records,Shipping address – Number of records,Total – Number of records',
      'Lyon,2,2,4',
      'Paris,4,4,8',
      'Total,6,6,12',
      '',
    ]);
    await page
      .getByRole('row', { name: /^Paris/ })
      .getByRole('button')
      .first()
      .click();
    await page.locator('[data-slot=chips] li', { hasText: 'Paris / Contact' }).waitFor();
    await slot(page, 'count').getByText('4 records', { exact: true }).waitFor();
    await expectNoTrouble();
  },
  PATIENCE,
);

it(
  'A graph is drawn with its table, in French and on a phone; its kinds are chosen',
  async () => {
    for (const [login, width, kind] of [
      ['ada', 1280, 'Pie'],
      ['camille', 360, 'Secteurs'],
    ] as const) {
      const { page, expectNoTrouble } = await signedIn(login, '/web/m/res.partner?view=graph', { width });
      await slot(page, 'figures-table').waitFor();
      await page.locator('canvas').waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await expectAccessible(page);
      await page.getByRole('button', { name: kind }).click();
      await page.waitForFunction(() => location.search.includes('pie'));
      await expectNoTrouble();
    }
  },
  PATIENCE,
);

it(
  'The first page is light, is arranged by keyboard, and stays so',
  async () => {
    const { page, expectNoTrouble } = await signedIn('ada', '/web');
    await slot(page, 'widgets').waitFor();
    const scripts = await page.evaluate(() => {
      const names = performance.getEntriesByType('resource').map(({ name }) => name);
      return Promise.all(names.filter((name) => /\.js$/.test(name)).map(async (name) => (await fetch(name)).text()));
    });
    const weight = scripts.reduce((sum, script) => sum + gzipSync(script).byteLength, 0);
    expect(weight).toBeGreaterThan(10_000);
    expect(weight).toBeLessThan(MOST_SCRIPT);
    await expectAccessible(page);
    const widgets = () =>
      page.locator('[data-widget]').evaluateAll((all) => all.map((one) => one.getAttribute('data-widget')));
    expect(await widgets()).toEqual(['web.first_steps', 'web.trouble']);
    await slot(page, 'arrange').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move “First steps” to the back' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelector('[data-widget]')?.getAttribute('data-widget') === 'web.trouble',
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Take away: First steps' }).focus();
    await page.keyboard.press('Enter');
    await slot(page, 'hidden-widgets').getByRole('button', { name: 'First steps' }).waitFor();
    await page.reload();
    await slot(page, 'widgets').waitFor();
    expect(await widgets()).toEqual(['web.trouble']);
    await page.getByRole('link', { name: 'Jobs that failed' }).click();
    await page.waitForURL('**/web/settings/jobs?state=dead');
    await expectNoTrouble();
  },
  PATIENCE,
);
