import { type Ctx, type FieldsOf, type Identity, InvalidInput, type Values } from 'pergola';
import { createTestApp, eachDatabase, type TestApp, withClock } from 'pergola/testing';
import { Website } from '../models/website.ts';
import { WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { WebsiteRedirect } from '../models/website-redirect.ts';

const editor: Identity = {
  id: null,
  partnerId: null,
  name: 'Editor',
  login: null,
  groups: new Set(['base.group_user', 'website.group_website_publisher']),
  lang: null,
  timezone: null,
};

type PageValues = Values<FieldsOf<WebsitePage>>;

eachDatabase('pages', (database, once) => {
  const clock = withClock();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
  });
  afterAll(() => app.close());

  /** Creates a published page with a unique word. */
  const makePage = (values: PageValues): Promise<number> =>
    app.write((ctx) =>
      ctx.model(WebsitePage).create({
        name: 'A page',
        content: `<p>content of ${String(values.url)}</p>`,
        website_published: true,
        ...values,
      }),
    );
  const refusal = async (work: (ctx: Ctx) => Promise<unknown>): Promise<InvalidInput> => {
    const error = await app.write(work).then(
      () => new Error('It was not refused.'),
      (caught: unknown) => caught,
    );
    if (error instanceof InvalidInput) return error;
    throw error;
  };

  once('a page answers at its own address in every language', async () => {
    await makePage({
      name: { en_US: 'Our story', fr_FR: 'Notre histoire' },
      url: '/about/our-story',
      content: {
        en_US: '<h1>Story</h1><a href="/contactus">write</a>',
        fr_FR: '<h1>Histoire</h1><a href="/contactus?x=1&amp;y=2">écrire</a>',
      },
    });
    const english = await app.get('/about/our-story');
    expect(english.status).toBe(200);
    expect(english.text).toContain('<h1>Story</h1>');
    expect(english.text).toContain('<title data-slot="title">Our story | My Website</title>');
    const french = await app.visitor().get('/fr/about/our-story');
    expect(french.text).toContain('<h1>Histoire</h1>');
    expect(french.text).toContain('Notre histoire | My Website');
    // Links written by editors follow the reader's language, as in templates.
    expect(french.text).toContain('href="/fr/contactus?x=1&amp;y=2"');
    expect(english.text).toContain('<a href="/contactus">write</a>');
  });

  once('a page does not keep readers waiting for the picture it begins with', async () => {
    const picture = (name: string) => `<img src="/website/static/pictures/${name}.jpg" alt="${name}" loading="lazy" />`;
    const content = `<h1>Garden</h1>${picture('coast')}<p>text</p>${picture('hills')}`;
    await makePage({ name: 'Pictures', url: '/pictures', content });
    const { text } = await app.visitor().get('/pictures');
    expect(text).toContain('coast.jpg" alt="coast" fetchpriority="high" />');
    expect(text).toContain(picture('hills'));
    // Editors get the stored content.
    expect((await (await app.as('admin')).get('/pictures')).text).toContain(picture('coast'));
  });

  once('the root element carries language and website for everybody', async () => {
    for (const client of [app.visitor(), await app.as('admin')]) {
      expect((await client.get('/contactus')).text).toMatch(/<html [^>]*data-website-id="1"[^>]*lang="en-US"/);
      expect((await client.get('/fr/contactus')).text).toMatch(/<html [^>]*data-website-id="1"[^>]*lang="fr-FR"/);
    }
  });

  it('visitors see a page once it is published and its date has come', async () => {
    await makePage({ url: '/draft', website_published: false });
    await makePage({ url: '/later', date_publish: new Date(Date.now() + 3600_000) });
    await makePage({ url: '/since', date_publish: new Date(Date.now() - 3600_000) });
    expect((await app.get('/draft')).status).toBe(404);
    expect((await app.get('/later')).status).toBe(404);
    expect((await app.get('/since')).status).toBe(200);
    const admin = await app.as('admin');
    const draft = await admin.get('/draft');
    expect(draft.status).toBe(200);
    expect(draft.text).toContain('css_unpublished');
    expect(draft.text).toContain('<meta name="robots" content="noindex">');
    expect((await admin.get('/later')).status).toBe(200);
  });

  it('addresses, menus, sitemap, search and editors’ notes agree on what visitors see', async () => {
    const hour = 3600_000;
    const cases: [url: string, values: PageValues, isSeen: boolean, note: RegExp | null][] = [
      ['/seen', {}, true, null],
      ['/seen-since', { date_publish: new Date(Date.now() - hour) }, true, null],
      ['/seen-with-app', { addon: 'web' }, true, null],
      ['/unseen-draft', { website_published: false }, false, null],
      ['/unseen-yet', { date_publish: new Date(Date.now() + hour) }, false, /data-slot="publish-from"/],
      ['/unseen-app', { addon: 'fx_off' }, false, /the app “fx_off” is disabled/],
    ];
    const admin = await app.as('admin');
    const marked = async (client: typeof admin): Promise<Map<string, boolean>> => {
      const nav = /<nav class="site-menu".*?<\/nav>/s.exec((await client.get('/contactus')).text)?.[0] ?? '';
      const links = nav.matchAll(/class="(?:site-nav-link|dropdown-item)([^"]*)"\s+href="([^"]*)"/g);
      return new Map([...links].map(([, classes = '', url = '']) => [url, classes.includes('is-unpublished')]));
    };
    const [root] = await app.write((ctx) => ctx.model(WebsiteMenu).rootsOf(1));
    for (const [url, values] of cases) {
      const page_id = await makePage({ url, name: `Agreed ${url}`, ...values });
      await app.write((ctx) => ctx.model(WebsiteMenu).create({ name: url, page_id, parent_id: root ?? null }));
    }
    const [visitors, editors] = [await marked(app.visitor()), await marked(admin)];
    const sitemap = (await app.get('/sitemap-1.xml')).text;
    const [, searchResults = ''] = (await app.get('/search?q=agreed')).text.split('<main');
    for (const [url, , isSeen, note] of cases) {
      const adminView = await admin.get(url);
      expect({
        url,
        status: (await app.get(url)).status,
        menu: visitors.has(url),
        marked: editors.get(url),
        sitemap: sitemap.includes(`${url}</loc>`),
        search: searchResults.includes(`href="${url}"`),
        noindex: adminView.text.includes('<meta name="robots" content="noindex">'),
        notes: adminView.text.match(/data-slot="(publish-from|app-off)"/g)?.length ?? 0,
        isVisible: await app.write(async (ctx) => {
          const [page] = await ctx.model(WebsitePage).find([['url', '=', url]], { select: { is_visible: true } });
          return page?.is_visible;
        }),
      }).toEqual({
        url,
        status: isSeen ? 200 : 404,
        menu: isSeen,
        marked: !isSeen,
        sitemap: isSeen,
        search: isSeen,
        noindex: !isSeen,
        notes: note ? 1 : 0,
        isVisible: isSeen,
      });
      if (note) expect(adminView.text).toMatch(note);
    }
  });

  once('a kept page is shown no longer than it is published', async () => {
    const id = await makePage({ url: '/kept' });
    expect((await app.get('/kept')).status).toBe(200);
    await app.write((ctx) => ctx.model(WebsitePage).write(id, { website_published: false }));
    expect((await app.get('/kept')).status).toBe(404);
    const soon = new Date(Date.now() + 60_000);
    await app.write((ctx) => ctx.model(WebsitePage).write(id, { website_published: true, date_publish: soon }));
    expect((await app.get('/kept')).status).toBe(404);
    clock.forward(61_000);
    expect((await app.get('/kept')).status).toBe(200);
  });

  it('the old address leads to the new one, over several moves, and back', async () => {
    const id = await makePage({ url: '/first' });
    const move = (url: string) => app.write((ctx) => ctx.model(WebsitePage).write(id, { url }));
    await move('/second');
    await move('/third');
    expect(await app.get('/first?x=1')).toMatchObject({ status: 301, location: '/third?x=1' });
    expect(await app.visitor().get('/fr/second')).toMatchObject({ status: 301, location: '/fr/third' });
    await move('/first');
    expect((await app.get('/first')).status).toBe(200);
    expect(await app.get('/third')).toMatchObject({ status: 301, location: '/first' });
    expect(await app.get('/second')).toMatchObject({ status: 301, location: '/first' });
  });

  once('the old address may also be given up', async () => {
    const id = await makePage({ url: '/given-up' });
    await app.write((ctx) => ctx.model(WebsitePage).changeAddress([id], { url: '/taken-up' }, { redirect: false }));
    expect((await app.get('/given-up')).status).toBe(404);
    expect((await app.get('/taken-up')).status).toBe(200);
  });

  once('a page at an address comes before what led away from there', async () => {
    const id = await makePage({ url: '/moved-away' });
    await app.write((ctx) => ctx.model(WebsitePage).write(id, { url: '/moved-to' }));
    await makePage({ url: '/moved-away', content: '<p>somebody else</p>' });
    expect((await app.get('/moved-away')).text).toContain('somebody else');
  });

  once.each([
    ['/contactus', 'website.address_taken'],
    ['/web/login', 'website.address_of_addon'],
    ['/website/lang/fr_FR', 'website.address_of_addon'],
    ['/website/publish', 'website.address_of_addon'],
    ['/website/static/x', 'website.address_of_addon'],
    ['/robots.txt', 'website.address_of_addon'],
    ['/page/x', 'website.address_of_addon'],
    ['/fr/about', 'website.address_of_language'],
    ['/FR', 'website.address_of_language'],
    ['/fr_FR', 'website.address_of_language'],
    ['/../x', 'website.bad_address'],
  ])('a page cannot have the address %s', async (url, code) => {
    const error = await refusal((ctx) => ctx.as({ user: editor }).model(WebsitePage).create({ name: 'X', url }));
    expect(error.code).toBe(code);
    expect(Object.keys(error.fields)).toEqual(['url']);
  });

  once.each([
    ['Où sommes-nous ?', '/ou-sommes-nous'],
    ['/Über uns/', '/uber-uns'],
    ['team//people/', '/team/people'],
    ['/Old_Page.html?x=1#y', '/Old_Page.html'],
  ])('%s is written as an address: %s', async (input, url) => {
    const id = await makePage({ url: input });
    expect(await app.read((ctx) => ctx.model(WebsitePage).get(id, { select: { url: true } }))).toMatchObject({ url });
    expect((await app.get(url)).status).toBe(200);
  });

  it('two pages that are made at once do not get one address', async () => {
    const outcomes = await Promise.allSettled([
      makePage({ url: '/twin' }),
      makePage({ url: '/twin' }),
      makePage({ url: '/twin' }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('new pages get the address of their title, and a number where that is taken', async () => {
    const titles = [
      'Our Team',
      'Our team',
      '¿?',
      'Web',
      'A title that is far longer than what anybody wants to see in an address',
    ];
    const urls = await app.write(async (ctx) => {
      const addresses: string[] = [];
      for (const name of titles) addresses.push((await ctx.model(WebsitePage).newPage({ name })).url);
      return addresses;
    });
    expect(urls).toEqual([
      '/our-team',
      '/our-team-2',
      '/page',
      '/web-2',
      '/a-title-that-is-far-longer-than-what-anybody-wants',
    ]);
    expect((await app.get('/our-team')).status).toBe(404);
  });

  once('a copy has an address of its own and is not published', async () => {
    const id = await makePage({ name: 'Copied', url: '/copied' });
    const copy = await app.write(async (ctx) => {
      const copyId = await ctx.model(WebsitePage).copy(id);
      return ctx
        .model(WebsitePage)
        .get(copyId, { select: { name: true, url: true, website_published: true, content: true } });
    });
    expect(copy).toMatchObject({
      name: 'Copied (copy)',
      url: '/copied-2',
      website_published: false,
      content: '<p>content of /copied</p>',
    });
  });

  once('any page can be what the site begins with', async () => {
    const id = await makePage({ url: '/start', content: '<p>begin here</p>' });
    expect((await app.get('/')).text).toContain('Welcome');
    await app.write((ctx) => ctx.model(WebsitePage).setHomepage([id]));
    const home = await app.get('/');
    expect(home.text).toContain('begin here');
    expect(home.text).toContain(`<link rel="canonical" href="${app.url}/">`);
    expect(await app.get('/start')).toMatchObject({ status: 301, location: '/' });
    expect(await app.visitor().get('/fr/start')).toMatchObject({ status: 301, location: '/fr' });
    await app.write((ctx) => ctx.model(WebsitePage).setHomepage([id], false));
    expect((await app.get('/')).text).toContain('Welcome');
    expect((await app.get('/start')).status).toBe(200);
  });

  once('a page of all sites says which sites show their own in its place', async () => {
    const shadows = await app.write(async (ctx) => {
      const [site = 0] = await ctx.model(Website).search([]);
      const make = (url: string, website_id: number | null, website_published = true) =>
        ctx.model(WebsitePage).create({ name: url, url, website_id, website_published });
      const [shared, ownPage] = [await make('/of-all-sites', null), await make('/of-all-sites', site)];
      const [draft] = [await make('/of-all-sites-too', null), await make('/of-all-sites-too', site, false)];
      const rows = await ctx.model(WebsitePage).read([shared, ownPage, draft], { select: { shadowed_on: true } });
      return rows.map(({ shadowed_on }) => shadowed_on);
    });
    expect(shadows).toEqual(['My Website', null, null]);
  });

  once('a page of all sites is the home page where its site says so', async () => {
    const page = await makePage({ url: '/welcome' });
    const isHome = () =>
      app.read((ctx) => ctx.model(WebsitePage).get(page, { select: { is_homepage: true, website_url: true } }));
    expect(await isHome()).toMatchObject({ is_homepage: false, website_url: '/welcome' });
    const choose = (homepage_id: number | null) =>
      app.write(async (ctx) => ctx.model(Website).write(await ctx.model(Website).search([]), { homepage_id }));
    await choose(page);
    expect(await isHome()).toMatchObject({ is_homepage: true, website_url: '/' });
    await choose(null);
  });

  once('links of an older site find their pages', async () => {
    expect((await app.get('/website/tours/no-such-tour')).status).toBe(404);
    await makePage({ url: '/history' });
    expect(await app.get('/page/homepage')).toMatchObject({ status: 301, location: '/' });
    expect(await app.get('/page/history')).toMatchObject({ status: 301, location: '/history' });
    expect(await app.get('/page/website.contactus')).toMatchObject({ status: 301, location: '/contactus' });
    expect(await app.visitor().get('/fr/page/history')).toMatchObject({ status: 301, location: '/fr/history' });
    expect((await app.get('/page/unheard-of')).status).toBe(404);
    expect((await app.get('/page//evil.example')).status).toBe(404);
  });

  once('what is not there is offered to editors to be made, and to nobody else', async () => {
    const missing = await app.get('/not/here-yet');
    expect(missing.status).toBe(404);
    expect(missing.text).not.toContain('Create page');
    const admin = await app.as('admin');
    const offer = await admin.get('/not/here-yet');
    expect(offer.status).toBe(404);
    expect(offer.text).toContain('Create page');
    const created = await admin.form('/website/add', { url: '/not/here-yet', name: 'Here now', add_menu: 'true' });
    expect(created).toMatchObject({ status: 303, location: '/not/here-yet?enable_editor=1' });
    expect((await admin.get('/not/here-yet')).status).toBe(200);
    expect((await admin.get('/')).text).toContain('>Here now</a>');
    expect((await app.get('/')).text).not.toContain('Here now');
    const rejected = await app.visitor().form('/website/add', { name: 'Mine' });
    expect([303, 404]).toContain(rejected.status);
    expect(await app.read((ctx) => ctx.model(WebsitePage).count([['name', '=', 'Mine']]))).toBe(0);
  });

  it('a page goes with its menu entries and with what leads to it', async () => {
    const id = await makePage({ url: '/short-lived' });
    await app.write(async (ctx) => {
      await ctx.model(WebsitePage).write(id, { url: '/short-life' });
      const parent = await ctx.ref('website.main_menu');
      await ctx.model(WebsiteMenu).create({ name: 'Short life', url: '/short-life', page_id: id, parent_id: parent });
      await ctx.model(WebsitePage).unlink([id]);
      expect(await ctx.model(WebsiteMenu).count([['name', '=', 'Short life']])).toBe(0);
      expect(await ctx.model(WebsiteRedirect).count([['url_from', '=', '/short-lived']])).toBe(0);
    });
    expect((await app.get('/short-lived')).status).toBe(404);
  });

  once('what editors may not keep is taken out of a page', async () => {
    await makePage({
      url: '/attack',
      content: '<p onclick="alert(1)">x</p><script>alert(2)</script><iframe src="//evil.example"></iframe>',
    });
    const { text } = await app.get('/attack');
    expect(text).not.toMatch(/onclick|alert|evil\.example/);
  });

  once('only editors may write pages, and only designers sites, menus and redirects', async () => {
    const page = await makePage({ url: '/guarded' });
    const rights = async (groups: readonly string[]) => {
      const user = {
        id: 99,
        partnerId: null,
        name: 'N',
        login: 'n',
        groups: new Set(groups),
        lang: null,
        timezone: null,
      };
      const can = (work: (ctx: Ctx) => Promise<unknown>) =>
        app
          .write((ctx) =>
            ctx.savepoint(async () => {
              await work(ctx.as({ user }));
              throw new Error('done');
            }),
          )
          .catch((error: Error) => error.message === 'done');
      return [
        await can((ctx) => ctx.model(WebsitePage).write(page, { name: 'Changed' })),
        await can((ctx) => ctx.model(WebsitePage).create({ name: 'New', url: '/new' })),
        await can((ctx) => ctx.model(WebsiteMenu).create({ name: 'New' })),
        await can((ctx) => ctx.model(Website).write(1, { name: 'Changed' })),
        await can((ctx) => ctx.model(WebsiteRedirect).create({ url_from: '/a-b', url_to: '/' })),
      ];
    };
    const publisher = ['base.group_user', 'website.group_website_publisher'];
    expect(await rights(['base.group_public'])).toEqual([false, false, false, false, false]);
    expect(await rights(['base.group_portal'])).toEqual([false, false, false, false, false]);
    expect(await rights(['base.group_user'])).toEqual([false, false, false, false, false]);
    expect(await rights(publisher)).toEqual([true, true, false, false, false]);
    expect(await rights([...publisher, 'website.group_website_designer'])).toEqual([true, true, true, true, true]);
  });
});
