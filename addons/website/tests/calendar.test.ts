import { Partner } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { MOST_NAMES } from '../calendar/constants.ts';
import { CalendarEvent } from '../calendar/models/calendar-event.ts';
import { CalendarPartner } from '../calendar/models/res-partner.ts';
import { WebsitePage } from '../models/website-page.ts';
import type { CalendarAnswer } from '../routes/calendar-events.ts';

const utc = (text: string): Date => new Date(`${text}Z`);
const seconds = (text: string): number => utc(text).getTime() / 1000;
const range = (from: string, to: string): string => `/calendar_block/get_events/${seconds(from)}/${seconds(to)}`;

someDatabase('The calendar block', (database) => {
  let app: TestApp;
  let choir: Id;
  let garden: Id;
  let listedPerson: Id;
  let unnamed: Id;
  const events = async (path: string, client: Pick<TestApp, 'get'> = app): Promise<CalendarAnswer> =>
    (await client.get(path)).json<CalendarAnswer>();
  const titles = async (path: string, client?: Pick<TestApp, 'get'>): Promise<string[]> =>
    (await events(path, client)).events.map(({ title }) => title);
  const inCalendarsOf = (...contacts: Id[]) => ({
    contact_ids: contacts.map((partner_id, index) => ({ create: { partner_id, sequence: index } })),
  });

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
    await app.write(async (ctx: Ctx) => {
      const partners = ctx.model(CalendarPartner);
      [choir, garden, listedPerson, unnamed] = [
        await partners.create({ name: 'The choir' }),
        await partners.create({ name: 'The garden' }),
        await partners.create({ name: 'Ada', calendar_public: true }),
        await partners.create({ name: 'Secret Sam' }),
      ];
      const model = ctx.model(CalendarEvent);
      await model.create({
        name: { en_US: 'Rehearsal', fr_FR: 'Répétition' },
        start: utc('2026-05-04T18:00'),
        stop: utc('2026-05-04T20:00'),
        attendee_ids: [listedPerson, unnamed],
        ...inCalendarsOf(choir, garden),
      });
      await model.create({
        name: 'Board',
        start: utc('2026-05-05T18:00'),
        stop: utc('2026-05-05T19:00'),
        public: false,
        ...inCalendarsOf(choir),
      });
      await model.create({ name: 'Open end', start: utc('2026-05-06T18:00'), ...inCalendarsOf(garden) });
      await model.create({
        name: 'Fair',
        start: utc('2026-05-09T08:00'),
        stop: utc('2026-05-10T08:00'),
        allday: true,
        ...inCalendarsOf(garden),
      });
    });
  });
  afterAll(() => app.close());

  it('answers the public events of a range, in order, with times as texts in UTC', async () => {
    const { events: results } = await events(range('2026-05-01T00:00', '2026-05-31T00:00'));
    expect(results.map(({ title, start, end, allDay }) => [title, start, end, allDay])).toEqual([
      ['Rehearsal', '2026-05-04 18:00:00', '2026-05-04 20:00:00', false],
      ['Open end', '2026-05-06 18:00:00', '2026-05-06 20:00:00', false],
      ['Fair', '2026-05-09 00:00:00', '2026-05-11 00:00:00', true],
    ]);
  });

  it('answers the end that is drawn where nobody gave one', async () => {
    await app.write((ctx) =>
      ctx.model(CalendarEvent).create([
        { name: 'Late', start: utc('2028-05-04T23:00'), ...inCalendarsOf(choir) },
        { name: 'Holiday', start: utc('2028-05-05T08:00'), allday: true, ...inCalendarsOf(choir) },
      ]),
    );
    const { events: results } = await events(range('2028-05-01T00:00', '2028-05-31T00:00'));
    expect(results.map(({ title, end }) => [title, end])).toEqual([
      ['Late', '2028-05-05 01:00:00'],
      ['Holiday', '2028-05-06 00:00:00'],
    ]);
  });

  it.each([
    ['one that began before it', '2026-05-04T19:00', '2026-05-04T23:00', ['Rehearsal']],
    ['none that ended as it began', '2026-05-04T20:00', '2026-05-04T23:00', []],
    ['none that begins as it ends', '2026-05-04T10:00', '2026-05-04T18:00', []],
    ['one without an end for two hours', '2026-05-06T19:59', '2026-05-06T23:00', ['Open end']],
    ['none after those two hours', '2026-05-06T20:00', '2026-05-06T23:00', []],
  ])('of a range answers %s', async (_what, from, to, expected) => {
    expect(await titles(range(from, to))).toEqual(expected);
  });

  it('answers the calendar of a contact, who comes first among the contacts', async () => {
    const path = `${range('2026-05-01T00:00', '2026-05-31T00:00')}?contact=`;
    expect(await titles(`${path}${choir}`)).toEqual(['Rehearsal']);
    const { contacts } = await events(`${path}${garden}`);
    expect(contacts).toEqual([garden, choir]);
    expect(await events(`${path}999999`)).toEqual({ events: [], contacts: [999999] });
  });

  it('names a bounded number of attendees and calendars, however many an event has', async () => {
    const guests: Id[] = [];
    for (let batch = 0; batch < 6; batch += 1) {
      const rows = Array.from({ length: 1_000 }, (_, index) => ({
        name: `Guest ${batch * 1_000 + index}`,
        calendar_public: true,
      }));
      guests.push(...(await app.write((ctx) => ctx.model(CalendarPartner).create(rows))));
    }
    const gala = await app.write((ctx) =>
      ctx.model(CalendarEvent).create({ name: 'Gala', start: utc('2029-05-04T18:00'), attendee_ids: guests }),
    );
    const { rowsRead } = app.database.metrics();
    const { events: results } = await events(range('2029-05-01T00:00', '2029-05-31T00:00'));
    expect(results.map(({ id, attendees }) => [id, attendees.length])).toEqual([[gala, MOST_NAMES]]);
    expect(app.database.metrics().rowsRead - rowsRead).toBeLessThan(3 * MOST_NAMES);
  });

  it('names only those attendees who agreed, and everybody to employees', async () => {
    const path = range('2026-05-04T00:00', '2026-05-05T00:00');
    expect((await events(path)).events[0]?.attendees).toEqual([{ id: listedPerson, name: 'Ada' }]);
    const seen = (await events(path, await app.as('admin'))).events[0]?.attendees.map(({ name }) => name);
    expect(seen?.sort()).toEqual(['Ada', 'Secret Sam']);
  });

  it('keeps internal events to employees, also in the model and its contacts', async () => {
    const path = range('2026-05-05T00:00', '2026-05-06T00:00');
    expect(await titles(path)).toEqual([]);
    expect(await titles(path, await app.as('admin'))).toEqual(['Board']);
  });

  it('shows events in the language of the visitor', async () => {
    const french = await app.visitor().get(range('2026-05-04T00:00', '2026-05-05T00:00'), {
      headers: { 'accept-language': 'fr' },
    });
    expect(french.json<CalendarAnswer>().events[0]?.title).toBe('Répétition');
  });

  it.each([
    ['that ends before it begins', '/calendar_block/get_events/2000/1000'],
    ['of more than 400 days', `/calendar_block/get_events/0/${401 * 24 * 3600}`],
    ['that is no number', '/calendar_block/get_events/today/tomorrow'],
    ['beyond all calendars', '/calendar_block/get_events/0/99999999999999999'],
    ['of a contact that is no number', '/calendar_block/get_events/0/1000?contact=me'],
  ])('refuses a range %s', async (_what, path) => {
    const { status } = await app.get(path);
    expect([400, 404, 422]).toContain(status);
  });

  it('gives each new event of a contact the next colour of 24', async () => {
    const colors = await app.write(async (ctx) => {
      const partner = await ctx.model(Partner).create({ name: 'Painter' });
      const model = ctx.model(CalendarEvent);
      const eventNamed = (name: string) => ({ name, start: utc('2030-01-01T10:00'), ...inCalendarsOf(partner) });
      const ids = [await model.create(eventNamed('a')), ...(await model.create([eventNamed('b'), eventNamed('c')]))];
      return (await model.read(ids, { select: { color: true } })).map(({ color }) => color);
    });
    expect(colors).toEqual([6, 11, 16]);
  });

  it('refuses an event that ends before it begins', async () => {
    const create = app.write((ctx) =>
      ctx.model(CalendarEvent).create({ name: 'x', start: utc('2030-01-02T10:00'), stop: utc('2030-01-01T10:00') }),
    );
    await expect(create).rejects.toMatchObject({ code: 'website.event_ends_first' });
  });

  it('shows what comes next as a list in the page, without any script', async () => {
    await app.write(async (ctx) => {
      const soon = new Date(Date.now() + 24 * 3600_000);
      await ctx.model(CalendarEvent).create({ name: 'Tomorrow’s walk', start: soon, location: 'The station' });
      await ctx.model(CalendarEvent).create({ name: 'Secret walk', start: soon, public: false });
      await ctx.model(WebsitePage).create({
        name: 'What’s on',
        url: '/on',
        website_published: true,
        content: `<div data-block="website.calendar" data-options='{}'></div>`,
      });
    });
    const { text } = await app.get('/on');
    expect(text).toContain('class="calendar_block"');
    expect(text).toContain('Tomorrow’s walk');
    expect(text).toContain('The station');
    expect(text).not.toContain('Secret walk');
  });
});
