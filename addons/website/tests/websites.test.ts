import { Language } from '@pergola/base';
import { InvalidInput } from 'pergola';
import { createTestApp, refusal, someDatabase, type TestApp } from 'pergola/testing';
import { Website } from '../models/website.ts';
import { WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { WebsiteRedirect } from '../models/website-redirect.ts';
import { getFrom } from './kit.ts';

someDatabase('websites', (database) => {
  let app: TestApp;
  let second: number;
  const host = 'deuxieme.example';

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
    second = await app.write(async (ctx) => {
      const [fr, en] = [await ctx.ref('base.lang_fr'), await ctx.ref('base.lang_en')];
      const id = await ctx.model(Website).create({
        name: 'Deuxième site',
        domain: `https://${host.toUpperCase()}:8443/x`,
        language_ids: [fr, en],
        default_lang_id: fr,
        timezone: 'America/Toronto',
      });
      const page = { name: 'P', website_published: true };
      await ctx.model(WebsitePage).create([
        { ...page, url: '/both', content: '<p>of both sites</p>' },
        { ...page, url: '/first-only', content: '<p>of the first site</p>', website_id: 1 },
        { ...page, url: '/second-only', content: '<p>of the second site</p>', website_id: id },
        { ...page, url: '/mixed', content: '<p>for all</p>' },
        { ...page, url: '/mixed', content: '<p>for the second</p>', website_id: id },
      ]);
      return id;
    });
  });
  afterAll(() => app.close());

  it('work that no request asked for goes by the clocks of the first site', async () => {
    const zones = () => app.read(async (ctx) => [ctx.timezone, ctx.siteTimezone]);
    expect(await zones()).toEqual(['UTC', 'UTC']);
    await app.write((ctx) => ctx.model(Website).write(1, { timezone: 'Pacific/Kiritimati' }));
    expect(await zones()).toEqual(['Pacific/Kiritimati', 'Pacific/Kiritimati']);
    const [today, now] = await app.read(async (ctx) => [ctx.today(), ctx.now().getTime()] as const);
    expect(today).toBe(new Date(now + 14 * 3_600_000).toISOString().slice(0, 10));
    await app.write((ctx) => ctx.model(Website).write(1, { timezone: null }));
    expect(await zones()).toEqual(['UTC', 'UTC']);
  });

  it('each host name has its own site, and what is nobody’s is not served', async () => {
    const [first, otherSite] = [await app.get('/both'), await getFrom(app, host, '/both')];
    expect(first.text).toContain('data-website-id="1"');
    expect(otherSite.text).toContain(`data-website-id="${second}"`);
    expect(otherSite.text).toContain('| Deuxième site</title>');
    expect(otherSite.text).toContain('<link rel="canonical" href="http://deuxieme.example');
    expect((await getFrom(app, 'nobody.example', '/both')).status).toBe(421);
  });

  it.each(['Deuxième Site 2026', 'deuxieme.example', 'd3uxieme8'])(
    'no password contains the name or host of a website: %s',
    async (password) => {
      const registration = { name: 'Ada', email: 'ada@example.org', password, confirm: password };
      const { status, text } = await app.form('/web/signup', registration);
      expect(status).toBe(422);
      expect(text).toContain('the name of the site or company');
    },
  );

  it('each site has its own default language', async () => {
    expect((await getFrom(app, host, '/both')).text).toContain('lang="fr-FR"');
    expect((await getFrom(app, host, '/en/both')).text).toContain('lang="en-US"');
    expect(await getFrom(app, host, '/fr/both')).toMatchObject({ status: 301, location: '/both' });
    expect(await getFrom(app, host, '/both', { 'Accept-Language': 'en' })).toMatchObject({
      status: 302,
      location: '/en/both',
    });
  });

  it('a language that is switched off is nowhere, and back as it was', async () => {
    const french = await app.read((ctx) => ctx.ref('base.lang_fr'));
    const change = (id: number, values: object) => app.write((ctx) => ctx.model(Website).write(id, values));
    const turn = (method: 'switch_on' | 'switch_off') =>
      app.write(async (ctx) => ctx.model(Language)[method]([french]));
    const error = await refusal(turn('switch_off'));
    expect([error.code, error.params]).toEqual([
      'website.default_language',
      { language: 'Français', site: 'Deuxième site' },
    ]);

    const english = await app.read((ctx) => ctx.ref('base.lang_en'));
    await change(second, { default_lang_id: english });
    expect((await app.visitor().get('/fr/both')).status).toBe(200);
    await turn('switch_off');
    expect((await app.visitor().get('/fr/both')).status).toBe(404);
    expect((await app.get('/both')).text).not.toContain('data-slot="languages"');
    expect((await refusal(change(second, { default_lang_id: french }))).code).toBe('website.default_language');
    await turn('switch_on');
    await change(second, { default_lang_id: french });
    expect((await app.visitor().get('/fr/both')).status).toBe(200);
  });

  it('visitors choose from the default language, then from the others in their order', async () => {
    const german = await app.write(async (ctx) => {
      const id = await ctx.model(Language).create({ name: 'Deutsch', code: 'de_DE', url_code: 'de', sequence: 0 });
      await ctx.model(Website).write(second, {
        language_ids: [...(await ctx.model(Website).get(second, { select: { language_ids: true } })).language_ids, id],
      });
      return id;
    });
    // They appear in the header and in the phone menu.
    const languageLinks = async () => {
      const { text } = await getFrom(app, host, '/both');
      return [...new Set([...text.matchAll(/js_change_lang"[^>]*\slang="([^"]+)"/g)].map(([, tag]) => tag))];
    };
    expect(await languageLinks()).toEqual(['fr-FR', 'de-DE', 'en-US']);
    await app.write((ctx) => ctx.model(Language).write(german, { sequence: 50 }));
    expect(await languageLinks()).toEqual(['fr-FR', 'en-US', 'de-DE']);
    await app.write((ctx) => ctx.model(Language).unlink([german]));
  });

  it('pages of one site are not on the other', async () => {
    expect((await app.get('/first-only')).status).toBe(200);
    expect((await app.get('/second-only')).status).toBe(404);
    expect((await getFrom(app, host, '/second-only')).status).toBe(200);
    expect((await getFrom(app, host, '/first-only')).status).toBe(404);
    expect((await getFrom(app, host, '/both')).status).toBe(200);
  });

  it('a site’s own page comes before the one of all sites', async () => {
    expect((await app.get('/mixed')).text).toContain('for all');
    expect((await getFrom(app, host, '/mixed')).text).toContain('for the second');
  });

  it('calls of a visitor see the pages of the site they are made on only', async () => {
    const visible = await app.read(async (ctx) => {
      const user = {
        id: null,
        partnerId: null,
        name: 'V',
        login: null,
        groups: new Set(['base.group_public']),
        lang: null,
        timezone: null,
      };
      const website = ctx.attributes.website;
      expect(website).toBeUndefined();
      const rows = await ctx
        .as({ user })
        .model(WebsitePage)
        .find([], { select: { url: true } });
      return rows.map(({ url }) => url);
    });
    // Outside a request there is no current site.
    expect(visible).toEqual(expect.arrayContaining(['/first-only', '/second-only']));
    expect((await getFrom(app, host, '/sitemap.xml')).text).not.toContain('/first-only');
    expect((await app.get('/sitemap.xml')).text).not.toContain('/second-only');
  });

  it('a site may have a menu of its own, beside the entries of all sites', async () => {
    await app.write(async (ctx) => {
      const root = await ctx.model(WebsiteMenu).create({ name: 'Menu', website_id: second });
      await ctx
        .model(WebsiteMenu)
        .create({ name: 'Only here', url: '/second-only', parent_id: root, website_id: second });
    });
    const otherHost = (await getFrom(app, host, '/both')).text;
    expect(otherHost).toContain('>Only here</a>');
    expect(otherHost).toContain('>Contact</a>');
    expect((await app.get('/both')).text).not.toContain('Only here');
  });

  it('redirects of a site lead nowhere on another', async () => {
    await app.write((ctx) =>
      ctx.model(WebsiteRedirect).create([
        { url_from: '/old', url_to: '/both', website_id: second },
        { url_from: '/old-everywhere', url_to: '/both', type: '302' },
      ]),
    );
    expect(await getFrom(app, host, '/old')).toMatchObject({ status: 301, location: '/both' });
    expect((await app.get('/old')).status).toBe(404);
    expect(await app.get('/old-everywhere')).toMatchObject({ status: 302, location: '/both' });
  });

  it('a site has no name that is none, no zone that is none, and speaks its default language', async () => {
    const code = (values: object) =>
      app
        .write((ctx) => ctx.model(Website).write(second, values))
        .then(
          () => 'kept',
          (error: unknown) => (error instanceof InvalidInput ? error.code : String(error)),
        );
    expect(await code({ domain: 'not a host' })).toBe('website.bad_domain');
    expect(await code({ timezone: 'Mars/Olympus' })).toBe('website.bad_timezone');
    expect(await code({ language_ids: [] })).toBe('website.bad_default_lang');
    const [row] = await app.read((ctx) => ctx.model(Website).read([second], { select: { domain: true } }));
    expect(row?.domain).toBe(host);
  });

  it('dates are in the zone of the site', async () => {
    const pages = await app.read((ctx) => ctx.model(Website).get(second, { select: { timezone: true } }));
    expect(pages.timezone).toBe('America/Toronto');
  });

  it('what belongs to a site alone goes with it, and the last site stays', async () => {
    await using own = await createTestApp({ addons: ['website'], database });
    const site = await own.write(async (ctx) => {
      const lang = await ctx.ref('base.lang_fr');
      const id = await ctx
        .model(Website)
        .create({ name: 'Other', domain: host, language_ids: [lang], default_lang_id: lang });
      const pages = ['/everywhere', '/here'].map((url, index) => ({ name: 'P', url, website_id: index ? id : null }));
      await ctx.model(WebsitePage).create(pages.map((page) => ({ ...page, website_published: true })));
      const parent_id = await ctx.model(WebsiteMenu).create({ name: 'Menu', website_id: id });
      await ctx.model(WebsiteMenu).create({ name: 'Only here', url: '/here', parent_id, website_id: id });
      await ctx.model(WebsiteRedirect).create({ url_from: '/old', url_to: '/here', website_id: id });
      return id;
    });
    expect((await getFrom(own, host, '/here')).status).toBe(200);
    await own.write((ctx) => ctx.model(Website).unlink(site));
    const remaining = await own.read(async (ctx) => [
      await ctx.model(WebsitePage).count([['url', '=', '/here']]),
      await ctx.model(WebsitePage).count([['url', '=', '/everywhere']]),
      await ctx.model(WebsiteMenu).count([['name', '=', 'Only here']]),
      await ctx.model(WebsiteRedirect).count([['url_from', '=', '/old']]),
    ]);
    expect(remaining).toEqual([0, 1, 0, 0]);
    await expect(own.write((ctx) => ctx.model(Website).unlink(1))).rejects.toThrow(
      'You can’t delete the last website.',
    );
    expect((await getFrom(own, host, '/everywhere')).status).toBe(421);
  });
});
