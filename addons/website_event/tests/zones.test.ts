import { User } from '@pergola/base';
import { CalendarEvent, Website } from '@pergola/website';
import { momentAt, mondayOf, plusDays } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { inPeriod } from '../services/event-dates.ts';
import { makeEvent } from './kit.ts';

eachDatabase('Events in other time zones', (database, once) => {
  let app: TestApp;
  const monday = plusDays(mondayOf(new Date().toISOString().slice(0, 10)), 14);

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database });
    await app.write(async (ctx) => {
      await ctx.model(Website).write(await ctx.model(Website).search([]), { timezone: 'Europe/Paris' });
      const at = (day: string, time: string, zone: string) => momentAt(day, time, zone);
      await makeEvent(ctx, {
        name: 'Sydney breakfast',
        date_tz: 'Australia/Sydney',
        date_begin: at(monday, '06:00', 'Australia/Sydney'),
        date_end: at(monday, '08:00', 'Australia/Sydney'),
      });
      await makeEvent(ctx, {
        name: 'Pago Pago supper',
        date_tz: 'Pacific/Pago_Pago',
        date_begin: at(plusDays(monday, 6), '20:00', 'Pacific/Pago_Pago'),
        date_end: at(plusDays(monday, 7), '00:00', 'Pacific/Pago_Pago'),
      });
      await makeEvent(ctx, {
        name: 'Kiritimati morning',
        date_tz: 'Pacific/Kiritimati',
        date_begin: at(plusDays(monday, 7), '00:00', 'Pacific/Kiritimati'),
        date_end: at(plusDays(monday, 7), '09:00', 'Pacific/Kiritimati'),
      });
    });
  });
  afterAll(() => app.close());

  const inWeek = async (first: string): Promise<string[]> => {
    const domain = [
      ['begin_day', '<', plusDays(first, 7)],
      ['end_day', '>=', first],
    ] as const;
    const rows = await app.read((ctx) => ctx.model(EventEvent).find(domain, { select: { name: true } }));
    return rows.map(({ name }) => name);
  };

  it('belong to the week of their place, midnight to the day that ends', async () => {
    expect(await inWeek(plusDays(monday, -7))).toEqual([]);
    expect(await inWeek(monday)).toEqual(['Sydney breakfast', 'Pago Pago supper']);
    expect(await inWeek(plusDays(monday, 7))).toEqual(['Kiritimati morning']);
  });

  once('name the time of their place in calendar files', async () => {
    const path = await app.read(async (ctx) => {
      const [row] = await ctx
        .model(EventEvent)
        .find([['name', '=', 'Sydney breakfast']], { select: { website_url: true } });
      return String(row?.website_url);
    });
    const { text } = await app.get(`${path}/ics`);
    expect(text.replaceAll('\r\n ', '')).toMatch(/DESCRIPTION:.*6:00\s–\s8:00\sAM \(Sydney time\)/);
  });

  it('are grouped by the days of their place, and found by what the groups say', async () => {
    const admin = await app.as('admin');
    const call = <T>(model: string, method: string, kwargs: object): Promise<T> =>
      admin.rpc<T>('/web/dataset/call_kw', { model, method, args: [], kwargs });
    const grouped = async (model: string, domain: readonly unknown[], groupby: readonly string[], tz: string) => {
      const context = { tz };
      const groups = await call<Record<string, unknown>[]>(model, 'read_group', {
        domain,
        fields: [],
        groupby,
        lazy: false,
        context,
      });
      const names = (group: Record<string, unknown>) =>
        call<{ name: string }[]>(model, 'search_read', { domain: group.__domain, fields: ['name'], context });
      const found: (readonly [string, unknown])[] = [];
      for (const group of groups)
        for (const { name } of await names(group)) found.push([name, group[groupby.at(-1) ?? '']]);
      return found;
    };
    const text = new Intl.DateTimeFormat('en-US', {
      day: '2-digit',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    });
    const shown = (day: string): string => text.format(new Date(`${day}T00:00:00Z`));
    const days = [
      ['Sydney breakfast', shown(monday)],
      ['Pago Pago supper', shown(plusDays(monday, 6))],
      ['Kiritimati morning', shown(plusDays(monday, 7))],
    ];
    const domain = [['name', 'in', days.map(([name]) => name)]];
    const mass = await app.write((ctx) =>
      ctx.model(CalendarEvent).create({ name: 'Midnight mass', start: momentAt(monday, '23:30', 'Europe/Paris') }),
    );
    for (const zone of ['Europe/Paris', 'Pacific/Auckland']) {
      expect(await grouped('event.event', domain, ['date_begin:week', 'date_end:day'], zone)).toEqual(days);
      expect(await grouped('calendar.event', [['name', '=', 'Midnight mass']], ['start:day'], zone)).toEqual([
        ['Midnight mass', shown(monday)],
      ]);
    }
    await app.write((ctx) => ctx.model(CalendarEvent).unlink(mass));
  });

  it('are counted by the days of their place after their zone was changed', async () => {
    const days = await app.write(async (ctx) => {
      const events = ctx.model(EventEvent);
      const made = await makeEvent(ctx, {
        name: 'Moved',
        date_tz: 'America/New_York',
        date_begin: momentAt(monday, '23:30', 'America/New_York'),
        date_end: momentAt(monday, '23:45', 'America/New_York'),
        state: 'draft',
      });
      const before = await events.get(made.event, { select: { begin_day: true } });
      await events.write(made.event, { date_tz: 'Europe/Paris' });
      const after = await events.get(made.event, { select: { begin_day: true } });
      await events.unlink(made.event);
      return [before.begin_day, after.begin_day];
    });
    expect(days).toEqual([monday, plusDays(monday, 1)]);
  });

  it.each(['week', 'nextweek', 'month', 'today'] as const)('have periods that find events (%s)', async (period) => {
    const found = await app.write(async (ctx) => {
      const today = ctx.today('Australia/Sydney');
      const { event } = await makeEvent(ctx, {
        name: 'Soon',
        date_tz: 'Australia/Sydney',
        date_begin: new Date(ctx.now().getTime() - 60_000),
        date_end: new Date(ctx.now().getTime() + 60_000),
      });
      const there = ctx.as({ timezone: 'Australia/Sydney' });
      const ids = await there.model(EventEvent).search(inPeriod(there, period));
      await ctx.model(EventEvent).unlink(event);
      return today === there.today() && ids.includes(event);
    });
    expect(found).toBe(period !== 'nextweek');
  });

  once('name their zone to calendars', async () => {
    const seconds = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
    const { events } = (
      await app
        .visitor()
        .get(`/calendar_block/get_events/${seconds(plusDays(monday, -2))}/${seconds(plusDays(monday, 2))}`)
    ).json<{ events: { title: string; start: string; timezone: string }[] }>();
    expect(events).toMatchObject([{ title: 'Sydney breakfast', timezone: 'Australia/Sydney' }]);
  });

  once('take their zone from the site, whoever makes them', async () => {
    await app.write((ctx) => ctx.model(User).create({ login: 'kay', name: 'Kay', tz: 'Asia/Tokyo' }));
    const zone = await app.write(async (ctx) => {
      const { date_tz } = await ctx.as({ timezone: 'Asia/Tokyo' }).model(EventEvent).defaults(['date_tz']);
      return date_tz;
    });
    expect(zone).toBe('Europe/Paris');
  });

  it('are exported on the clocks of their place, and read again as the same moments', async () => {
    const admin = await app.as('admin');
    const csv = async (): Promise<string> => {
      const file = await admin.rpc<{ content: string }>('/web/backend/export', {
        model: 'event.event',
        fields: ['name', 'date_begin', 'date_end'],
        format: 'csv',
        domain: [['name', '=', 'Sydney breakfast']],
      });
      return Buffer.from(file.content, 'base64').toString();
    };
    expect(await csv()).toMatch(new RegExp(`${monday} 06:00:00\\+1[01]:00.*${monday} 08:00:00\\+1[01]:00`));
    const lines = [
      'name,date_tz,date_begin,date_end',
      `With its zone,America/New_York,${monday} 19:00,${monday} 21:00`,
      `With an offset,America/New_York,${monday} 19:00:00-05:00,${monday} 21:00:00-05:00`,
    ];
    const file = Buffer.from(lines.join('\n')).toString('base64');
    const mapping = ['name', 'date_tz', 'date_begin', 'date_end'];
    const preview = await admin.rpc<{ sample: string[][]; timezone: string | null }>('/web/backend/import/read', {
      model: 'event.event',
      file,
      mapping,
    });
    expect(preview.timezone).toBeNull();
    expect(preview.sample.map(([, , begin]) => begin?.replaceAll(/\s/g, ' '))).toContainEqual(
      expect.stringMatching(/7:00 PM \(New York time\)$/),
    );
    await admin.rpc('/web/backend/import/run', { model: 'event.event', file, mapping, dryRun: false });
    const read = await app.write(async (ctx) => {
      const domain = [['name', 'like', 'With ']] as const;
      const rows = await ctx.model(EventEvent).find(domain, { select: { name: true, date_begin: true } });
      await ctx.model(EventEvent).unlink(rows.map(({ id }) => id));
      return new Map(rows.map(({ name, date_begin }) => [name, date_begin]));
    });
    expect(read.get('With its zone')).toEqual(momentAt(monday, '19:00', 'America/New_York'));
    expect(read.get('With an offset')).toEqual(new Date(`${monday}T19:00:00-05:00`));
  });

  once('are edited on their page on the clocks of their place', async () => {
    const [id] = await app.read((ctx) => ctx.model(EventEvent).search([['name', '=', 'Sydney breakfast']]));
    const admin = await app.as('admin');
    const { elements } = await admin.rpc<{ elements: object[] }>('/website/editor/open', {
      lang: 'en_US',
      elements: [{ model: 'event.event', id, field: 'date_begin' }],
    });
    expect(elements).toMatchObject([{ type: 'datetime', timezone: 'Australia/Sydney' }]);
  });

  once('tell clients of their zone', async () => {
    const fields = await app.read(async (ctx) => ctx.model(EventEvent).fields.date_begin?.options.timezone);
    expect(fields).toBe('date_tz');
  });
});
