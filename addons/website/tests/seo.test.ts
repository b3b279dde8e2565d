import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { Website } from '../models/website.ts';
import { WebsitePage } from '../models/website-page.ts';
import { rowsPerFile } from '../services/sitemap.ts';
import { News } from './fixtures/fx_site/addon.ts';
import { roots } from './fixtures/roots.ts';

someDatabase('search engines', (database) => {
  let app: TestApp;
  let news: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_site'], roots, database });
    news = await app.write(async (ctx) => {
      await ctx.model(WebsitePage).create([
        { name: 'Draft', url: '/draft' },
        { name: 'Hidden', url: '/unlisted', website_published: true, website_indexed: false },
        { name: 'Later', url: '/later', website_published: true, date_publish: new Date(Date.now() + 3600_000) },
      ]);
      await ctx.model(News).create({ name: 'Closed' });
      return ctx.model(News).create({
        name: { en_US: 'Opening & more', fr_FR: 'Ouverture' },
        text: `${'word '.repeat(60)}`,
        website_published: true,
        website_meta_title: { en_US: 'The <opening>', fr_FR: "L'ouverture" },
      });
    });
  });
  afterAll(() => app.close());

  const metas = (html: string): Record<string, string> =>
    Object.fromEntries(
      [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)].map(([, name = '', content = '']) => [
        name,
        content,
      ]),
    );

  it('a page says what it is called, where it is, and where it is in other languages', async () => {
    const { text } = await app.get(`/news/opening-more-${news}`);
    expect(text).toContain('<title data-slot="title">The &lt;opening&gt; | My Website</title>');
    expect(text).toContain(`<link rel="canonical" href="${app.url}/news/opening-more-${news}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="en" href="${app.url}/news/opening-more-${news}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="fr" href="${app.url}/fr/news/ouverture-${news}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="x-default" href="${app.url}/news/opening-more-${news}">`);
    const tags = metas(text);
    expect(tags).toMatchObject({
      'og:title': 'The &lt;opening&gt;',
      'og:type': 'article',
      'og:site_name': 'My Website',
      'og:locale': 'en_US',
      'og:locale:alternate': 'fr_FR',
      'og:url': `${app.url}/news/opening-more-${news}`,
      'og:image': `${app.url}/fx_site/static/picture.png`,
      'twitter:card': 'summary_large_image',
    });
    expect(tags.description?.length).toBeLessThanOrEqual(160);
    expect(tags.description).toMatch(/word…$/);
    expect(text.match(/name="description"/g)).toHaveLength(1);
  });

  it('the home page goes by the name of the site', async () => {
    const { text } = await app.get('/');
    expect(text).toContain('<title data-slot="title">My Website</title>');
    expect(metas(text)).toMatchObject({
      'og:title': 'My Website',
      'og:image': `${app.url}/website/static/icon-512.png`,
      'twitter:card': 'summary',
    });
  });

  it('in French everything is French', async () => {
    const { text } = await app.visitor().get(`/fr/news/ouverture-${news}`);
    expect(text).toMatch(/<title[^>]*>L&#(39|x27);ouverture \| My Website/);
    expect(text).toContain(`<link rel="canonical" href="${app.url}/fr/news/ouverture-${news}">`);
    expect(metas(text)['og:locale']).toBe('fr_FR');
  });

  it('an address with values that nobody knows is the same page to search engines', async () => {
    const { text } = await app.get('/contactus?utm_source=x');
    expect(text).toContain(`<link rel="canonical" href="${app.url}/contactus">`);
  });

  it('tells in the words of schema.org what is shown, and ends no script before its end', async () => {
    const { text } = await app.get(`/news/opening-more-${news}`);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    const graph = (JSON.parse(json) as { '@graph': Record<string, unknown>[] })['@graph'];
    expect(graph.map((part) => part['@type'])).toEqual(['NewsArticle', 'BreadcrumbList']);
    expect(graph[0]?.headline).toBe('Opening & more</script>');
    expect(graph[1]).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Home', item: `${app.url}/` },
        { position: 2, name: 'News', item: `${app.url}/news` },
        { position: 3, name: 'Opening & more' },
      ],
    });
    const home = (await app.get('/')).text;
    const [, jsonLd = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(home) ?? [];
    expect(jsonLd).toContain('"@type":"Organization"');
    expect(jsonLd).toContain('"@type":"WebSite"');
  });

  it('what is not to be found says so, and has no other address', async () => {
    for (const path of ['/unlisted', '/website/contact/sent', '/not-there']) {
      const { text } = await app.get(path);
      expect(text).toContain('<meta name="robots" content="noindex">');
      expect(text).not.toMatch(/rel="(canonical|alternate)"/);
    }
  });

  it('the sitemap has what visitors may see, in every language, with the others beside it', async () => {
    const { status, headers, text } = await app.get('/sitemap.xml');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const locs = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc.replace(app.url, ''));
    expect(new Set(locs).size).toBe(locs.length);
    expect(locs).toEqual(
      expect.arrayContaining([
        '/',
        '/fr',
        '/contactus',
        '/fr/contactus',
        '/legal',
        '/news',
        '/fr/news',
        `/news/opening-more-${news}`,
        `/fr/news/ouverture-${news}`,
      ]),
    );
    expect(locs.join()).not.toMatch(/draft|later|unlisted|hidden-away|broken|web\/|sitemap/);
    expect(locs.filter((loc) => /^\/news\/./.test(loc))).toHaveLength(1);
    expect(text).toContain(`hreflang="fr" href="${app.url}/fr/contactus"`);
    expect(text).toMatch(/<lastmod>\d{4}-\d\d-\d\dT/);
    expect(text).toContain('<priority>0.5</priority>');
  });

  it('editors get the sitemap that everybody gets', async () => {
    const admin = await app.as('admin');
    expect((await admin.get('/sitemap.xml')).text).not.toMatch(/draft|later/);
  });

  it('the sitemap is kept, and follows what is published', async () => {
    await app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Fresh', url: '/fresh', website_published: true }));
    expect((await app.get('/sitemap.xml')).text).toContain('/fresh</loc>');
    const previousHits = app.pageCache.stats.hits;
    await app.get('/sitemap.xml');
    expect(app.pageCache.stats.hits).toBe(previousHits + 1);
  });

  it('robots are told where the sitemap is and what to leave alone', async () => {
    const { text, headers } = await app.get('/robots.txt');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('User-agent: *\n');
    expect(text).toContain(`Sitemap: ${app.url}/sitemap.xml`);
    expect(text).toContain('Disallow: /news/hidden-away\n');
    expect(text).toContain('Disallow: /fr/news/hidden-away\n');
    expect(text).toContain('Disallow: /web/\n');
    expect(text).toContain('Allow: /web/image/\n');
  });

  it('a site that is not to be listed is closed to them', async () => {
    await app.write((ctx) => ctx.model(Website).write(1, { indexed: false }));
    expect((await app.get('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
    expect((await app.get('/')).text).toContain('<meta name="robots" content="noindex">');
    expect((await app.get('/sitemap.xml')).text).not.toContain('<loc>');
    await app.write((ctx) => ctx.model(Website).write(1, { indexed: true }));
  });

  it('accounts elsewhere are in the foot and in what is told', async () => {
    await app.write((ctx) =>
      ctx
        .model(Website)
        .write(1, { social_twitter: 'https://x.com/pergola', social_github: 'https://github.com/pergola' }),
    );
    const { text } = await app.get('/');
    expect(metas(text)['twitter:site']).toBe('@pergola');
    expect(text).toContain('"sameAs":["https://x.com/pergola","https://github.com/pergola"]');
    expect(text).toMatch(/href="https:\/\/github.com\/pergola" rel="me noopener" target="_blank"/);
  });

  it('browsers find an icon and a manifest', async () => {
    for (const path of ['/favicon.ico', '/apple-touch-icon.png']) {
      const { status, location } = await app.get(path);
      expect(status).toBe(302);
      expect((await app.get(location ?? '')).headers.get('content-type')).toBe('image/png');
    }
    const manifest = await app.get('/manifest.webmanifest');
    expect(manifest.headers.get('content-type')).toContain('application/manifest+json');
    const { name, icons } = manifest.json<{ name: string; icons: { src: string }[] }>();
    expect(name).toBe('My Website');
    for (const { src } of icons) expect((await app.get(src)).status).toBe(200);
  });

  it('a feed has whole addresses in the reader’s language, and escapes what is in it', async () => {
    const { text, headers } = await app.visitor().get('/fr/news.rss');
    expect(headers.get('content-type')).toContain('application/rss+xml');
    expect(text).toContain(`<link>${app.url}/fr/news/1</link>`);
    expect(text).toContain('<language>fr-FR</language>');
    expect(text).toContain('<title>News &amp; more</title>');
    expect(text).not.toContain('<b>One');
  });

  it('a broken function of an addon takes nothing else out of the sitemap', async () => {
    expect((await app.get('/sitemap.xml')).text).toContain('/contactus</loc>');
  });

  it('lists one file on a small site, and names no others', async () => {
    expect((await app.get('/sitemap-1.xml')).text).toContain('/contactus</loc>');
    for (const name of ['2', '0', 'x', '99999', '100000', '1'.repeat(30)]) {
      expect((await app.get(`/sitemap-${name}.xml`)).status).toBe(404);
    }
  });

  it('serves the same file whatever undeclared values its address has', async () => {
    const { text } = await app.get('/sitemap.xml');
    const { hits } = app.pageCache.stats;
    const { reads } = app.database.metrics();
    const answers = await Promise.all([1, 2, 3, 4].map((value) => app.get(`/sitemap.xml?x=${value}`)));
    expect(answers.map((answer) => answer.text)).toEqual([text, text, text, text]);
    expect(app.pageCache.stats.hits).toBe(hits + 4);
    expect(app.database.metrics().reads).toBe(reads);
  });
});

someDatabase('the sitemap of a large site', (database) => {
  const COUNT = 6_000;
  let touches = 0;
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_site'], roots, database });
    const rows = Array.from({ length: COUNT }, (_, index) => ({ name: `News ${index}`, website_published: true }));
    for (let start = 0; start < COUNT; start += 1_000)
      await app.write((ctx) => ctx.model(News).create(rows.slice(start, start + 1_000)));
  });
  afterAll(() => app.close());

  const locsOf = (xml: string): string[] => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc);

  it('is a list of files that together have every address once', async () => {
    const files = locsOf((await app.get('/sitemap.xml')).text);
    expect(files.length).toBeGreaterThanOrEqual(Math.ceil(COUNT / rowsPerFile(2)));
    const paths: string[] = [];
    for (const file of files) {
      const { status, text } = await app.get(file.replace(app.url, ''));
      expect(status).toBe(200);
      const locs = locsOf(text);
      expect(locs.length).toBeLessThanOrEqual(rowsPerFile(2) * 2 + 50);
      paths.push(...locs);
    }
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((loc) => /\/news\/news-\d+-\d+$/.test(loc))).toHaveLength(COUNT * 2);
  });

  it('reads no more rows than a file covers, once for all who ask at the same time', async () => {
    const touch = () => app.write((ctx) => ctx.model(News).write(1, { name: `News ${COUNT + touches++}` }));
    const rowsReadBy = async (requests: number): Promise<number> => {
      await touch();
      const { rowsRead } = app.database.metrics();
      const answers = await Promise.all(
        Array.from({ length: requests }, (_, index) => app.get(`/sitemap-2.xml?x=${index}`)),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1);
      return app.database.metrics().rowsRead - rowsRead;
    };
    await app.get('/sitemap-2.xml');
    // URLs, and the names in each of the two languages.
    const bound = rowsPerFile(2) * 3 + 500;
    expect(await rowsReadBy(1)).toBeLessThanOrEqual(bound);
    expect(await rowsReadBy(16)).toBeLessThanOrEqual(bound);
  });
});
