import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { roots } from './fixtures/roots.ts';
import { getFrom } from './kit.ts';

/** Addresses of other sites in various notations (C40). */
const foreignAddresses = [
  'https://evil.example/',
  'http://evil.example',
  'HTTPS://EVIL.EXAMPLE/',
  '//evil.example',
  '///evil.example',
  '////evil.example/%2e%2e',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '/\r\n//evil.example',
  '/%0d%0aSet-Cookie:x=y',
  '/%09/evil.example',
  '/%2f/evil.example',
  '/%2f%2fevil.example',
  '%2f%2fevil.example',
  '/%5cevil.example',
  '/%5c%5cevil.example',
  '/%252f%252fevil.example',
  '/..//evil.example',
  '/./%2fevil.example',
  '/fr//evil.example',
  '/fr/%2fevil.example',
  '/fr/\\evil.example',
  '/en//evil.example',
  '/en/%2f%2fevil.example',
  '/fr_FR//evil.example',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'ftp://evil.example',
  'mailto:x@evil.example',
  'evil.example',
  '@evil.example',
  '/@evil.example/..//evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  '/％2f％2fevil.example//',
  '／／evil.example',
  '⁄⁄evil.example',
  '/\u2028/evil.example',
  '/\u0000//evil.example',
  ' //evil.example',
  '',
  '?',
  '#',
  '.',
  '..',
  '//',
  '/\\',
  'localhost',
  '//localhost.evil.example',
  '//evil.example@localhost',
  'https://localhost@evil.example/',
  `/${'a'.repeat(5000)}`,
];

someDatabase('calls', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_site'], roots, database });
  });
  afterAll(() => app.close());

  it('the chosen language is kept, and leads back to the page in it', async () => {
    const visitor = app.visitor();
    const french = await visitor.get('/website/lang/fr_FR?r=%2Fcontactus%3Fx%3D1%23form');
    expect(french).toMatchObject({ status: 303, location: '/fr/contactus?x=1#form' });
    expect(visitor.cookie('website_lang')).toBe('fr_FR');
    expect((await visitor.get('/')).location).toBe('/fr');
    const back = await visitor.get('/website/lang/default?r=%2Ffr%2Fcontactus%23form');
    expect(back).toMatchObject({ status: 303, location: '/contactus#form' });
    expect(visitor.cookie('website_lang')).toBe('en_US');
    expect((await visitor.get('/')).status).toBe(200);
  });

  it.each([
    ['/website/lang/fr_FR', '/fr'],
    ['/website/lang/fr?r=/contactus', '/fr/contactus'],
    ['/website/lang/fr-FR?r=/fr/contactus', '/fr/contactus'],
    ['/website/lang/en_US?r=/fr', '/'],
    ['/website/lang/default?r=/', '/'],
    ['/website/lang/fr_FR?r=/robots.txt', '/robots.txt'],
    ['/website/lang/fr_FR?r=/a&r=/b', '/fr/b'],
  ])('%s leads to %s', async (path, location) => {
    expect(await app.visitor().get(path)).toMatchObject({ status: 303, location });
  });

  it.each(['de_DE', 'x', '..%2f', '%2f%2fevil.example', 'constructor', 'f'])(
    'a language the site does not have: %s',
    async (lang) => {
      const answer = await app.visitor().get(`/website/lang/${lang}?r=/contactus`);
      expect(answer.status).toBe(404);
      expect(answer.headers.getSetCookie()).toEqual([]);
    },
  );

  it('never leads to another site, however it is written', async () => {
    for (const lang of ['fr_FR', 'default']) {
      for (const r of foreignAddresses) {
        const { status, location, headers } = await app
          .visitor()
          .get(`/website/lang/${lang}?r=${encodeURIComponent(r)}`);
        expect({ r, status }).toEqual({ r, status: 303 });
        const target = new URL(location ?? '', app.url);
        expect({ r, origin: target.origin }).toEqual({ r, origin: app.url });
        expect(location).toMatch(/^\/(?![/\\])/);
        expect(headers.get('set-cookie') ?? '').not.toContain('x=y');
      }
    }
  });

  it('no address of the site leads to another one either', async () => {
    for (const path of [
      '//evil.example',
      '/fr//evil.example',
      '/en//evil.example/',
      '/en/%2fevil.example/',
      '/fr_FR//evil.example/',
      '/page//evil.example/..',
    ]) {
      const { location } = await getFrom(app, 'localhost', path);
      if (location !== null) expect(new URL(location, app.url).origin).toBe(app.url);
    }
  });

  it('an evil host name is in no answer', async () => {
    for (const path of [
      '/',
      '/fr/contactus',
      '/sitemap.xml',
      '/robots.txt',
      '/website/lang/fr_FR?r=/',
      '/manifest.webmanifest',
      '/news.rss',
    ]) {
      expect((await getFrom(app, 'evil.example', path)).status).toBe(421);
      const forwarded = await getFrom(app, 'localhost', path, {
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'host=evil.example',
      });
      expect(forwarded.text + JSON.stringify(forwarded.headers)).not.toContain('evil.example');
    }
  });

  it('texts for browsers come by addon, with the formats of the language', async () => {
    const bundle = await app.rpc<Record<string, Record<string, object>>>('/website/translations', { lang: 'fr_FR' });
    expect(Object.keys(bundle)).toEqual(['modules', 'lang_parameters']);
    expect(bundle.modules).toHaveProperty('website.messages');
    expect(bundle.lang_parameters).toMatchObject({
      id: 'fr_FR',
      direction: 'ltr',
      date_format: '%d/%m/%Y',
      decimal_point: ',',
    });
    for (const { messages } of Object.values(bundle.modules ?? {}) as { messages: object[] }[]) {
      for (const message of messages) expect(Object.keys(message)).toEqual(['id', 'string']);
    }
    expect(await app.rpc('/website/translations', { lang: 'fr-FR' })).toEqual(bundle);
    expect(await app.rpc('/website/translations', {})).toMatchObject({ lang_parameters: { id: 'en_US' } });
    expect(await app.rpc('/website/translations', { lang: 'xx_YY' })).toEqual({ modules: {}, lang_parameters: null });
  });

  it('renders the templates declared public, and leaves out every other id', async () => {
    const ids_or_xml_ids = [
      'fx_site.public',
      'fx_site.private',
      'fx_site.broken',
      'website.page',
      'web.login',
      'no.such',
      'constructor',
      '',
      12,
      'fx_site.public',
    ];
    const answer = await app.rpc('/website/multi_render', { ids_or_xml_ids, values: { what: '<b>bold</b>' } });
    expect(answer).toEqual({
      'fx_site.public': '<p class="public">Public &lt;b&gt;bold&lt;/b&gt; in en-US on My Website</p>\n',
    });
    expect(await app.rpc('/website/multi_render', { ids_or_xml_ids: [] })).toEqual({});
    await expect(app.rpc('/website/multi_render', { ids_or_xml_ids: 'fx_site.public' })).rejects.toThrow();
    await expect(app.rpc('/website/multi_render', {})).rejects.toThrow();
  });

  it('answers in the language that was chosen', async () => {
    const visitor = app.visitor();
    await visitor.get('/fr/contactus');
    const answer = await visitor.rpc<Record<string, string>>('/website/multi_render', {
      ids_or_xml_ids: ['fx_site.public'],
    });
    expect(answer['fx_site.public']).toContain('in fr-FR');
  });

  it('the calls are calls: a form or a GET is refused', async () => {
    for (const path of ['/website/publish', '/website/translations', '/website/multi_render']) {
      expect((await app.visitor().get(path)).status).toBe(405);
      expect((await app.visitor().form(path, { lang: 'fr_FR' })).status).toBe(400);
    }
  });
});
