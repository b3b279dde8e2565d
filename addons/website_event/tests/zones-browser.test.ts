import { Website, WebsitePage } from '@pergola/website';
import { momentAt, plusDays } from 'pergola';
import { createTestApp, type PageOptions, type TestApp, withBrowser } from 'pergola/testing';
import { makeEvent } from './kit.ts';

const plain = (text: string): string => text.replace(/[\s\u00a0\u2009\u202f]+/g, ' ').trim();

describe('A New York event in the calendar of a site in Paris', () => {
  const browser = withBrowser();
  let app: TestApp;
  /** Today in Paris. */
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(new Date());

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'] });
    await app.write(async (ctx) => {
      await ctx.model(Website).write(await ctx.model(Website).search([]), { timezone: 'Europe/Paris' });
      await makeEvent(ctx, {
        name: 'Late show',
        date_tz: 'America/New_York',
        date_begin: momentAt(plusDays(day, 1), '19:00', 'America/New_York'),
        date_end: momentAt(plusDays(day, 1), '21:00', 'America/New_York'),
      });
      await makeEvent(ctx, {
        name: 'Open days',
        date_tz: 'America/Los_Angeles',
        date_begin: momentAt(plusDays(day, 2), '10:00', 'America/Los_Angeles'),
        date_end: momentAt(plusDays(day, 4), '18:00', 'America/Los_Angeles'),
      });
      await ctx.model(WebsitePage).create({
        name: { en_US: 'What is on', fr_FR: 'Agenda' },
        url: '/on',
        website_published: true,
        content: `<section class="container"><div data-block="website.calendar" data-options='{}'></div></section>`,
      });
    });
  });
  afterAll(() => app.close());

  const calendar = async (options: PageOptions, path = '/on') => {
    const open = await browser.openPage({ baseUrl: app.url, ...options });
    await open.page.goto(path);
    return open.page;
  };
  const phone = { width: 360, height: 740 };

  it.each([
    ['Europe/Paris', '/on', 'en-US', '7:00 PM – 9:00 PM (New York time) Late show'],
    ['Europe/Paris', '/fr/on', 'fr-FR', '19:00 – 21:00 (heure de New York) Late show'],
    ['America/New_York', '/on', 'en-US', '7:00 PM – 9:00 PM Late show'],
  ])('is listed on its own clocks, in %s on %s', async (timezone, path, locale, text) => {
    const page = await calendar({ timezone, locale, ...phone }, path);
    const line = page.locator('.calendar-event-line', { hasText: 'Late show' }).first();
    expect(plain(await line.innerText())).toBe(text);
    const last = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const until = last.format(new Date(`${plusDays(day, 4)}T00:00:00Z`));
    expect(plain(await page.locator('.calendar-event-line', { hasText: 'Open days' }).first().innerText())).toContain(
      plain(until),
    );
  });

  it('has the time of the browser in the grid, with its own in words', async () => {
    const page = await calendar({ timezone: 'Europe/Paris' });
    await page.getByRole('tab', { name: 'Day' }).click();
    await page.getByRole('button', { name: /next/i }).click();
    await page.getByRole('button', { name: /next/i }).click();
    const event = page.locator('.calendar-event', { hasText: 'Late show' });
    const paris = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Paris', hour: 'numeric' });
    const [hour] = paris.format(momentAt(plusDays(day, 1), '19:00', 'America/New_York')).split(/\s/u);
    expect(plain(await event.innerText())).toMatch(new RegExp(`^${hour} – `));
    expect(plain(await event.innerText())).toContain('7:00 – 9:00 PM (New York time)');
    await page.getByText('Times are shown in Paris time. Open an event for its local time.').waitFor();
  });

  it('says so without scripts too', async () => {
    const { text } = await app.visitor().get('/on');
    expect(plain(text)).toMatch(/7:00 – 9:00 PM<\/time>.{0,20}\(.{0,20}New York time/);
  });

  it.each([
    ['Europe/Brussels', 'none'],
    ['America/New_York', '" (Paris time)"'],
  ])('shows times of the site with its zone in %s: %s, and nothing moves', async (timezone, content) => {
    const until = `${plusDays(day, 3)}T18:30`;
    await app.write(async (ctx) => {
      const id = await ctx.model(WebsitePage).at('/on');
      const count = `<div data-block="website.countdown" data-options='${JSON.stringify({ until })}'></div>`;
      await ctx.model(WebsitePage).write(id ?? 0, {
        content: `<section class="container">${count}</section><section class="container"><p>Below</p></section>`,
      });
    });
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url, timezone, width: 200, height: 740 });
    await page.goto('/on');
    const shown = await page.locator('time[data-zone]').evaluate((time) => getComputedStyle(time, '::after').content);
    expect(shown).toBe(content);
    await expectNoTrouble();
  });
});
