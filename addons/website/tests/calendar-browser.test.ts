import {
  createTestApp,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  type TestApp,
  withBrowser,
} from 'pergola/testing';
import { CalendarEvent } from '../calendar/models/calendar-event.ts';
import { CalendarPartner } from '../calendar/models/res-partner.ts';
import { Website } from '../models/website.ts';
import { WebsitePage } from '../models/website-page.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

describe('The calendar in a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  /** Noon UTC today. */
  const noon = Math.floor(Date.now() / DAY) * DAY + 12 * HOUR;

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'] });
    await app.write(async (ctx) => {
      // No font that loads late: which dates wrap differently until then depends on the day.
      await ctx.model(Website).write(1, { look: { fonts: 'website.system' } });
      const ada = await ctx.model(CalendarPartner).create({ name: 'Ada', calendar_public: true });
      const events = ctx.model(CalendarEvent);
      const timesFrom = (from: number, minutes: number) => ({
        start: new Date(noon + from),
        stop: new Date(noon + from + minutes * 60_000),
      });
      await events.create({ name: 'Long talk', ...timesFrom(0, 90), attendee_ids: [ada], location: 'The hall' });
      await events.create({ name: 'Short break', ...timesFrom(2 * HOUR, 30), attendee_ids: [ada] });
      await events.create({ name: 'Bookbinding for beginners', ...timesFrom(-DAY, 90), attendee_ids: [ada] });
      await events.create({ name: 'Open end', start: new Date(noon + 2 * DAY) });
      await events.create({ name: 'Whole day', ...timesFrom(DAY, 60), allday: true });
      await events.create({ name: 'Open days', ...timesFrom(10 * DAY, (6 * DAY) / 60_000), allday: true });
      await ctx.model(WebsitePage).create({
        name: { en_US: 'What’s on', fr_FR: 'Agenda' },
        url: '/on',
        website_published: true,
        content: `<section class="container py-5"><h1>What is on</h1><div data-block="website.calendar" data-options='{}'></div></section>`,
      });
    });
  });
  afterAll(() => app.close());

  const anyEvent = '.calendar-event, .calendar-event-line';
  async function openCalendar(options: PageOptions = {}, path = '/on'): Promise<OpenPage> {
    const open = await browser.openPage({ baseUrl: app.url, timezone: 'UTC', ...options });
    await open.page.goto(path);
    await open.page.locator(anyEvent).first().waitFor();
    return open;
  }
  const view = (open: OpenPage, index: number) => open.page.getByRole('tab').nth(index).click();
  const event = (open: OpenPage, title: string) => open.page.locator(anyEvent, { hasText: title });

  it.each([
    ['en-US', '/on', ['Today', 'Month', 'Week', 'Day', 'all-day'], 'W', '6am', ['Mon', 'Sun']],
    ['fr-FR', '/fr/on', ["Aujourd'hui", 'Mois', 'Semaine', 'Jour', 'Tous les jours'], 'S', '06:00', ['lun', 'dim']],
  ])('speaks %s, its hours and weeks too', async (locale, path, labels, week, hour, days) => {
    const open = await openCalendar({ locale }, path);
    const [today = '', month, ofWeek, day, allDay = ''] = labels;
    await open.page.getByRole('button', { name: today }).waitFor();
    expect(await open.page.getByRole('tab').allInnerTexts()).toEqual([month, ofWeek, day]);
    await view(open, 1);
    await open.page.getByText(allDay, { exact: true }).waitFor();
    await open.page
      .getByText(new RegExp(`^${week} ?\\d{1,2}$`))
      .first()
      .waitFor();
    await open.page.getByText(hour, { exact: true }).first().waitFor();
    // Weeks start on Monday, as in the filters of events and matches.
    const [monday = 0, sunday = 0] = await Promise.all(
      days.map(
        async (day) =>
          (
            await open.page
              .getByText(new RegExp(`^${day}`))
              .first()
              .boundingBox()
          )?.x,
      ),
    );
    expect(monday).toBeLessThan(sunday);
    await open.expectNoTrouble();
  });

  it('begins days at six, in slots of half an hour', async () => {
    const open = await openCalendar();
    await view(open, 2);
    const slots = open.page.locator('.calendar-slot');
    await slots.first().waitFor({ state: 'attached' });
    const hours = await slots.evaluateAll((labels) =>
      labels.map((label) => ({
        text: label.textContent,
        top: label.getBoundingClientRect().top,
        slot: label.parentElement?.getBoundingClientRect().height ?? 0,
      })),
    );
    expect(hours).toHaveLength(24);
    expect([hours[0]?.text, hours[23]?.text]).toEqual(['12am', '11pm']);
    const [five, six, seven] = hours.slice(5);
    expect(Math.round(((seven?.top ?? 0) - (six?.top ?? 0)) / (six?.slot ?? 1))).toBe(2);
    const allDay = await open.page.locator('.calendar-all-day').boundingBox();
    const edge = (allDay?.y ?? 0) + (allDay?.height ?? 0);
    expect(six?.top).toBeGreaterThanOrEqual(edge);
    expect(five?.top).toBeLessThan(edge);
  });

  it('shows faces in months, and in days those of events of more than half an hour', async () => {
    const open = await openCalendar();
    expect(await event(open, 'Long talk').getByRole('img', { name: 'Ada' }).count()).toBe(1);
    expect(await event(open, 'Short break').getByRole('img').count()).toBe(1);
    const cut = await open.page
      .locator('.calendar-event-title')
      .evaluateAll((titles) => titles.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    expect(cut).toBe(0);
    await view(open, 2);
    await event(open, 'Short break').waitFor();
    expect(await event(open, 'Long talk').getByRole('img').count()).toBe(1);
    expect(await event(open, 'Short break').getByRole('img').count()).toBe(0);
  });

  it.each([
    ['UTC', '12pm'],
    ['Asia/Tokyo', '9pm'],
    ['America/New_York', new Date(noon).toLocaleTimeString('en-US', { timeZone: 'America/New_York', hour: 'numeric' })],
  ])('shifts times to the zone of a browser in %s', async (timezone, time) => {
    const open = await openCalendar({ timezone });
    const timeText = await event(open, 'Long talk').locator('.calendar-event-time').innerText();
    expect(timeText.replace(/\s/g, '').toLowerCase()).toBe(time.replace(/\s/g, '').toLowerCase());
  });

  it('says in the list of a phone that an event takes the whole day', async () => {
    const open = await openCalendar({ locale: 'fr-FR', width: 360, height: 740 }, '/fr/on');
    await event(open, 'Toute la journée').first().waitFor();
  });

  it('shows in the list of a phone what takes several days once, with its last day', async () => {
    const open = await openCalendar({ width: 360, height: 740 });
    const days = event(open, 'Open days').filter({ visible: true });
    const last = new Date(noon + 16 * DAY).toLocaleDateString('en-US', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
    });
    expect(await days.allInnerTexts()).toEqual([`Open days · until ${last}`]);
    expect(await event(open, 'Whole day').filter({ visible: true }).count()).toBe(1);
  });

  it('loads months, weeks and days on a phone once somebody wants one', async () => {
    const open = await openCalendar({ width: 360, height: 740 });
    const scripts = (): Promise<number> =>
      open.page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/website/chunk.')).length,
      );
    const selected = open.page.getByRole('tab', { selected: true });
    expect(await selected.innerText()).toBe('List');
    const initialScripts = await scripts();
    await view(open, 1);
    await open.page.getByRole('tab', { name: 'Month', selected: true }).waitFor();
    await open.page.locator('.calendar-event', { hasText: 'Long talk' }).waitFor();
    expect(await scripts()).toBeGreaterThan(initialScripts);
    expect(await open.page.locator(':focus').innerText()).toBe('Month');
    await view(open, 3);
    await open.page.getByRole('tab', { name: 'Day', selected: true }).waitFor();
    await view(open, 0);
    await event(open, 'Whole day').waitFor();
    await open.expectNoTrouble();
  });

  it('has no use for the today button where today is shown', async () => {
    const open = await openCalendar();
    const today = open.page.getByRole('button', { name: 'Today' });
    expect(await today.isDisabled()).toBe(true);
    await open.page.getByRole('button', { name: /next/i }).click();
    await open.page.getByRole('button', { name: /next/i }).click();
    expect(await today.isDisabled()).toBe(false);
    await today.click();
    await event(open, 'Long talk').waitFor();
    expect(await today.isDisabled()).toBe(true);
  });

  it('asks for the events of a month once, in seconds, and not again for a week within it', async () => {
    const calls: string[] = [];
    const open = await browser.openPage({ baseUrl: app.url, timezone: 'UTC' });
    open.page.on('request', (request) => {
      if (request.url().includes('get_events')) calls.push(new URL(request.url()).pathname);
    });
    await open.page.goto('/on');
    await event(open, 'Long talk').waitFor();
    await view(open, 1);
    await view(open, 2);
    await event(open, 'Long talk').waitFor();
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/^\/calendar_block\/get_events\/\d{10}\/\d{10}$/);
  });

  it('tells everything of an event in a window that the keyboard opens and closes', async () => {
    const open = await openCalendar();
    await open.page.getByRole('button', { name: /Long talk/ }).focus();
    await open.page.keyboard.press('Enter');
    const dialog = open.page.getByRole('dialog', { name: 'Long talk' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('The hall');
    expect(await dialog.innerText()).toContain('Ada');
    await expectAccessible(open.page);
    await open.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it.each([
    ['on a phone', { width: 360, height: 740 }],
    ['in the dark', { dark: true }],
    ['on a phone in the dark', { width: 360, height: 740, dark: true }],
  ])('is for everybody %s, and nothing jumps', async (_where, options) => {
    const open = await openCalendar(options);
    await open.expectNoTrouble();
    for (const index of (await open.page.getByRole('tab').all()).keys()) {
      await view(open, index);
      await event(open, 'Long talk').waitFor();
      await expectAccessible(open.page);
    }
    const wide = await open.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide).toBe(false);
  });

  it.each([false, true])('shows its colours in the backend, too, for everybody (dark: %s)', async (dark) => {
    const client = await app.as('admin');
    const open = await browser.openPage({ baseUrl: app.url, timezone: 'UTC', dark, client });
    await open.page.goto('/web/m/calendar.event');
    const ground = (title: string) =>
      open.page
        .locator('.backend-calendar .toned', { hasText: title })
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    const colors = await Promise.all(['Long talk', 'Short break'].map(ground));
    expect(new Set(colors).size).toBe(2);
    for (const name of ['Month', 'Week', 'Agenda']) {
      await open.page.locator('.backend-calendar-button', { hasText: name }).click();
      await open.page.locator('.backend-calendar .toned:visible').first().waitFor();
      await expectAccessible(open.page);
    }
    await open.expectNoTrouble({ layoutShift: 0.1 });
  });

  it('is found by the command palette of the backend, however many models there are', async () => {
    const admin = await app.as('admin');
    const hits = await admin.rpc<{ model: string }[]>('/web/backend/search', { text: 'Long talk' });
    expect(hits.map(({ model }) => model)).toEqual(['calendar.event']);
  });

  it('is a list of what comes next without scripts', async () => {
    const open = await browser.openPage({ baseUrl: app.url, javaScript: false });
    await open.page.goto('/on');
    await open.page.getByRole('heading', { name: 'Upcoming events' }).waitFor();
    expect(await open.page.locator('.calendar-coming-item').count()).toBeGreaterThan(0);
    await expectAccessible(open.page);
  });
});
