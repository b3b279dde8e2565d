import type { Id } from 'pergola';
import {
  createTestApp,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  type TestApp,
  withBrowser,
} from 'pergola/testing';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { answer, asUser, karmaOf, member, post, question } from './kit.ts';

const F = '/forum/help-1';

describe('Journeys through the forum', () => {
  const browser = withBrowser();
  let app: TestApp;
  let forum: Id;
  let asker: Id;
  let member1: Id;
  let asked: Id;
  let path: string;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'] });
    forum = await app.read((ctx) => ctx.ref('forum.forum_help'));
    asker = await member(app, 'Asker', 120);
    member1 = await member(app, 'Member', 20);
    await member(app, 'Moderator', 3000);
    await app.write((ctx) =>
      ctx.model(ForumTag).create([
        { name: 'roses', forum_id: forum },
        { name: 'rosemary', forum_id: forum },
      ]),
    );
    asked = await question(app, forum, asker, { name: 'Which rose climbs', content: '<p>On the north side.</p>' });
    await answer(app, forum, asked, asker);
    await asUser(app, asker, (ctx) => ctx.model(ForumPost).comment([asked], 'Any colour'));
    path = `${F}/question/which-rose-climbs-${asked}`;
  });
  afterAll(() => app.close());

  async function open(login: string | null, options: PageOptions = {}): Promise<OpenPage> {
    const visit = login === null ? {} : { client: await app.as(login) };
    return browser.openPage({ reducedMotion: true, baseUrl: app.url, ...visit, ...options });
  }

  it.each([
    [360, true, '/fr/forum/entraide-1'],
    [1280, false, F],
  ])('visitors read at %i pixels (dark: %s), quietly and accessibly', async (width, dark, base) => {
    const { page, expectNoTrouble } = await open(null, {
      width,
      height: 760,
      dark,
      locale: base.startsWith('/fr') ? 'fr-FR' : 'en-US',
    });
    for (const at of [
      base,
      `${base}/question/which-rose-climbs-${asked}`,
      `${base}/tag`,
      `${base}/users`,
      `${base}/badge`,
      `${base}/faq`,
      `${base}/user/${asker}`,
    ]) {
      await page.goto(at);
      await expectNoTrouble();
      await expectAccessible(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect({ at, overflow }).toEqual({ at, overflow: 0 });
    }
    const text = dark ? 'Désolé, vous devez être connecté pour voter' : 'Sorry you must be logged to vote';
    await page.goto(`${base}/question/which-rose-climbs-${asked}`, { waitUntil: 'networkidle' });
    await page.locator('[data-slot=question] form[data-call$="/upvote"] button').click();
    await page.locator('.toast-note', { hasText: text }).waitFor();
  });

  it('a newcomer confirms their address, asks, and waits', async () => {
    await member(app, 'Newcomer', 0);
    const { page, expectNoTrouble } = await open('newcomer');
    await page.goto(F, { waitUntil: 'networkidle' });
    await page.locator('[data-slot=forum-ask]').click();
    await page.locator('.toast-note', { hasText: '3 karma is required to perform this action.' }).waitFor();
    await page.locator('[data-forum-validation] button').click();
    await page.locator('[data-forum-validation]', { hasText: 'You’ll get an email.' }).waitFor();
    const { database } = app;
    const { rows } = await database.reader.query(
      database.knex('core_outbox').select('html').where('email', 'newcomer@forum.example').toSQL().toNative(),
    );
    const link = new URL(
      /href="([^"]*validate_email[^"]*)"/.exec(String(rows.at(-1)?.html).replaceAll('&amp;', '&'))?.[1] ?? '',
      app.url,
    );
    await page.goto(link.pathname + link.search);
    await expectAccessible(page);
    await page.locator('main button[type=submit]').click();
    await page.waitForURL(`**${F}`);
    await page.locator('[data-forum-validated]').waitFor();
    await page.locator('[data-slot=forum-ask]').click();
    await page.waitForURL('**/ask');
    await page.locator('#question-name').fill('Does a rose climb by itself?');
    await page.locator('[data-similar] a', { hasText: 'Which rose climbs' }).waitFor();
    const editor = page.locator('.rich-text [contenteditable]');
    await editor.waitFor();
    await editor.evaluate((element) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'I have **two**:\n\n- red\n- white');
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await page.locator('.rich-text li', { hasText: 'white' }).waitFor();
    await editor.evaluate((element) => {
      const data = new DataTransfer();
      data.setData('text/plain', '**All** of 10<sup>2</sup> m²');
      data.setData('text/html', '<div style="white-space: pre; font-family: monospace">as VS Code colours it</div>');
      data.setData('vscode-editor-data', '{"version":1,"mode":"markdown"}');
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await page.locator('.rich-text sup', { hasText: '2' }).waitFor();
    await page.locator('.rich-text-tools button[aria-label*=ink]').first().click();
    await page.locator('.toast-note', { hasText: 'Sorry you need more than 30 Karma.' }).waitFor();
    const typing = page.locator('#question-tags-typing');
    await typing.fill('rose');
    await page.locator('[role=option]', { hasText: 'rosemary' }).waitFor();
    await typing.press('ArrowDown');
    await typing.press('Enter');
    await typing.fill('unheard,');
    await page.locator('.toast-note', { hasText: '75 karma is required' }).waitFor();
    await expectAccessible(page);
    await page.locator('[data-draft-note]', { hasText: 'Draft saved' }).waitFor();
    await page.reload();
    await page.locator('[data-draft-note]', { hasText: 'Draft restored.' }).waitFor();
    expect(await page.locator('#question-name').inputValue()).toBe('Does a rose climb by itself?');
    await page.locator('.rich-text li', { hasText: 'white' }).waitFor();
    await page.locator('[data-slot=write-form] button[type=submit]').click();
    await page.waitForURL('**/question/does-a-rose-climb-by-itself-*');
    expect(await page.locator('.alert', { hasText: 'awaiting moderation' }).isVisible()).toBe(true);
    expect(await page.locator('[data-slot=post-content] strong').allTextContents()).toEqual(['two', 'All']);
    expect(await page.locator('[data-slot=post-content] sup').textContent()).toBe('2');
    await expectNoTrouble({ layoutShift: 0.1 });
  });

  it('a member votes, keeps a favourite, follows, comments and answers', async () => {
    const { page, expectNoTrouble } = await open('member', { width: 360, height: 740 });
    await page.goto(path, { waitUntil: 'networkidle' });
    // One row, in which the tab one is on is in sight.
    const tabs = page.locator('.forum-tabs a');
    expect(new Set(await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))).size).toBe(1);
    await page.goto(`${path.replace(/\/question.*/, '')}/faq`);
    expect(
      await page
        .locator('.forum-tabs [aria-current]')
        .evaluate((tab) => tab.getBoundingClientRect().right <= innerWidth),
    ).toBe(true);
    await page.goto(path, { waitUntil: 'networkidle' });
    const box = page.locator('[data-slot=question] [data-forum-vote]').first();
    await box.locator('[aria-label=Upvote]').click();
    await page.locator('[data-slot=question] [aria-label=Upvote][aria-pressed=true]').waitFor();
    expect(await box.locator('[data-vote-count]').textContent()).toBe('1');
    await page.locator('[data-slot=answer] [aria-label=Downvote]').click();
    await page.locator('.toast-note', { hasText: '50 karma is required' }).waitFor();
    await page.locator('[data-forum-favourite] button').click();
    await page.locator('[data-forum-favourite] [aria-pressed=true]').waitFor();
    await page.locator('[data-forum-follow] button').click();
    await page.locator('[data-forum-follow] [aria-pressed=true]').waitFor();
    await page.locator('[data-slot=question] [data-slot=comment-form] summary').click();
    await page.locator(`#new-comment-${asked}`).fill('I would like to know too');
    await page.locator('[data-slot=question] [data-slot=comment-form] button').click();
    await page.locator('[data-slot=comment]', { hasText: 'I would like to know too' }).waitFor();
    const editor = page.locator('.rich-text [contenteditable]');
    const reply = page.locator('[data-slot=reply] textarea');
    await reply.scrollIntoViewIfNeeded();
    const place = await reply.boundingBox();
    await reply.focus();
    await editor.waitFor();
    // The editor stands where the field was, in sight: whoever came to it sees where they write.
    expect((await page.locator('.rich-text').boundingBox())?.y).toBeCloseTo(place?.y ?? 0, -1);
    await editor.click();
    await page.keyboard.type('This one does.');
    await page.locator('[data-slot=reply] button[type=submit]').click();
    await page.waitForURL('**#answer-*');
    await page.locator('[data-slot=answer]', { hasText: 'This one does.' }).waitFor();
    await expectAccessible(page);
    await expectNoTrouble({ layoutShift: 0.1 });
    expect(await post(app, asked, 'vote_count', 'favourite_count')).toMatchObject({
      vote_count: 1,
      favourite_count: 1,
    });
    expect(await karmaOf(app, asker)).toBe(125);
    expect(member1).toBeGreaterThan(0);
  });

  it('a moderator works the queue by keyboard', async () => {
    const first = await question(app, forum, asker, { name: 'First in the queue', state: 'pending' });
    const second = await question(app, forum, asker, { name: 'Second in the queue', state: 'pending' });
    const { page, expectNoTrouble } = await open('moderator');
    await page.goto(`${F}/validation_queue`);
    await page.locator('[data-forum-keys]').waitFor();
    await expectAccessible(page);
    const items = page.locator('[data-triage-item]');
    const before = await items.count();
    while ((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) !== 'First in the queue')
      await page.keyboard.press('j');
    await page.keyboard.press('v');
    await page.waitForFunction((n) => document.querySelectorAll('[data-triage-item]').length === n - 1, before);
    await page.keyboard.press('r');
    await page.waitForFunction((n) => document.querySelectorAll('[data-triage-item]').length === n - 2, before);
    expect(await post(app, first, 'state')).toMatchObject({ state: 'active' });
    expect(await post(app, second, 'active')).toMatchObject({ active: false });
    await page.goto(path);
    await page.locator('a', { hasText: 'Close' }).click();
    await page.waitForURL('**/ask_for_close');
    await expectAccessible(page);
    await page.locator('#reason').selectOption({ label: 'duplicate post' });
    await page.locator('[data-slot=reason-form] button').click();
    await page.waitForURL(`**${path}`);
    expect(await page.locator('[data-slot=closed]').textContent()).toContain('duplicate post');
    await expectAccessible(page);
    await expectNoTrouble({ layoutShift: 0.1 });
  });
});
