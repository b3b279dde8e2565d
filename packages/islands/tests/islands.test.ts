import { gzipSync } from 'node:zlib';
import { createTestApp, type TestApp, until, withBrowser } from 'pergola/testing';
import type { Page } from 'playwright-core';

let app: TestApp;
const browser = withBrowser();
beforeAll(async () => {
  app = await createTestApp({ addons: ['fx_islands', 'web'] });
});
afterAll(() => app.close());

const button = (page: Page, slot: string) => page.locator(`[data-slot=${slot}] button`);
const isAwake = (page: Page, slot: string) => page.locator(`[data-slot=${slot}] pergola-island[data-awake]`).count();

/** What the button says changes once it is clicked, as soon as the island is awake. */
async function expectAlive(page: Page, slot: string, from: number): Promise<void> {
  const before = await button(page, slot).textContent();
  expect(before).toContain(String(from));
  await page.waitForFunction(
    ([selector, text]) => {
      const found = document.querySelector<HTMLElement>(selector);
      if (found?.textContent === text) found.click();
      return found !== null && found.textContent !== text;
    },
    [`[data-slot=${slot}] button`, before] as const,
  );
  expect(await button(page, slot).textContent()).toBe(before?.replace(String(from), String(from + 1)));
}

async function open(path = '/fx_islands', options: { width?: number } = {}) {
  const opened = await browser.openPage({ baseUrl: app.url, width: options.width ?? 1280, height: 500 });
  await opened.page.goto(path);
  return opened;
}

/** Keeps a script from a page until it is let through. */
async function holdBack(page: Page, script: string): Promise<() => void> {
  let letThrough = (): void => {};
  const wanted = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(`**/${script}.*.js`, async (route) => {
    await wanted;
    await route.continue();
  });
  return letThrough;
}

describe('A style sheet of pages', () => {
  const link = /<link rel="stylesheet" href="(\/_assets\/fx_islands\/shout\.page\.[0-9a-f]{10}\.css)">/;

  it('is fetched ahead for other pages, unless the visitor saves data', async () => {
    const asked = async (saveData: boolean, path = '/fx_islands/plain'): Promise<string[]> => {
      const { page } = await browser.openPage({ baseUrl: app.url });
      await page.addInitScript(
        (value) => Object.defineProperty(navigator, 'connection', { value: { saveData: value } }),
        saveData,
      );
      const found: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'fetch' && request.url().endsWith('.css')) found.push(request.url());
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      return found;
    };
    expect((await asked(false)).join()).toContain('shout.page');
    expect(await asked(true)).toEqual([]);
    // What a page has is not fetched again: that would take it out of the memory in which the next page finds it at once.
    expect((await asked(false, '/fx_islands')).join()).not.toContain('shout.page');
  });

  it('is loaded by pages that name it, and by no other', async () => {
    const address = link.exec((await app.get('/fx_islands')).text)?.[1] ?? '';
    expect((await app.get(address)).text).toContain('letter-spacing');
    expect((await app.get('/fx_islands/plain')).text).not.toMatch(link);
  });
});

describe('In a browser', () => {
  it.each([
    [false, true],
    [true, false],
  ])(
    'the style sheets of other pages are fetched at rest (data is to be saved: %s): %s',
    async (saveData, isFetched) => {
      const { page } = await browser.openPage({ baseUrl: app.url });
      await page.addInitScript(
        (value) => Object.defineProperty(navigator, 'connection', { value: { saveData: value } }),
        saveData,
      );
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto('/fx_islands/plain', { waitUntil: 'networkidle' });
      expect(asked.some((address) => address.includes('shout.page'))).toBe(isFetched);
    },
  );

  it('islands are there before any script, and wake on load, when idle and for a media query', async () => {
    const { page, expectNoTrouble } = await open();
    for (const [slot, from] of [
      ['load', 3],
      ['idle', 10],
      ['media', 30],
      ['fragment', 50],
    ] as const)
      await expectAlive(page, slot, from);
    expect(await page.locator('[data-slot=map] pergola-root').textContent()).toBe('Here');
    await expectNoTrouble({ layoutShift: 0 });
    const ids = await page.locator('main button').evaluateAll((buttons) => buttons.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(7);
  });

  it('an island for a wide window sleeps in a narrow one until it is widened', async () => {
    const { page } = await open('/fx_islands', { width: 500 });
    await expectAlive(page, 'load', 3);
    expect(await isAwake(page, 'media')).toBe(0);
    await page.setViewportSize({ width: 800, height: 500 });
    await expectAlive(page, 'media', 30);
  });

  it('an island far below wakes when it is scrolled to', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url, width: 1280, height: 60 });
    await page.route('**/fx_islands', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('data-slot="far"', '$& style="margin-top: 3000px"');
      await route.fulfill({ response: answer, body });
    });
    await page.goto('/fx_islands');
    await expectAlive(page, 'load', 3);
    expect(await isAwake(page, 'far')).toBe(0);
    await button(page, 'far').scrollIntoViewIfNeeded();
    await expectAlive(page, 'far', 40);
  });

  it('an island that only brings itself up to date sleeps until somebody comes back to the page', async () => {
    const { page } = await open();
    await expectAlive(page, 'load', 3);
    await button(page, 'back').hover();
    expect(await isAwake(page, 'back')).toBe(0);
    await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    await expectAlive(page, 'back', 60);
  });

  it('a page that is made ready before it is wanted wakes nothing until it is seen', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url, height: 500 });
    await page.addInitScript(() => Object.defineProperty(document, 'prerendering', { value: true }));
    await page.goto('/fx_islands', { waitUntil: 'networkidle' });
    expect(await page.locator('[data-awake]').count()).toBe(0);
    await page.evaluate(() => void document.dispatchEvent(new Event('prerenderingchange')));
    await expectAlive(page, 'load', 3);
  });

  it('the first click on a sleeping island counts once, as soon as it is awake', async () => {
    const { page, expectNoTrouble } = await open();
    await expectAlive(page, 'load', 3);
    expect(await isAwake(page, 'touch')).toBe(0);
    await button(page, 'touch').click();
    await page.waitForFunction(
      () => document.querySelector('[data-slot=touch] button')?.textContent !== 'Clicked 20 times',
    );
    await expectNoTrouble({ layoutShift: 0 });
    expect(await button(page, 'touch').textContent()).toBe('Clicked 21 times');
    await button(page, 'touch').click();
    expect(await button(page, 'touch').textContent()).toBe('Clicked 22 times');
  });

  it('the keyboard wakes an island by reaching it', async () => {
    const { page } = await open();
    await button(page, 'touch').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelector('[data-slot=touch] button')?.textContent === 'Clicked 21 times',
    );
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clicked 21 times');
  });

  it('islands and behaviours that are added live, end when they are removed, and live again when they come back', async () => {
    const { page, expectNoTrouble } = await open();
    await page.waitForFunction(() => document.querySelector('.fx-shout')?.textContent === 'HELLO');
    await expectAlive(page, 'load', 3);
    const state = await page.evaluate(async () => {
      const frames = () => new Promise((done) => setTimeout(done, 300));
      const said = document.createElement('p');
      said.className = 'fx-shout';
      said.textContent = 'later';
      document.body.append(said);
      await frames();
      const added = said.textContent;
      said.remove();
      const island = document.querySelector('[data-slot=load] pergola-island') as HTMLElement;
      island.remove();
      await frames();
      const gone = [said.textContent, island.querySelector('button')?.textContent];
      document.querySelector('[data-slot=load]')?.append(island);
      await frames();
      return { added, gone };
    });
    expect(state).toEqual({ added: 'LATER', gone: ['later', 'Clicked 3 times'] });
    await expectAlive(page, 'load', 3);
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('a behaviour begins once its style sheet is there, so that nothing moves', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = page.waitForRequest(/shout\.[A-Z0-9]{8}\.css/);
    await page.route(/shout\.[A-Z0-9]{8}\.css/, (route) => promise.then(() => route.continue()));
    await page.goto('/fx_islands', { waitUntil: 'domcontentloaded' });
    await asked;
    await expectAlive(page, 'load', 3);
    expect(await page.locator('.fx-shout').first().textContent()).toBe('hello');
    resolve();
    await page.waitForFunction(() => document.querySelector('.fx-shout')?.textContent === 'HELLO');
  });

  it('a style sheet that fails keeps no behaviour waiting, neither the first nor a later one', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.route(/shout\.[A-Z0-9]{8}\.css/, (route) => route.abort());
    await page.goto('/fx_islands');
    await page.waitForFunction(() => document.querySelector('.fx-shout')?.textContent === 'HELLO');
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('p'), { className: 'fx-shout', textContent: 'later' }));
    });
    await page.waitForFunction(() => document.body.lastElementChild?.textContent === 'LATER');
  });

  it('what is pressed and typed before a behaviour lives is done once it does', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    const letThrough = await holdBack(page, 'tally');
    await page.goto('/fx_islands', { waitUntil: 'domcontentloaded' });
    await expectAlive(page, 'load', 3);
    await page.locator('.fx-tally input').fill('Ann');
    const count = page.locator('.fx-tally button');
    await count.click();
    await count.click();
    expect(await page.locator('.fx-tally output').textContent()).toBe('');
    letThrough();
    await page.waitForFunction(() => document.querySelector('.fx-tally output')?.textContent === 'Ann 1');
    await count.click();
    expect(await page.locator('.fx-tally output').textContent()).toBe('Ann 2');
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('what is pressed before any script is there is done once a behaviour or an island lives', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    const letThrough = await holdBack(page, 'loader');
    await page.goto('/fx_islands', { waitUntil: 'commit' });
    await page.locator('.fx-tally button').click();
    await button(page, 'load').click();
    letThrough();
    await page.waitForFunction(() => document.querySelector('.fx-tally output')?.textContent === ' 1');
    await page.waitForFunction(
      () => document.querySelector('[data-slot=load] button')?.textContent === 'Clicked 4 times',
    );
    await page.locator('.fx-tally button').click();
    expect(await page.locator('.fx-tally output').textContent()).toBe(' 2');
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('what is typed before any script is there is done once a behaviour lives, and not again on the way back', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    const letThrough = await holdBack(page, 'loader');
    await page.goto('/fx_islands', { waitUntil: 'commit' });
    await page.locator('.fx-tally input').fill('Ann');
    expect(await page.locator('.fx-tally output').textContent()).toBe('');
    letThrough();
    await page.waitForFunction(() => document.querySelector('.fx-tally output')?.textContent === 'Ann 0');
    await page.goto('/fx_islands/shapes/load');
    await page.goBack();
    await expectAlive(page, 'load', 3);
    await page.locator('.fx-tally button').click();
    await page.waitForFunction(() => /1$/.test(document.querySelector('.fx-tally output')?.textContent ?? ''));
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('a click on an island that wakes on load counts once it is awake', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    const letThrough = await holdBack(page, 'counter');
    await page.goto('/fx_islands', { waitUntil: 'domcontentloaded' });
    await page.locator('[data-slot=load] [data-awake]').waitFor({ state: 'attached' });
    await button(page, 'load').click();
    letThrough();
    await page.waitForFunction(
      () => document.querySelector('[data-slot=load] button')?.textContent === 'Clicked 4 times',
    );
  });

  it('a failing island leaves what the server rendered and the rest of the page alive', async () => {
    const { page, trouble } = await open('/fx_islands/broken');
    await expectAlive(page, 'whole', 1);
    await page.waitForFunction(() => document.querySelectorAll('[data-awake]').length === 3);
    expect(await page.locator('[data-slot=fading]').innerText()).toBe('Rendered by the server');
    // The browser tells of it a moment later.
    await until(() => trouble.consoleErrors.length > 0);
    expect(trouble.consoleErrors.join()).toContain('This island fails in the browser');
    expect(trouble.pageErrors).toEqual([]);
  });

  it('islands speak the language of the page', async () => {
    const admin = await app.as('admin');
    await app.write(async (ctx) => {
      const users = ctx.modelNamed('res.users');
      await users.write(await users.search([['login', '=', 'admin']]), { lang: 'fr_FR' });
    });
    expect((await admin.get('/fx_islands')).text).toContain('Cliqué 3 fois');
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url, client: admin });
    await page.goto('/fx_islands');
    await expectAlive(page, 'load', 3);
    await expectNoTrouble({ layoutShift: 0 });
  });
});

describe('A page', () => {
  /** Bytes that a browser loads of a kind of file, gzipped. */
  async function weigh(path: string, isCounted: (url: string) => boolean): Promise<number> {
    const { page } = await browser.openPage({ baseUrl: app.url });
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (isCounted(response.url())) bodies.push(response.body());
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  }
  const isScript = (url: string) => url.endsWith('.js');

  it('without islands loads less than 5 KB of JavaScript', async () => {
    expect(await weigh('/fx_islands/plain', isScript)).toBeLessThan(5 * 1024);
  });

  it('with small islands loads less than 80 KB', async () => {
    expect(await weigh('/fx_islands', (url) => isScript(url) || url.endsWith('.json'))).toBeLessThan(80 * 1024);
  });

  it('loads at most 17 KB of styles of the core', async () => {
    const isPublic = (url: string) => /\/_assets\/core\/public\..*\.css$/.test(url);
    expect(await weigh('/fx_islands/plain', isPublic)).toBeLessThanOrEqual(17 * 1024);
  });
});
