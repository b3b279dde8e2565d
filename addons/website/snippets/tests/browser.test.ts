import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  createTestApp,
  expectAccessible,
  type Mailbox,
  openMailbox,
  runTour,
  type TestApp,
  withBrowser,
} from 'pergola/testing';
import { Topic, walk } from './fixtures/fx_snippets/addon.ts';
import { allSnippets, makePage } from './kit.ts';

const browser = withBrowser();
const roots = [path.join(import.meta.dirname, 'fixtures')];

let app: TestApp;
let mailbox: Mailbox;
let snippets: ReadonlyMap<string, string>;
const makeSnippetPage = (url: string, ...ids: string[]): Promise<void> =>
  makePage(app, url, ids.map((id) => snippets.get(`website.${id}`) ?? '').join('\n'));

beforeAll(async () => {
  mailbox = await openMailbox();
  app = await createTestApp({ addons: ['fx_snippets'], roots, env: { SMTP_URL: mailbox.url } });
  await app.write((ctx) => ctx.model(Topic).create([{ name: 'The garden' }, { name: 'The well' }]));
  snippets = await allSnippets(app);
  await makePage(app, '/all', [...snippets.values()].join('\n'));
  await makePage(app, '/plain', '<section class="container"><h1>Plain</h1><p>Nothing moves here.</p></section>');
  await makeSnippetPage('/gallery', 'gallery');
  await makeSnippetPage('/slider', 'quotes_slider');
  await makeSnippetPage('/effects', 'text_block', 'parallax', 'text_block', 'video', 'share');
  await makeSnippetPage('/questions', 'faq');
  await makeSnippetPage('/board', 'country_board');
  const logos = (snippets.get('website.references') ?? '').replace('s_logos', 's_logos s_logos_run');
  const film = '<video src="/none.mp4" muted loop playsinline preload="none" class="o-behind"></video>';
  const words = `<h2>Film</h2><p>${'Words. '.repeat(60)}</p><p><a class="btn btn-outline-primary" href="/">All that we do, and more of it</a></p>`;
  await makePage(
    app,
    '/film',
    `<h1>Films</h1><section><div class="container"><div class="row"><div class="col-lg-6 o-veil-dark">${film}${words}</div></div></div></section>
     <section class="o-veil-dark">${film}<div class="container">${words}</div></section>`,
  );
  await makePage(app, '/logos', `<h1>With us</h1>${logos}`);
});
afterAll(async () => {
  await app?.close();
  await mailbox?.close();
});

describe('A page of all snippets', () => {
  it.each([
    [1280, false, '/all', 'en-US'],
    [360, true, '/fr/all', 'fr-FR'],
    [360, false, '/all', 'en-US'],
    [1280, true, '/fr/all', 'fr-FR'],
  ])('at %i pixels, dark: %s, %s, is still, fits and is accessible', async (width, dark, address, locale) => {
    const { page, expectNoTrouble } = await browser.openPage({ width, dark, locale, baseUrl: app.url });
    await page.goto(address);
    await page.evaluate(async () => {
      for (let top = 0; top < document.body.scrollHeight; top += 500) {
        scrollTo({ top, behavior: 'instant' });
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    });
    await expectNoTrouble();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectAccessible(page);
  });
});

describe('A plain page', () => {
  it('loads less than 5 KB of script, packed', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body());
    });
    await page.goto('/plain');
    await expectNoTrouble();
    const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000);
  });

  it('goes back to where it was scrolled', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/all#scrollTop=900');
    await page.waitForFunction(() => Math.round(scrollY) === 900);
    await page.reload();
    await page.waitForFunction(() => Math.round(scrollY) === 900);
    expect(new URL(page.url()).hash).toBe('#scrollTop=900');
  });

  it('has a way back to the top, after 300 pixels', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/all');
    const up = page.locator('.back-to-top');
    expect(await up.isVisible()).toBe(false);
    await page.mouse.wheel(0, 2_000);
    await up.click();
    await page.waitForFunction(() => scrollY === 0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });
});

describe('A film behind a column or section', () => {
  it('leaves room for the button that stops it, and nothing black beside it in forced colours', async () => {
    const { page } = await browser.openPage({ width: 360, baseUrl: app.url });
    await page.goto('/film');
    for (const index of [0, 1]) {
      const link = await page.getByRole('link', { name: 'All that we do' }).nth(index).boundingBox();
      const button = await page
        .getByRole('button', { name: /(Play|Stop) video$/ })
        .nth(index)
        .boundingBox();
      expect(button?.y).toBeGreaterThan((link?.y ?? Infinity) + (link?.height ?? 0));
    }
    await page.emulateMedia({ forcedColors: 'active' });
    const edges = await page
      .locator('.row > :has(> .o-behind)')
      .evaluate((column) => getComputedStyle(column).borderLeftColor);
    expect(edges).toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  });
});

describe('A gallery', () => {
  it('is walked through with the keyboard', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/gallery');
    await page.locator('.s_gallery a').first().focus();
    await page.waitForFunction(() => document.querySelector('link[href*="gallery"]'));
    await page.keyboard.press('Enter');
    const dialog = page.locator('dialog.lightbox');
    await dialog.locator('img.is-shown').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await page.locator('figcaption', { hasText: '(2 of 6)' }).waitFor();
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press('Tab');
      expect(
        await dialog.evaluate(
          (element) => element.contains(document.activeElement) || document.activeElement === document.body,
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toContain('coast.jpg');
    await expectNoTrouble();
  });

  it('leads to the pictures without scripts', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url, javaScript: false });
    await page.goto('/gallery');
    await page.locator('.s_gallery a').first().click();
    await page.waitForURL('**/pergola.jpg');
  });
});

describe('A slider', () => {
  it('is moved by its buttons and by arrow keys, and can be swiped without scripts', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/slider');
    const left = (): Promise<number> =>
      page.locator('.slides').evaluate((track) => Math.round(track.scrollLeft / track.clientWidth));
    await page.locator('.slider-next').click();
    await page.waitForFunction(
      () => document.querySelectorAll('.slider-dot')[1]?.getAttribute('aria-current') === 'true',
    );
    expect(await left()).toBe(1);
    await page.locator('.slides').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      () => document.querySelectorAll('.slider-dot')[2]?.getAttribute('aria-current') === 'true',
    );
    await expectNoTrouble();
    const plain = await browser.openPage({ baseUrl: app.url, javaScript: false, width: 360 });
    await plain.page.goto('/slider');
    expect(await plain.page.locator('.slide').count()).toBe(3);
    // Browsers make scroll containers focusable, but axe requires a tabindex.
    await expectAccessible(plain.page, { exclude: ['.slides'] });
  });
});

describe('Effects', () => {
  it('take 300 ms for dialogs, 350 for what folds and 150 for notices', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/questions');
    const durations = await page.evaluate(() => {
      const add = <T extends HTMLElement>(element: T, className = ''): T => {
        element.className = className;
        return document.body.appendChild(element);
      };
      const dialog = add(document.createElement('dialog'));
      dialog.showModal();
      const answer = document.querySelector('.s_faq details') ?? document.body;
      return [
        getComputedStyle(dialog).animationDuration,
        getComputedStyle(answer, '::details-content').transitionDuration.split(',')[0],
        getComputedStyle(add(document.createElement('p'), 'toast-note')).animationDuration,
      ];
    });
    expect(durations).toEqual(['0.3s', '0.35s', '0.15s']);
    await page.keyboard.press('Escape');
    await page.locator('.s_faq summary').first().click();
    const isFolded = (element: Element) => element.clientHeight === element.firstElementChild?.clientHeight;
    const answer = await page.locator('.s_faq details').first().elementHandle();
    await page.waitForFunction(isFolded, answer);
  });

  it('let logos pass by until they are stopped; without scripts, or where less motion is wanted, they stand still', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/logos');
    const left = () => page.locator('.s_run > div > div').evaluate((row) => row.getBoundingClientRect().x);
    await page.locator('.s_run').scrollIntoViewIfNeeded();
    const before = await left();
    await page.waitForTimeout(100);
    expect(await left()).toBeLessThan(before);
    await expectAccessible(page);
    const stop = page.getByRole('button', { name: 'Stop the logo carousel' });
    const [row, button] = await Promise.all([page.locator('.s_run > div').boundingBox(), stop.boundingBox()]);
    expect((row?.x ?? 0) + (row?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
    await stop.click();
    // A frame can still be pending.
    await page.waitForTimeout(50);
    const stopped = await left();
    await page.waitForTimeout(100);
    expect(await left()).toBe(stopped);
    for (const options of [{ javaScript: false }, { reducedMotion: true }]) {
      const still = await browser.openPage({ baseUrl: app.url, width: 360, ...options });
      await still.page.goto('/logos');
      expect(await still.page.locator('.s_logos img:visible').count()).toBe(5);
      expect(await still.page.locator('.s_run').count()).toBe(0);
    }
  });

  it('move the picture of a parallax while the page is scrolled', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/effects');
    const shift = (): Promise<string> =>
      page.locator('.s_parallax_picture').evaluate((picture) => (picture as HTMLElement).style.transform);
    await page.locator('.s_parallax').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector<HTMLElement>('.s_parallax_picture')?.style.transform);
    const before = await shift();
    await page.mouse.wheel(0, 200);
    await page.waitForFunction(
      (old) => document.querySelector<HTMLElement>('.s_parallax_picture')?.style.transform !== old,
      before,
    );
  });

  it('ask the player of a video for nothing before it is played', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).hostname));
    await page.goto('/effects');
    await page.locator('a.s_media').scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    expect([...hosts]).toEqual(['localhost']);
    const playerRequest = page.waitForRequest('https://www.youtube-nocookie.com/embed/**');
    await page.locator('a.s_media').click();
    await playerRequest;
  });
});

describe('A kanban', () => {
  it('turns a column to its next page in place', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/board');
    const column = page.locator('.js_kanban_col').first();
    const before = await column.locator('.kanban-card-title').allTextContents();
    await column.getByRole('link', { name: 'Next page' }).click();
    await column.locator('.page-item.active', { hasText: '2' }).waitFor();
    const after = await column.locator('.kanban-card-title').allTextContents();
    expect(after).toHaveLength(10);
    expect(after.some((name) => before.includes(name))).toBe(false);
    expect(new URL(page.url()).search).toBe('');
    await expectNoTrouble();
    await expectAccessible(page);
  });

  it('does so without scripts, too', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url, javaScript: false });
    await page.goto('/fr/board');
    await page.locator('.js_kanban_col').first().getByRole('link', { name: '3', exact: true }).click();
    await page.locator('.page-item.active', { hasText: '3' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/fr/board');
  });
});

describe('A tour of another addon', () => {
  it('is walked by a test', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    const focused: string[] = [];
    await runTour(page, walk, { onStep: ({ title }) => void focused.push(title) });
    expect(focused).toEqual(walk.steps.map(({ title }) => title));
    await expectNoTrouble();
  });

  it('says which step a test did not reach', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    const broken = { ...walk, steps: [...walk.steps.slice(0, 2), { element: '.not-there', title: 'Nowhere' }] };
    await expect(runTour(page, broken, { timeout: 3_000 })).rejects.toThrow(
      /Tour "fx_snippets\.walk" stops at step 3, “Nowhere”, on .*\/fx_snippets\/the-garden-1/,
    );
  });

  it('guides a person who asks for it, from page to page, with the keyboard', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/website/tours');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'A walk' }).click();
    const note = (title: string) => page.locator('.tour-note', { hasText: title });
    await note('Hello').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await note('Open a topic').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-slot'))).toBe('topic-link');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/the-garden-1');
    await note('Your address').waitFor();
    await page.reload();
    await note('Your address').getByRole('button', { name: 'Next' }).click();
    await note('Follow').getByRole('button', { name: 'Do it for me' }).click();
    await note('You follow it').getByRole('button', { name: 'Done' }).click();
    await page.locator('.toast-note', { hasText: 'You’ve completed the tour' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('tour'))).toBeNull();
    expect(await page.locator('.js_follow').getAttribute('data-follow')).toBe('on');
    await expectNoTrouble();
  });

  it('speaks the language of the page', async () => {
    expect((await app.get('/website/tours/fx_snippets.walk?lang=fr_FR')).json<{ id: string }>().id).toBe(
      'fx_snippets.walk',
    );
    expect((await app.get('/website/tours/none')).status).toBe(404);
    expect((await app.get('/website/tours/fx_snippets.walk?lang=<x>')).status).toBe(400);
  });
});

describe('Following', () => {
  it('refuses what is no address, then sends a mail that asks for confirmation', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/fx_snippets/the-well-2');
    await page.locator('.js_follow_email').fill('nobody');
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.locator('.has-error').waitFor();
    await expectAccessible(page);
    await page.locator('.js_follow_email').fill('ada@example.org');
    await page.keyboard.press('Enter');
    await page.locator('[role=status]', { hasText: 'You’ll get an email.' }).waitFor();
    await expectNoTrouble();
    await app.runJobs();
    const received = await mailbox.waitFor(
      (mail) => mail.to?.some(({ address }) => address === 'ada@example.org') ?? false,
    );
    expect(received.text).toContain('/mail/follow/');
  });
});
