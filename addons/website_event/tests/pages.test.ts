import { jest } from '@jest/globals';
import { Country, Partner, User } from '@pergola/base';
import { Stock } from '@pergola/sale';
import { WebsitePage } from '@pergola/website';
import { type Identity, identityOf } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventType } from '../models/event-type.ts';
import { filterChoices } from '../pages/filter.ts';
import { whenOf } from '../services/event-dates.ts';
import { regionOf } from '../services/visitor-country.ts';
import { after, day, hour, type Made, makeCart, makeEvent, putTickets } from './kit.ts';

eachDatabase('Events on the website', (database, once) => {
  let app: TestApp;
  let fair: Made;
  let belgium: number;

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database });
    fair = await app.write(async (ctx) => {
      const [country] = await ctx.model(Country).search([['code', '=', 'BE']]);
      belgium = country ?? 0;
      const place = await ctx.model(Partner).create({
        name: 'The Hall',
        street: 'Rue Haute 1',
        zip: '1000',
        city: 'Brussels',
        country_id: belgium,
        email: 'secret@example.com',
      });
      await makeEvent(ctx, { name: 'Webinar', date_begin: after(2 * day), date_end: after(2 * day + hour) });
      await makeEvent(ctx, { name: 'Hidden', website_published: false });
      await makeEvent(ctx, { name: 'Called off', state: 'cancel' });
      await makeEvent(ctx, { name: 'Long ago', state: 'done', date_begin: after(-9 * day), date_end: after(-8 * day) });
      return makeEvent(
        ctx,
        {
          name: { en_US: 'Garden fair', fr_FR: 'Foire au jardin' },
          summary: 'Seeds & soup',
          description: '<p>Bring gloves.</p><script>alert(1)</script>',
          address_id: place,
        },
        [
          { name: 'Standard', price: '1000', seats: 20 },
          { name: 'VIP', price: '1500', seats: 4 },
          { name: 'Free', price: '0' },
        ],
      );
    });
  });
  afterAll(() => app?.close());

  once('are shown by formats of dates that were made before: one is dearer than all else of an event', async () => {
    await app.get('/event?fresh=1');
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    expect((await app.get('/event?fresh=2')).status).toBe(200);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  const titles = (html: string): string[] =>
    [...html.matchAll(/<a class="[^"]*event-link[^"]*"[^>]*>([^<]*)</g)].map(([, title]) => title ?? '');

  it('are listed, the next ones first, without what is over, cancelled or not published', async () => {
    const { status, text } = await app.get('/event');
    expect(status).toBe(200);
    expect(titles(text)).toEqual(['Webinar', 'Garden fair']);
    expect(text).toContain('The Hall, Brussels, Belgium');
    expect(text).not.toContain('secret@example.com');
    const near = async (path: string) => (await app.get(path)).text.includes('class="event-near"');
    expect([await near('/event'), await near('/event?search=fair')]).toEqual([true, false]);
  });

  it('are counted in the filters as far as the caller may see them', async () => {
    const all = { date: 'all', type: null, country: null, search: '' } as const;
    const count = (user: Identity | null) =>
      app.read(async (ctx) => (await filterChoices(user ? ctx.as({ user }) : ctx, all)).countries[0]?.count);
    const [visitor, admin] = await app.read(async (ctx) => [
      await anonymousIdentity(ctx),
      await identityOf(ctx, (await ctx.model(User).search([['login', '=', 'admin']]))[0] ?? 0),
    ]);
    expect(await count(visitor)).toBe(2);
    expect(await count(admin)).toBeGreaterThan(2);
  });

  it.each([
    ['?date=old', ['Long ago']],
    ['?country=online', ['Webinar']],
    ['?date=all&country=999999', []],
    ['?country=elsewhere', []],
    ['?search=garden', ['Garden fair']],
    // Mistyped words are taken as those that are meant.
    ['?search=gardne', ['Garden fair']],
    ['?type=12345', []],
    ['?date=never&type=x&country=%00&page=-1', ['Webinar', 'Garden fair']],
    ['/page/99', ['Webinar', 'Garden fair']],
  ])('are narrowed by %s', async (query, expected) => {
    const { status, text } = await app.get(`/event${query}`);
    expect(status).toBe(200);
    expect(titles(text)).toEqual(expected);
  });

  once.each([
    ['en_US', 'Fri, Nov 27 – Tue, Dec 1, 2026', 'Tue, Jan 26, 2027, 9:00 PM – 12:30 AM'],
    ['fr_FR', 'ven. 27 nov. – mar. 1 déc. 2026', 'mar. 26 janv. 2027, 21:00 – 00:30'],
  ])('of days say days on their cards, and those of a night its hours, in %s', async (lang, days, night) => {
    const briefOf = (begin: string, end: string) =>
      app.read(async (ctx) => {
        const dates = { date_begin: new Date(begin), date_end: new Date(end), date_tz: 'Europe/Paris' };
        return whenOf(ctx.as({ lang }), dates).brief.replace(/\s/gu, ' ');
      });
    expect(await briefOf('2026-11-27T09:00Z', '2026-12-01T17:00Z')).toBe(days);
    expect(await briefOf('2027-01-26T20:00Z', '2027-01-26T23:30Z')).toBe(night);
  });

  once.each([
    ['2027-10-31T00:30Z', '2027-10-31T01:30Z', 'Sun, Oct 31, 2027, 2:30 AM GMT+2 – 2:30 AM GMT+1'],
    ['2027-10-30T23:30Z', '2027-10-31T01:30Z', 'Sun, Oct 31, 2027, 1:30 AM GMT+2 – 2:30 AM GMT+1'],
    ['2027-10-31T00:30Z', '2027-10-31T03:00Z', 'Sun, Oct 31, 2027, 2:30 AM GMT+2 – 4:00 AM GMT+1'],
    ['2027-10-30T23:00Z', '2027-10-31T04:00Z', 'Sun, Oct 31, 2027, 1:00 – 5:00 AM'],
    ['2027-03-28T00:30Z', '2027-03-28T01:30Z', 'Sun, Mar 28, 2027, 1:30 – 3:30 AM'],
  ])('says both times where clocks show an hour twice: %s to %s', async (begin, end, text) => {
    const dates = { date_begin: new Date(begin), date_end: new Date(end), date_tz: 'Europe/Paris' };
    const when = await app.read(async (ctx) => whenOf(ctx.as({ lang: 'en_US' }), dates));
    expect(when.text.replace(/\s/gu, ' ')).toBe(text);
    expect(when.brief.replace(/\s/gu, ' ')).toBe(text);
  });

  once.each([
    ['en_US', 'Fri, Nov 27, 9:00 AM'],
    ['fr_FR', 'ven. 27 nov., 09:00'],
  ])('begin at an hour that is written the same everywhere, in %s', async (lang, short) => {
    const begin = new Date('2026-11-27T08:00Z');
    const dates = { date_begin: begin, date_end: begin, date_tz: 'Europe/Paris' };
    const found = await app.read(async (ctx) => whenOf(ctx.as({ lang }), dates).short);
    expect(found.replace(/\s/gu, ' ')).toBe(short);
  });

  once('come before the filters on a phone, whose button says how many are chosen', async () => {
    const button = async (query: string) =>
      /<details class="event-filters"[^>]*>\s*<summary[^>]*>.*?<\/summary>/s.exec(
        (await app.get(`/event${query}`)).text,
      )?.[0];
    expect(await button('?search=garden')).not.toMatch(/ open|badge/);
    expect(await button('?date=all&country=online&search=garden')).toMatch(/^<details((?! open).)*badge[^>]*>1</s);
  });

  it('of a country are those that take place there', async () => {
    expect(titles((await app.get(`/event?country=${belgium}`)).text)).toEqual(['Garden fair']);
  });

  it('count once among the countries, so that these add up', async () => {
    const filter = await app.read((ctx) => filterChoices(ctx, { date: 'all', type: null, country: null, search: '' }));
    const [all, ...places] = filter.countries.map(({ count }) => count ?? 0);
    expect(places.length).toBeGreaterThan(1);
    expect(places.reduce((sum, count) => sum + count, 0)).toBe(all);
  });

  it('are offered by the kinds that some have, and by the chosen one', async () => {
    const [course = 0, walk = 0] = await app.write(async (ctx) => {
      const types = await ctx.model(EventType).create([{ name: 'Course' }, { name: 'Walk' }]);
      await makeEvent(ctx, {
        name: 'Night walk',
        type: types[1],
        date_begin: after(90 * day),
        date_end: after(91 * day),
      });
      return types;
    });
    const kinds = async (type: number | null) => {
      const filter = { date: 'all', type, country: null, search: '' } as const;
      const { types } = await app.read((ctx) => filterChoices(ctx, filter));
      return types.map(({ label, active }) => `${label}${active ? ' *' : ''}`);
    };
    expect(await kinds(null)).toEqual(['All types *', 'Walk']);
    expect(await kinds(walk)).toEqual(['All types', 'Walk *']);
    expect(await kinds(course)).toEqual(['All types', 'Course *', 'Walk']);
    await app.write(async (ctx) => {
      await ctx.model(EventEvent).unlink(await ctx.model(EventEvent).search([['type', '=', walk]]));
      await ctx.model(EventType).unlink([course, walk]);
    });
  });

  /** How many ways to choose a number of a ticket its form has; zero is one of them. */
  const options = (text: string, ticket: number | undefined): number =>
    (new RegExp(`<select[^>]*name="ticket-${ticket}"[^>]*>(.*?)</select>`, 's').exec(text)?.[1] ?? '').split('<option')
      .length - 1;

  once('have a page with their name as plain text, place, prices, and a form for tickets', async () => {
    const { text } = await app.get(`/event/garden-fair-${fair.event}/register`);
    expect(text).not.toMatch(/<a[^>]*>[^<]*Garden fair/);
    expect(text).toContain('Rue Haute 1');
    expect(text).toContain('Bring gloves.');
    expect(text).not.toContain('alert(1)');
    const [standard, vip, free] = fair.tickets;
    expect([options(text, standard), options(text, vip), options(text, free)]).toEqual([10, 5, 10]);
    expect(text).toContain('1,000.00');
    expect(text).toContain('Order Now');
  });

  it('offer everybody only the seats that are in nobody’s cart, whatever was read of them before', async () => {
    const [, vip = 0] = fair.tickets;
    const offered = async () =>
      options((await app.visitor().get(`/event/garden-fair-${fair.event}/register`)).text, vip);
    expect(await offered()).toBe(5);
    const cart = await app.write(async (ctx) => {
      const made = await makeCart(ctx);
      await putTickets(ctx, made, vip, 3);
      return made;
    });
    expect(await offered()).toBe(2);
    await app.write((ctx) => ctx.get(Stock).release([cart]));
    expect(await offered()).toBe(5);
  });

  once('tell machines when and where they are, and what tickets cost', async () => {
    const { text } = await app.get(`/event/garden-fair-${fair.event}/register`);
    const graph: unknown = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}');
    expect(JSON.stringify(graph)).toContain('"addressLocality":"Brussels"');
    expect(graph).toMatchObject({
      '@graph': expect.arrayContaining([
        expect.objectContaining({
          '@type': 'Event',
          name: 'Garden fair',
          eventStatus: 'https://schema.org/EventScheduled',
          offers: expect.arrayContaining([
            expect.objectContaining({ name: 'Standard', price: '1000.00', priceCurrency: 'EUR' }),
          ]),
        }),
      ]),
    });
  });

  once('lead from their address to their tickets, and from an old one to the right one', async () => {
    const own = await app.get(`/event/garden-fair-${fair.event}`);
    expect([own.status, own.location]).toEqual([302, `/event/garden-fair-${fair.event}/register`]);
    const old = await app.get(`/event/former-name-${fair.event}/register`);
    expect([old.status, old.location]).toEqual([301, `/event/garden-fair-${fair.event}/register`]);
  });

  once('that are not published are not there for visitors, like those that never were', async () => {
    const hidden = await app.read(async (ctx) => (await ctx.model(EventEvent).search([['name', '=', 'Hidden']]))[0]);
    for (const path of [`hidden-${hidden}/register`, `hidden-${hidden}/ics`, '999999/register']) {
      expect((await app.get(`/event/${path}`)).status).toBe(404);
    }
  });

  once('are a file for calendars', async () => {
    const { status, headers, text } = await app.get(`/event/garden-fair-${fair.event}/ics`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(text).toContain('SUMMARY:Garden fair');
    expect(text.replaceAll('\r\n ', '')).toContain('LOCATION:The Hall\\, Rue Haute 1\\, 1000 Brussels\\, Belgium');
  });

  it('raise the number of their calendar entry with each change of time, place or status', async () => {
    const { event } = await app.write((ctx) => makeEvent(ctx, { name: 'Moved' }));
    const entry = async () => {
      const { text } = await app.get(`/event/moved-${event}/ics`);
      return [/SEQUENCE:(\d+)/.exec(text)?.[1], /STATUS:(\w+)/.exec(text)?.[1]];
    };
    const change = (values: object) => app.write((ctx) => ctx.model(EventEvent).write(event, values));
    const begin = after(6 * day);
    expect(await entry()).toEqual(['0', 'CONFIRMED']);
    await change({ date_begin: begin, date_end: after(7 * day) });
    expect(await entry()).toEqual(['1', 'CONFIRMED']);
    await change({ date_begin: begin });
    await change({ summary: 'Another sentence' });
    expect(await entry()).toEqual(['1', 'CONFIRMED']);
    await change({ address_id: await app.write((ctx) => ctx.model(Partner).create({ name: 'Elsewhere' })) });
    await change({ online_url: 'https://meet.example.org/moved' });
    expect(await entry()).toEqual(['3', 'CONFIRMED']);
    await change({ state: 'cancel' });
    expect(await entry()).toEqual(['4', 'CANCELLED']);
  });

  once('are in French on French pages', async () => {
    const { text } = await app.get('/fr/event');
    expect(titles(text)).toContain('Foire au jardin');
    const page = await app.get(`/fr/event/foire-au-jardin-${fair.event}/register`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Commander');
  });

  describe('near the visitor', () => {
    const ask = (headers: Record<string, string> = {}, body?: string) =>
      app.visitor().post('/event/get_country_event_list', { headers, ...(body === undefined ? {} : { body }) });

    once('are answered as HTML to a plain POST', async () => {
      const { status, headers, text } = await ask();
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain('class="country_events_list"');
      expect(text).toMatch(/>Webinar<\/a>(?:(?!<\/li>)[\s\S])*·\s+Online/);
      expect(text).toMatch(/>Garden fair<\/a>(?:(?!<\/li>)[\s\S])*· Brussels/);
      expect(text).toContain('Webinar');
    });

    once('are answered as the result of a JSON-RPC call', async () => {
      const result = await app.rpc<string>('/event/get_country_event_list');
      expect(result).toContain('Webinar');
    });

    once('go by the country that the proxy tells', async () => {
      const { text } = await ask({ 'CF-IPCountry': 'BE' });
      expect(text).toContain('Upcoming events in Belgium');
      expect(text).toContain('Garden fair');
      expect((await ask({ 'CF-IPCountry': 'XX<' })).text).not.toContain('Upcoming events in');
    });

    once.each([
      ['fr-BE, fr;q=0.9', 'Belgique'],
      ['nl-BE, en;q=0.5', 'Upcoming events in Belgium'],
      ['en-GB, fr-BE;q=0.5', null],
      ['*', null],
    ])('go by the region of the language “%s”', async (language, country) => {
      const { text } = await ask({ 'Accept-Language': language });
      if (country) expect(text).toContain(country);
      else expect(text).not.toContain('Upcoming events in');
    });

    once.each([
      ['de-CH, de;q=0.9, en;q=0.8', 'CH'],
      ['fr, fr-BE;q=0.8', 'BE'],
      ['de, en-US;q=0.7', 'DE'],
      ['en', 'US'],
      ['es-419', '419'],
      ['', null],
      ['*', null],
      ['not a language', null],
      [undefined, null],
    ])('the region of “%s” is %s', (header, region) => {
      expect(regionOf(header)).toBe(region);
    });

    once('go by the country that a visitor chose, until they choose another or all', async () => {
      const visitor = app.visitor();
      const near = async () => (await visitor.get('/event', { headers: { 'Accept-Language': 'en-GB' } })).text;
      const chooses = (country: string) => visitor.form('/event/country', { country, r: '/event?type=1' });
      expect(await near()).not.toContain('Upcoming events in');
      expect((await chooses('BE')).location).toBe('/event?type=1');
      expect(await near()).toContain('Upcoming events in Belgium');
      expect((await chooses('QQ')).status).toBe(422);
      expect(await near()).toContain('Upcoming events in Belgium');
      await chooses('');
      expect(await near()).not.toContain('Upcoming events in');
      expect((await visitor.form('/event/country', { country: 'BE', r: 'https://example.com/' })).location).toBe('/');
    });

    once('are one of the parts that pages ask for again by their ids', async () => {
      const { text } = await app.visitor().post('/website/multi_render', {
        headers: { 'Content-Type': 'application/json', 'CF-IPCountry': 'BE' },
        body: JSON.stringify({
          method: 'call',
          params: { ids_or_xml_ids: ['website_event.country_events', 'website_event.card'] },
        }),
      });
      expect(Object.keys((JSON.parse(text) as { result: object }).result)).toEqual(['website_event.country_events']);
      expect(text).toContain('Upcoming events in Belgium');
    });

    once('stand in the kept list of events, each visitor with their own', async () => {
      const near = async (country: string) =>
        (await app.visitor().get('/event', { headers: { 'CF-IPCountry': country } })).text;
      expect(await near('BE')).toMatch(/class="country_events[\s\S]*Upcoming events in Belgium/);
      const { hits } = app.pageCache.stats;
      expect(await near('US')).not.toContain('Upcoming events in');
      // Who is somewhere by the word of the proxy has nothing to choose.
      expect(await near('BE')).not.toContain('action="/event/country"');
      expect(app.pageCache.stats.hits).toBe(hits + 1);
    });

    once('refuse what is no call', async () => {
      expect((await ask({ 'Content-Type': 'application/json' }, '[')).status).toBeGreaterThanOrEqual(400);
    });
  });

  once.each([
    ['a number below zero', (ticket: number) => ({ [`ticket-${ticket}`]: -1 }), 422],
    ['a ticket of another event', () => ({ 'ticket-999999': 1 }), 422],
    ['no number', (ticket: number) => ({ [`ticket-${ticket}`]: '5abc' }), 303],
    ['nothing', () => ({}), 303],
  ])('with a form for tickets that brings %s take nothing', async (_what, fields, status) => {
    const visitor = app.visitor();
    const answer = await visitor.form(`/event/cart/update?event_id=${fair.event}`, fields(fair.tickets[0] ?? 0));
    expect(answer.status).toBe(status);
    if (status === 303) {
      expect(answer.location).toBe(`/event/garden-fair-${fair.event}/register?note=none`);
      expect((await visitor.get(answer.location ?? '')).text).toContain('Choose how many tickets you would like.');
    }
    expect((await visitor.get('/shop/cart')).text).toContain('Your cart is empty!');
  });

  once('that do not exist have no form for tickets either', async () => {
    expect((await app.visitor().form('/event/cart/update?event_id=999999', { 'ticket-1': 1 })).status).toBe(404);
    expect((await app.visitor().form('/event/cart/update', { 'ticket-1': 1 })).status).toBe(404);
  });

  once('near the visitor stand in pages where editors put them, whatever page is kept', async () => {
    await app.write((ctx) =>
      ctx.model(WebsitePage).create({
        name: 'Near',
        url: '/near',
        website_published: true,
        content: '<div data-block="website_event.country_events" data-options="{}"></div>',
      }),
    );
    const near = async (country: string) =>
      (await app.visitor().get('/near', { headers: { 'CF-IPCountry': country } })).text;
    expect(await near('BE')).toContain('Upcoming events in Belgium');
    expect(await near('US')).not.toContain('Upcoming events in');
    expect(await near('BE')).toContain('Upcoming events in Belgium');
  });

  once('are in the calendar of the site', async () => {
    const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
    const { events } = (
      await app.visitor().get(`/calendar_block/get_events/${seconds(after(0))}/${seconds(after(30 * day))}`)
    ).json<{ events: { id: string; title: string; url?: string }[] }>();
    expect(events.map(({ title }) => title)).toEqual(['Webinar', 'Garden fair']);
    expect(events[1]).toMatchObject({ id: `event-${fair.event}`, url: `/event/garden-fair-${fair.event}/register` });
  });

  once('can be followed', async () => {
    const status = await app.rpc('/website_mail/is_follower', { model: 'event.event', id: fair.event });
    expect(status).toMatchObject({ is_follower: false, is_user: false });
    expect(
      await app.rpc('/website_mail/follow', {
        object: 'event.event',
        id: fair.event,
        email: 'a@example.com',
        message_is_follower: 'off',
      }),
    ).toBe(true);
  });

  once('are made by those who organise events only', async () => {
    const admin = await app.as('admin');
    const made = await admin.form('/event/add_event', { event_name: 'Brand new' });
    expect(made.location).toMatch(/^\/event\/brand-new-\d+\/register\?enable_editor=1$/);
    expect((await app.visitor().form('/event/add_event', { event_name: 'x' })).status).toBeGreaterThanOrEqual(300);
  });
});
