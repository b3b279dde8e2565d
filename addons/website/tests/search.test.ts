import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';

interface Suggested {
  readonly title: string;
  readonly url: string;
  readonly kind: string;
}

eachDatabase('the search of the site', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
    await app.write((ctx) =>
      ctx.model(WebsitePage).create([
        { name: 'Glasshouse', url: '/glasshouse', website_published: true, content: '<p>Tomatoes & <b>figs</b></p>' },
        {
          name: 'Vegetable garden',
          url: '/vegetables',
          website_published: true,
          website_meta_description: 'Rows of leeks',
        },
        { name: 'Secret glasshouse', url: '/secret', website_published: false },
      ]),
    );
  });
  afterAll(() => app.close());

  const page = async (q: string, client: { get: TestApp['get'] } = app) =>
    (await client.get(`/search?q=${encodeURIComponent(q)}`)).text;
  const suggest = (text: string) => app.rpc<Suggested[]>('/website/search/suggest', { text });

  it('finds by beginnings of words, in titles and texts, whatever the accents', async () => {
    expect(await suggest('glassh')).toEqual([{ title: 'Glasshouse', url: '/glasshouse', kind: 'Pages' }]);
    expect((await suggest('fígs')).map(({ url }) => url)).toEqual(['/glasshouse']);
    const results = await page('vegetable');
    expect(results).toContain('href="/vegetables"');
    expect(results).toContain('Rows of leeks');
    expect(results).toContain('<meta name="robots" content="noindex">');
  });

  it('corrects what was mistyped to words of what visitors may read', async () => {
    const results = await page('glasshuose');
    expect(results).toContain('href="/glasshouse"');
    expect(results).toContain('No results for “glasshuose”. Showing results for “glasshouse”.');
    expect((await suggest('vegtab')).map(({ url }) => url)).toEqual(['/vegetables']);
    // The word is in the title of an unpublished page.
    expect(await suggest('secrets')).toEqual([]);
    const emptyResults = await page('zzzzzz');
    expect(emptyResults).toContain('No results for “zzzzzz”.');
    expect(emptyResults).toMatch(/data-slot="search-ways">\s*<li><a[^>]* href="\/contactus"/);
    // Both words can be corrected, but never occur together.
    const noResults = await page('glasshuose vegetabel');
    expect(noResults).toContain('No results for “glasshuose vegetabel”.');
    expect(noResults).not.toContain('Showing results for');
  });

  it('puts those first that are called so, whatever their texts weigh', async () => {
    await app.write((ctx) =>
      ctx.model(WebsitePage).create([
        { name: 'Cellar', url: '/cellar', website_published: true, content: '<p>Quince, quince, quince.</p>' },
        { name: 'Jelly of quinces', url: '/jelly', website_published: true, content: `<p>${'sugar '.repeat(300)}</p>` },
        { name: 'Quinces', url: '/quinces', website_published: true, content: `<p>${'pears '.repeat(300)}</p>` },
      ]),
    );
    expect((await suggest('quinc')).map(({ url }) => url)).toEqual(['/quinces', '/jelly', '/cellar']);
    expect((await suggest('qunices')).map(({ url }) => url)).toEqual(['/quinces', '/jelly']);
  });

  it('finds what the menus lead to, by the reader’s words', async () => {
    await app.write(async (ctx) =>
      ctx.model(WebsiteMenu).create({
        name: { en_US: 'Accessibility', fr_FR: 'Accessibilité' },
        url: '/accessibility',
        parent_id: await ctx.ref('website.main_menu'),
      }),
    );
    expect(await suggest('acessibility')).toEqual([{ title: 'Accessibility', url: '/accessibility', kind: 'Pages' }]);
    expect(await page('accessibilite', app.visitor())).toContain('No results for “accessibilite”.');
    expect((await app.visitor().get('/fr/search?q=accessibilite')).text).toContain('href="/fr/accessibility"');
  });

  it('knows new words at once', async () => {
    expect(await suggest('rhubrab')).toEqual([]);
    await app.write((ctx) =>
      ctx.model(WebsitePage).create({ name: 'Rhubarb', url: '/rhubarb', website_published: true }),
    );
    expect((await suggest('rhubrab')).map(({ url }) => url)).toEqual(['/rhubarb']);
  });

  it('is a form that works without JavaScript on every page, and takes anything', async () => {
    expect((await app.get('/')).text).toMatch(/<form class="site-search-form"[^>]* action="\/search" method="get"/);
    expect((await app.visitor().get('/fr')).text).toContain('action="/fr/search"');
    for (const odd of ['', '   ', '%', '"', "') or 1=1 --", '<script>alert(1)</script>', '\\', 'a'.repeat(200)]) {
      const { status, text } = await app.get(`/search?q=${encodeURIComponent(odd)}`);
      expect(status).toBe(200);
      expect(text).not.toContain('<script>alert');
    }
    expect((await app.get('/robots.txt')).text).toContain('Disallow: /search\n');
  });
});
