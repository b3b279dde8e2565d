import { createTestApp, type TestApp, withBrowser } from 'pergola/testing';
import type { Page } from 'playwright-core';

let app: TestApp;
const browser = withBrowser();
beforeAll(async () => {
  app = await createTestApp({ addons: ['fx_islands', 'web'] });
});
afterAll(() => app.close());

const SHAPES = ['root', 'content', 'fragment', 'contents', 'hidden first', 'text', 'empty', 'dialog'];
/** Those that are shown somewhere, so that a pointer can reach them. */
const SHOWN = SHAPES.filter((shape) => shape !== 'empty' && shape !== 'dialog');

const woken = (page: Page): Promise<string[]> =>
  page.evaluate(() => document.documentElement.dataset.woken?.split(',') ?? []);

/** Waits until as many islands are awake, and expects each of these once and no other. */
async function expectWoken(page: Page, shapes: readonly string[]): Promise<void> {
  const isComplete = (count: number): boolean =>
    (document.documentElement.dataset.woken ?? '').split(',').filter(Boolean).length >= count;
  // What is missing is told below.
  await page.waitForFunction(isComplete, shapes.length).catch(() => {});
  expect((await woken(page)).sort()).toEqual([...shapes].sort());
}

/** Islands of every shape, each a window's height below the one before. */
async function open(on: string, width = 1280): Promise<Page> {
  const { page } = await browser.openPage({ baseUrl: app.url, width, height: 400 });
  await page.route('**/fx_islands/shapes/*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll('<section', '<section style="margin-top: 1500px; min-height: 20px"');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(`/fx_islands/shapes/${on}`, { waitUntil: 'networkidle' });
  return page;
}

const section = (page: Page, shape: string) => page.locator(`[data-shape="${shape}"]`);
const openDialog = (page: Page) => section(page, 'dialog').locator('button').click();

test.each(['load', 'idle'])('on="%s" wakes islands of every shape, in sight or not', async (on) => {
  await expectWoken(await open(on), SHAPES);
});

test('on="visible" wakes an island of any shape once it comes into sight, and one in a dialog once that is opened', async () => {
  const page = await open('visible');
  expect(await woken(page)).toEqual([]);
  const seen: string[] = [];
  for (const shape of SHAPES) {
    await section(page, shape).scrollIntoViewIfNeeded();
    if (shape === 'dialog') {
      expect(await woken(page)).not.toContain('dialog');
      await openDialog(page);
    }
    seen.push(shape);
    await expectWoken(page, seen);
  }
});

test('on="touch" wakes an island of any shape that the pointer comes near, and one in a dialog by the keyboard', async () => {
  const page = await open('touch');
  const seen: string[] = [];
  for (const shape of SHOWN) {
    // Away from the middle, where the next section would come to lie under the pointer.
    await page.mouse.move(1270, 390);
    await section(page, shape).scrollIntoViewIfNeeded();
    expect(await woken(page)).toEqual(seen);
    const [x, y] = await section(page, shape).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.querySelector('pergola-root') ?? element);
      const { left, top } = range.getBoundingClientRect();
      return [left + 2, top + 4] as const;
    });
    await page.mouse.move(x, y);
    seen.push(shape);
    await expectWoken(page, seen);
  }
  await section(page, 'dialog').scrollIntoViewIfNeeded();
  await openDialog(page);
  await section(page, 'dialog').locator('p').hover();
  await expectWoken(page, [...seen, 'dialog']);
});

test('on="touch" wakes an island in which somebody is before the loader comes', async () => {
  const { page } = await browser.openPage({ baseUrl: app.url });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/loader.*.js', (route) => promise.then(() => route.continue()));
  await page.goto('/fx_islands/shapes/touch', { waitUntil: 'commit' });
  await section(page, 'root').locator('p').hover();
  resolve();
  await expectWoken(page, ['root']);
});

test('on="media" wakes islands of every shape once the window is wide enough', async () => {
  const page = await open('media', 500);
  expect(await woken(page)).toEqual([]);
  await page.setViewportSize({ width: 800, height: 400 });
  await expectWoken(page, SHAPES);
});

test('on="return" wakes islands of every shape once somebody comes back to the page', async () => {
  const page = await open('return');
  expect(await woken(page)).toEqual([]);
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  await expectWoken(page, SHAPES);
});
