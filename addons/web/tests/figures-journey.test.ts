import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { Partner } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import {
  createTestApp,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  type TestApp,
  withBrowser,
} from 'pergola/testing';
import type { Page } from 'playwright-core';
import { makeUser, PASSWORD } from './kit.ts';

/** All scripts of the first screen, gzipped, in bytes. */
const MAX_SCRIPT = 250_000;
const browser = withBrowser();
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ addons: ['sale'] });
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
  await app.write(sell);
});
afterAll(() => app.close());

/** Creates orders in two months, for products of two categories. */
async function sell(ctx: Ctx): Promise<void> {
  const variant = async (name: string): Promise<Id> => {
    const categ_id = await ctx.modelNamed('product.category').create({ name });
    const product_tmpl_id = await ctx.modelNamed('product.template').create({ name: `One of ${name}`, categ_id });
    return (await ctx.modelNamed('product.product').search([['product_tmpl_id', '=', product_tmpl_id]]))[0] ?? 0;
  };
  const [plants, tools] = [await variant('Plants'), await variant('Tools')];
  const partner_id = await ctx.model(Partner).create({ name: 'Delft Keramiek' });
  for (const [day, product_id, price_unit] of [
    ['2026-01-10', plants, '100'],
    ['2026-01-20', tools, '30'],
    ['2026-02-10', plants, '50'],
  ] as const) {
    const date_order = new Date(`${day}T12:00:00Z`);
    const order_id = await ctx.modelNamed('sale.order').create({ partner_id, date_order });
    const line = { order_id, product_id, product_uom_qty: '2', price_unit, tax_id: [] };
    await ctx.modelNamed('sale.order.line').create(line);
    await ctx.modelNamed('sale.order').write([order_id], { state: 'sale' });
  }
}

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
/** Horizontal overflow of the page, which must be zero. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
const rowsOf = (page: Page) =>
  slot(page, 'pivot-table')
    .locator('tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));

/** Selects a field in a menu of groups by keyboard alone. */
async function groupBy(page: Page, menu: string, field: string): Promise<void> {
  await slot(page, menu).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await slot(page, menu).getByRole('combobox').selectOption(field);
  await page.keyboard.press('Escape');
}

/** A slow test is retried once, with the records saved by its first attempt. */
let tries = 0;

it('A pivot table is made by keyboard, saved, found again and exported; a number in it leads to its records', async () => {
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
  await page.getByRole('button', { name: 'Save current view…' }).click();
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
      await page.getByRole('button', { name: 'CSV (.csv)' }).click();
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
});

it('Sales by month and category are reached, saved, found again and exported, all of it by keyboard', async () => {
  const { page, expectNoTrouble } = await signedIn('ada', '/web');
  const name = `By category ${++tries}`;
  const press = async (role: 'button' | 'link', text: string): Promise<void> => {
    await page.getByRole(role, { name: text, exact: true }).first().focus();
    await page.keyboard.press('Enter');
  };
  const byCategory = [
    'Category / Product|January 2026|February 2026|Total',
    'Amount incl. tax|Amount incl. tax|Amount incl. tax',
    'Plants|200.00 €|100.00 €|300.00 €',
    'Tools|60.00 €||60.00 €',
    'Total|260.00 €|100.00 €|360.00 €',
  ];
  const shown = async () => (await rowsOf(page)).map((row) => row.join('|').replaceAll('\u00a0', ' '));
  await press('link', 'Sales');
  await press('button', 'Reporting');
  await press('link', 'Sales analysis');
  await slot(page, 'pivot-table').waitFor();
  await press('button', 'Collapse all');
  await page.getByRole('button', { name: 'Expand all' }).waitFor();
  expect(await shown()).toEqual(byCategory);
  await expectAccessible(page);
  await press('button', 'Saved views');
  await press('button', 'Save current view…');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name, exact: true }).waitFor();
  await page.goto('/web/m/sale.order.line?menu=sale.menu_sales_analysis');
  await press('button', 'Saved views');
  await press('button', name);
  await page.getByRole('button', { name: 'Expand all' }).waitFor();
  expect(await shown()).toEqual(byCategory);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await press('button', 'Export');
      await press('button', 'CSV (.csv)');
    })(),
  ]);
  const sums = ['January 2026', 'February 2026', 'Total'].map((column) => `${column} – Amount incl. tax`);
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toEqual([
    `\ufeffCategory,Product,${sums.join(',')}`,
    'Plants,,200,100,300',
    'Tools,,60,,60',
    'Total,,260,100,360',
    '',
  ]);
  // The number leads to its lines, and one of these to its order.
  await page
    .getByRole('row', { name: /^Plants/ })
    .getByRole('button', { name: '200.00 €' })
    .press('Enter');
  await slot(page, 'count').getByText('1 record', { exact: true }).waitFor();
  await expectNoTrouble();
});

it('A count above a customer leads to their orders, whose states have colours; an order is printed from its menu', async () => {
  const { page, expectNoTrouble } = await signedIn('ada', '/web/m/res.partner');
  await page.goto(
    `/web/m/res.partner?${new URLSearchParams({ list: JSON.stringify({ chips: [{ kind: 'text', text: 'Delft', field: null }] }) })}`,
  );
  await page.locator('[data-slot=table] tbody tr[data-id]').getByRole('link', { name: 'Delft Keramiek' }).click();
  const orders = page.locator('[data-slot=counts]').getByRole('link', { name: /3\s*Orders/ });
  await orders.focus();
  await page.keyboard.press('Enter');
  await slot(page, 'count').getByText('3 records', { exact: true }).waitFor();
  const state = page.locator('[data-slot=table] tbody tr[data-id]').first().getByText('Order', { exact: true });
  expect(await state.getAttribute('class')).toContain('choice-success');
  await expectAccessible(page);
  await page.locator('[data-slot=table] tbody tr[data-id]').first().getByRole('link').first().click();
  await page.locator('[data-field=amount_total]', { hasText: /\d\s€/ }).waitFor();
  await page.evaluate(() =>
    Object.assign(globalThis, { open: (address: string) => Object.assign(globalThis, { address }) }),
  );
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Print (PDF)' }).click();
  const printed = await page.request.get(await page.evaluate(() => String(Reflect.get(globalThis, 'address'))));
  expect([printed.status(), printed.headers()['content-type']]).toEqual([200, 'application/pdf']);
  expect((await printed.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await expectNoTrouble();
});

it('A graph is drawn with its table, in French and on a phone; its kinds are chosen', async () => {
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
});

it('The first page is light, is arranged by keyboard, and stays so', async () => {
  const { page, expectNoTrouble } = await signedIn('ada', '/web');
  await slot(page, 'widgets').waitFor();
  const scripts = await page.evaluate(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name);
    return Promise.all(names.filter((name) => /\.js$/.test(name)).map(async (name) => (await fetch(name)).text()));
  });
  const weight = scripts.reduce((sum, script) => sum + gzipSync(script).byteLength, 0);
  expect(weight).toBeGreaterThan(10_000);
  expect(weight).toBeLessThan(MAX_SCRIPT);
  await expectAccessible(page);
  const widgets = () =>
    page.locator('[data-widget]').evaluateAll((all) => all.map((one) => one.getAttribute('data-widget')));
  const all = ['web.first_steps', 'web.trouble', 'sale.trend', 'sale.orders', 'sale.payments', 'sale.stock'];
  await page.locator('[data-widget="web.first_steps"]').waitFor();
  expect(await widgets()).toEqual(all);
  await slot(page, 'arrange').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Move “First steps” back' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    () => document.querySelector('[data-widget]')?.getAttribute('data-widget') === 'web.trouble',
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove First steps' }).focus();
  await page.keyboard.press('Enter');
  const steps = slot(page, 'hidden-widgets').getByRole('button', { name: 'First steps' });
  await steps.waitFor();
  // The focus follows the widget to its new place.
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('First steps'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Remove First steps');
  await page.keyboard.press('Enter');
  await steps.waitFor();
  await page.reload();
  await slot(page, 'widgets').waitFor();
  expect(await widgets()).toEqual(all.slice(1));
  await page.getByRole('link', { name: 'Failed jobs' }).click();
  await page.waitForURL('**/web/settings/jobs?state=dead');
  await expectNoTrouble();
});
