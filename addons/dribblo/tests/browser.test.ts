import { WebsitePage } from '@pergola/website';
import { createTestApp, expectAccessible, type PageOptions, type TestApp, withBrowser } from 'pergola/testing';
import { CompetitionAdjustment } from '../models/club-competition-adjustment.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { Match } from '../models/club-match.ts';
import { Team } from '../models/club-team.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { callUpToken } from '../services/callup-links.ts';
import { makeWall } from './kit.ts';

describe('The club in a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['dribblo'], demo: true });
    await app.write((ctx) =>
      ctx.model(WebsitePage).create({
        name: 'Soon',
        url: '/soon',
        website_published: true,
        content: `<section class="container py-5"><h1>Soon</h1><div data-block="dribblo.countdown" data-options='{"until":"01/01/2000 10:00","done":"It is over."}'></div></section>`,
      }),
    );
  });
  afterAll(() => app?.close());

  async function open(path: string, options: PageOptions = {}, login?: string) {
    const visit = login ? { client: await app.as(login) } : {};
    const opened = await browser.openPage({ baseUrl: app.url, ...visit, ...options });
    await opened.page.goto(path);
    return opened;
  }

  it.each<[path: string, width: number, dark: boolean, locale: string, login?: string]>([
    ['/club', 1280, false, 'en-US'],
    ['/fr/club', 360, true, 'fr-FR'],
    ['/club/blocks', 360, false, 'en-US'],
    ['/fr/matchs', 360, false, 'fr-FR'],
    ['/matchs/1060', 1280, true, 'en-US'],
    ['/wall/1', 360, true, 'en-US'],
    ['/fr/teams/as-val-fleuri-u11-19', 1280, false, 'fr-FR'],
    ['/matchs', 1280, true, 'en-US'],
    ['/matchs/results', 360, false, 'en-US', 'editor'],
    ['/wall/1', 1280, false, 'en-US', 'editor'],
  ])(
    '%s at %i pixels, dark: %s, %s, fits, is still and for everybody',
    async (path, width, dark, locale, login = '') => {
      const { page, expectNoTrouble } = await open(path, { width, dark, locale }, login);
      await expectNoTrouble({ layoutShift: 0.05 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await expectAccessible(page);
    },
  );

  it('shares a post in a small window, and copies its address, with the first tap', async () => {
    const { page } = await open('/wall/1');
    const address = await page.locator('.club-post h2 a').first().getAttribute('href');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The page is shown, and its scripts are on their way.
    const visit = async () => {
      const letThrough = Promise.withResolvers<void>();
      await page.route('**/_assets/website/share.*.js', async (route) => {
        await letThrough.promise;
        await route.continue();
      });
      await page.goto(address ?? '', { waitUntil: 'domcontentloaded' });
      await page.locator('pergola-island[data-name="website.Share"]').waitFor({ state: 'attached' });
      await page.waitForFunction(() => document.readyState === 'complete');
      return letThrough.resolve;
    };
    const letCopy = await visit();
    await page.locator('.share-copy').click();
    letCopy();
    await page.locator('.toast-note', { hasText: 'copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url().replace(/\?.*/, ''));
    const letShare = await visit();
    const opened = page.context().waitForEvent('page');
    await page.locator('.s_share a').first().click();
    letShare();
    const popup = await opened;
    expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([600, 550]);
  });

  it('turns weeks without loading the page, and goes back', async () => {
    const { page, expectNoTrouble } = await open('/matchs');
    // Links of an island that sleeps load their page.
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => Object.assign(window, { same: true }));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const label = page.locator('[data-slot="week-label"] b');
    const present = await label.innerText();
    await page.getByRole('link', { name: 'Next week' }).click();
    await page.waitForFunction(
      (text) => document.querySelector('[data-slot="week-label"] b')?.textContent !== text,
      present,
    );
    expect(new URL(page.url()).search).toBe('?week=1');
    await page.goBack();
    await page.waitForFunction(
      (text) => document.querySelector('[data-slot="week-label"] b')?.textContent === text,
      present,
    );
    expect(await page.evaluate(() => 'same' in window)).toBe(true);
    await page.getByLabel('Team').selectOption({ label: 'AS Val-Fleuri U15' });
    await page.waitForFunction(() => document.querySelectorAll('.club-match').length === 1);
    await page.getByRole('link', { name: 'Next week' }).click();
    await page.getByRole('link', { name: 'This week' }).click();
    await page.waitForFunction(
      (text) => document.querySelector('[data-slot="week-label"] b')?.textContent === text,
      present,
    );
    expect(await page.getByRole('link', { name: 'This week' }).count()).toBe(0);
    expect(asked.filter((one) => /matchs/.test(one) && !one.startsWith('POST /matchs/week'))).toEqual([]);
    // What is shown later than half a second after a press, on a busy machine, counts as moved by itself.
    await expectNoTrouble({ layoutShift: 0.2 });
  });

  it('is walked by keyboard: weeks, teams, and the answer to a call-up', async () => {
    const { page, expectNoTrouble } = await open('/matchs');
    await page.waitForLoadState('networkidle');
    const label = page.locator('[data-slot="week-label"] b');
    const present = await label.innerText();
    await page.getByRole('link', { name: 'Previous week' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await label.getByText(present).waitFor({ state: 'detached' });
    await page.getByLabel('Team').focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/team=\d+/);
    await expectAccessible(page);
    const token = await app.read(async (ctx) => {
      const line = await ctx.model(ConvocationLine).first([], { select: { member_id: { partner_id: true } } });
      return callUpToken(ctx, { line: line?.id ?? 0, partner: line?.member_id?.partner_id ?? 0 });
    });
    await page.goto(`/convocations/answer/${token}`);
    await expectAccessible(page);
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Available', { exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ill');
    await page.keyboard.press('Enter');
    await page.getByText('Thanks – you’re out.').waitFor();
    await expectAccessible(page);
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('suggests players while somebody types, and shows their matches', async () => {
    const { page } = await open('/matchs?week=0');
    await page.getByLabel('Player').pressSequentially('hug');
    await page.getByRole('option', { name: 'Hugo Bernard' }).click();
    await page.waitForURL(/player=\d+/);
    expect(await page.locator('.club-match, .club-empty').count()).toBe(1);
  });

  it('counts to the end once, and says so', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.addInitScript(() => {
      Object.assign(window, { ends: 0 });
      addEventListener('countdown-end', () =>
        Object.assign(window, { ends: (window as unknown as { ends: number }).ends + 1 }),
      );
    });
    await page.goto('/soon');
    await page.getByText('It is over.').waitFor();
    await page.waitForTimeout(1_300);
    expect(await page.evaluate(() => (window as unknown as { ends: number }).ends)).toBe(1);
    expect(await page.locator('.countdown-number').allInnerTexts()).toEqual(['0', '0', '0', '0']);
  });

  it('has a poster in the colours of the site', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/club/blocks');
    const ground = () =>
      page
        .locator('.club-poster')
        .first()
        .evaluate((poster) => getComputedStyle(poster).backgroundImage);
    const before = await ground();
    await page.evaluate(() => document.documentElement.style.setProperty('--pg-strong', '#6b2a12'));
    expect(await ground()).not.toBe(before);
  });

  it('loads nothing from networks before the visitor asks', async () => {
    const asked: string[] = [];
    const { page } = await browser.openPage({ baseUrl: app.url });
    page.on('request', (request) => asked.push(new URL(request.url()).hostname));
    await page.goto('/club/blocks');
    await page.locator('.js_social button').first().waitFor();
    expect([...new Set(asked)]).toEqual(['localhost']);
    await page.route('https://syndication.twitter.com/**', (route) =>
      route.fulfill({ body: 'a feed', contentType: 'text/html' }),
    );
    await page.getByRole('button', { name: 'Show @asvalfleuri' }).click();
    expect(await page.locator('.js_social iframe').getAttribute('src')).toContain('screen-name/asvalfleuri');
  });

  it('keeps the wall: no post without a title, a post with one, and a question before one goes', async () => {
    const { page, expectNoTrouble } = await open('/wall/1', { locale: 'fr-FR' }, 'editor');
    await page.goto('/fr/wall/1');
    await page.locator('.club-new-post summary').click();
    await page.locator('.js_new_post [type="submit"]').click();
    await page.getByRole('alert').getByText('Le titre est obligatoire!').waitFor();
    await page.getByLabel('Titre').fill('Écrit dans un navigateur');
    expect(await page.getByText('Le titre est obligatoire!').count()).toBe(0);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const photo = page.locator('.js_new_post [name="image"]');
    await photo.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
    await page.locator('.js_new_post [name="image"].is-invalid').waitFor();
    await page.getByRole('alert').getByText('Seules des images').waitFor();
    await page.locator('.js_new_post [type="submit"]').click();
    expect(asked).not.toContain('/dribblo/wall/new');
    await photo.setInputFiles([]);
    expect(await page.locator('.js_new_post .is-invalid').count()).toBe(0);
    const text = page.locator('.js_new_post [contenteditable="true"]');
    await text.pressSequentially('Bonjour');
    await page.locator('.js_new_post [type="submit"]').click();
    const post = page.locator('[data-slot="wall-posts"] [data-post-id]', { hasText: 'Écrit dans un navigateur' });
    await post.getByText('Bonjour').waitFor();
    await page.waitForFunction(() => document.querySelector('.js_new_post [contenteditable]')?.textContent === '');
    await post.getByRole('button', { name: /Supprimer/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Voulez vous vraiment supprimer ce post ?').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await post.waitFor();
    await post.getByRole('button', { name: /Supprimer/ }).click();
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await post.waitFor({ state: 'detached' });
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('loads more posts until all are there', async () => {
    const { page } = await open('/wall/1');
    await page.waitForLoadState('networkidle');
    expect(await page.locator('[data-slot="wall-posts"] [data-post-id]').count()).toBe(6);
    await page.getByRole('link', { name: 'Show more' }).click();
    await page.waitForFunction(() => document.querySelectorAll('[data-slot="wall-posts"] [data-post-id]').length === 8);
    expect(await page.getByRole('link', { name: 'Show more' }).isVisible()).toBe(false);
    await page.locator('[data-post-id] .club-photo').first().click({ force: true });
    await page.waitForURL(/\/wall\/posts\/\d+\?redirect=%2Fwall%2F1/);
  });

  it('takes a result from a phone, also one without a connection', async () => {
    const { page, context } = await open('/matchs/2002/result', { width: 360, height: 740 }, 'editor');
    const home = page.locator('[data-slot="stepper"]').first();
    await home.getByRole('button', { name: /Add a goal/ }).click();
    await home.getByRole('button', { name: /Add a goal/ }).click();
    await page
      .locator('[data-slot="stepper"]')
      .nth(1)
      .getByRole('button', { name: /Add a goal/ })
      .click();
    await page
      .locator('[data-slot="stepper"]')
      .nth(1)
      .getByRole('button', { name: /Remove a goal/ })
      .click();
    await expectAccessible(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save result' }).click();
    await page.getByText('You’re offline.').waitFor();
    await context.setOffline(false);
    await page.waitForURL(/\/matchs\/results$/);
    const row = await app.read((ctx) =>
      ctx.model(Match).first([['mnbr', '=', 2002]], { select: { receiver_res: true, visitor_res: true } }),
    );
    expect(row).toMatchObject({ receiver_res: 2, visitor_res: 0 });
    // The phone was put away before there was a connection: the list leads back to what was kept, which is sent then.
    await page.goto('/matchs/2002/result');
    await page
      .getByRole('button', { name: /Add a goal/ })
      .first()
      .click();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save result' }).click();
    await page.getByText('You’re offline.').waitFor();
    await page.close();
    await context.setOffline(false);
    const later = await context.newPage();
    await later.goto('/matchs/results');
    await later.getByRole('link', { name: /Seniors – Étoile/ }).click();
    await later.waitForURL(/\/matchs\/results$/);
    await later.getByText('These results are saved on this phone').waitFor({ state: 'hidden' });
    expect(
      await app.read((ctx) =>
        ctx.model(Match).count([
          ['mnbr', '=', 2002],
          ['receiver_res', '=', 3],
        ]),
      ),
    ).toBe(1);
  });

  it('lets an editor choose the team of a block by name', async () => {
    const { page } = await open('/club/blocks?enable_editor=1', {}, 'editor');
    await page.locator('.ed-bar').waitFor();
    const block = page.locator('[data-block="dribblo.next_match"]');
    await block.scrollIntoViewIfNeeded();
    const box = await block.boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await page.getByRole('tab', { name: 'Options' }).click();
    await page
      .getByRole('tabpanel')
      .getByRole('combobox', { name: 'Team' })
      .selectOption({ label: 'AS Val-Fleuri U15' });
    await block.getByText('Next match of AS Val-Fleuri U15').waitFor();
  });

  it('brings blocks up to date when the page comes back into sight after a while, islands in them too', async () => {
    const { page, expectNoTrouble } = await open('/fr/club/blocks', { locale: 'fr-FR', width: 360 });
    await page.waitForLoadState('networkidle');
    const wall = await makeWall(app, { name: 'News' });
    await app.write((ctx) =>
      ctx.model(WallPost).create({ name: 'Fresh news', descr: 'x', wall_id: wall, website_published: true }),
    );
    const posts = page.locator('[data-slot="posts"]');
    expect(await posts.getByText('Fresh news').count()).toBe(0);
    await page.evaluate(() => {
      const clocks = [Date, performance].map((clock) => [clock, clock.now.bind(clock)] as const);
      for (const [clock, now] of clocks) clock.now = () => now() + 61_000;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await posts.getByText('Fresh news').waitFor();
    await page.waitForLoadState('networkidle');
    const filter = page.locator('[data-slot="week"] .js_team_filter');
    const answered = page.waitForResponse(/get_for_week$/);
    await filter.getByLabel('Équipe').selectOption({ index: 1 });
    await answered;
    await expectNoTrouble({ layoutShift: 1 });
    // While scripts are still on their way the button has no place, which it would leave; what is chosen meanwhile is shown afterwards.
    const { promise: arrive, resolve } = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await arrive;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    expect(await filter.locator('button').isVisible()).toBe(false);
    await filter.getByLabel('Équipe').selectOption({ index: 2 });
    const late = page.waitForResponse(/get_for_week$/);
    resolve();
    await late;
  });

  it('runs nothing of what people wrote, wherever it is shown (C35; all of it: bench/stored-markup.ts)', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '"\'><svg onload=alert(1)>',
      '</textarea></title></style></script><script>alert(1)</script>',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
      '<a href="java&#09;script:alert(1)">x</a><iframe srcdoc="<script>alert(1)</script>"></iframe>',
      '<form action="javascript:alert(1)"><button autofocus onfocus=alert(1)>x</button></form>{{constructor}}',
    ];
    const wall = await makeWall(app, { name: 'Hostile wall' });
    const about = { wall_id: wall, website_published: true };
    await app.write(async (ctx) => {
      await ctx.model(WallPost).create(hostile.map((text) => ({ ...about, name: text, descr: text })));
      for (const [index, id] of (await ctx.model(Team).search([], { limit: 6 })).entries()) {
        const text = hostile[index] ?? '';
        await ctx.model(Team).write(id, { name: text.slice(0, 80), description: text, training: text });
      }
      const rows = await ctx.model(Match).search([
        ['mnbr', '>=', 1060],
        ['mnbr', '<', 1063],
      ]);
      for (const id of rows) await ctx.model(Match).write(id, { compet_phase: hostile[2] ?? '' });
      const taken = await ctx.model(CompetitionAdjustment).search([]);
      await ctx.model(CompetitionAdjustment).write(taken, { reason: hostile[0] ?? '' });
    });
    const { page } = await open('/');
    let ran = 0;
    page.on('dialog', (dialog) => {
      ran++;
      void dialog.dismiss();
    });
    for (const path of [`/wall/${wall}`, '/club/blocks', '/matchs', '/matchs/1060', '/teams', '/teams/1']) {
      await page.goto(path);
      const able = await page.evaluate(() => {
        for (const one of document.querySelectorAll('main *')) one.dispatchEvent(new Event('focus'));
        return [...document.querySelectorAll('main *')].filter(
          (one) =>
            // The data of islands is no script.
            (/^(script|iframe|object|embed|base|math)$/i.test(one.tagName) &&
              !one.matches('pergola-island > script[type="application/json"]')) ||
            [...one.attributes].some(
              ({ name, value }) => name.startsWith('on') || /^[\s\0]*javascript:/i.test(value.replace(/[\t\n\r]/g, '')),
            ),
        ).length;
      });
      expect([path, able, ran]).toEqual([path, 0, 0]);
    }
    await page.goto(`/wall/${wall}`);
    expect((await page.locator('[data-post-id] h2').allTextContents()).map((text) => text.trim()).sort()).toEqual(
      [...hostile].sort(),
    );
  });
});
