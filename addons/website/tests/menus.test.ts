import { Conflict, InvalidInput } from 'pergola';
import type { MigrationTools } from 'pergola/orm';
import { CallError, createTestApp, eachDatabase, inOrder, type TestApp } from 'pergola/testing';
import normaliseAddresses from '../migrations/0020-redirect-addresses.ts';
import { Website } from '../models/website.ts';
import { type MenuNode, type SavedMenu, WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { WebsiteRedirect } from '../models/website-redirect.ts';
import { SavedBlock } from '../snippets/saved/saved-block.ts';

eachDatabase('menus and redirects', (database, once) => {
  inOrder();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
  });
  afterAll(() => app.close());

  const tree = () => app.write((ctx) => ctx.model(WebsiteMenu).get_tree(1));
  const names = ({ children }: MenuNode): unknown[] =>
    children.map((child) => (child.children.length > 0 ? [child.name, names(child)] : child.name));
  const nav = async (path: string): Promise<string> =>
    /<nav class="site-menu".*?<\/nav>/s.exec((await app.visitor().get(path)).text)?.[0] ?? '';

  once('the menu is a tree as the menu editor knows it', async () => {
    const root = await tree();
    expect(Object.keys(root).sort()).toEqual([
      'children',
      'id',
      'name',
      'new_window',
      'panel_id',
      'parent_id',
      'sequence',
      'url',
    ]);
    expect(root).toMatchObject({ name: 'Main menu', parent_id: false, new_window: false });
    expect(root.children[0]).toMatchObject({ name: 'Home', url: '/', parent_id: root.id, sequence: 10 });
    expect(names(root)).toEqual(['Home', 'Contact us']);
  });

  it('keeps entries as the editor leaves them: new ones, moved ones, below others, taken out', async () => {
    const root = await tree();
    const [home, contact] = root.children;
    const saved = await app.write((ctx) =>
      ctx.model(WebsiteMenu).save(1, {
        data: [
          { id: 'new-1', name: 'About', url: '', new_window: false, parent_id: root.id },
          { id: 'new-2', name: 'Elsewhere', url: 'https://example.org/x', new_window: true, parent_id: 'new-1' },
          { id: contact?.id ?? 0, name: 'Write to us', url: '/contactus', new_window: false, parent_id: 'new-1' },
        ],
        to_delete: [home?.id ?? 0],
      }),
    );
    expect(saved).toBe(true);
    expect(names(await tree())).toEqual([['About', ['Elsewhere', 'Write to us']]]);
    const html = await nav('/contactus');
    expect(html).toContain('<summary class="site-nav-link active">About</summary>');
    expect(html).toContain('href="https://example.org/x" target="_blank" rel="noopener"');
    expect(html).toContain('href="/contactus" aria-current="page">Write to us</a>');
  });

  it('texts are kept in the language they are written in', async () => {
    const root = await tree();
    await app.write((ctx) =>
      ctx
        .as({ lang: 'fr_FR' })
        .model(WebsiteMenu)
        .save(1, {
          data: [
            { id: root.children[0]?.id ?? 0, name: 'À propos', url: '', new_window: false, parent_id: root.id },
            {
              id: root.children[0]?.children[1]?.id ?? 0,
              name: 'Écrivez-nous',
              url: '/contactus',
              new_window: false,
              parent_id: root.children[0]?.id ?? 0,
            },
          ],
          to_delete: [],
        }),
    );
    expect(await nav('/fr/contactus')).toContain('À propos');
    expect(await nav('/fr/contactus')).toContain('href="/fr/contactus"');
    expect(
      await app
        .visitor()
        .get('/contactus')
        .then(({ text }) => text),
    ).toContain('>About<');
  });

  it('a menu that somebody else changed meanwhile is not overwritten', async () => {
    const save = (data: object[], deletedIds: number[] = []) =>
      app.write((ctx) => ctx.model(WebsiteMenu).save(1, { data: data as never, to_delete: deletedIds }));
    await expect(save([{ id: 9999, name: 'X', url: '', new_window: false, parent_id: false }])).rejects.toThrow(
      Conflict,
    );
    await expect(save([], [(await tree()).id])).rejects.toThrow(Conflict);
  });

  once.each(['javascript:alert(1)', '//evil.example', '/\\evil.example', 'data:text/html,x', 'contactus', '/a b'])(
    'a menu does not lead to %s',
    async (url) => {
      await expect(app.write((ctx) => ctx.model(WebsiteMenu).create({ name: 'X', url }))).rejects.toThrow(InvalidInput);
    },
  );

  once('entries do not stand below themselves', async () => {
    await expect(
      app.write(async (ctx) => {
        const parentId = await ctx.model(WebsiteMenu).create({ name: 'A' });
        const childId = await ctx.model(WebsiteMenu).create({ name: 'B', parent_id: parentId });
        await ctx.model(WebsiteMenu).write(parentId, { parent_id: childId });
      }),
    ).rejects.toThrow('A record can’t be its own parent.');
  });

  once('entries that lead nowhere are left out', async () => {
    await app.write(async (ctx) => {
      const parent_id = await ctx.ref('website.main_menu');
      const draft = await ctx.model(WebsitePage).create({ name: 'Draft', url: '/draft' });
      await ctx.model(WebsiteMenu).create([
        { name: 'Of a draft', url: '/draft', page_id: draft, parent_id },
        { name: 'To a draft', url: '/draft?x=1', parent_id },
        { name: 'Of an addon that is off', url: '/forum', parent_id },
        { name: 'Of an addon that is on', url: '/web/login', parent_id },
        { name: 'To a place', url: '/contactus#form', parent_id },
      ]);
    });
    const html = await nav('/');
    expect(html).not.toMatch(/draft|addon that is off/);
    expect(html).toContain('Of an addon that is on');
    expect(html).toContain('To a place');
    const admin = await app.as('admin');
    const { text } = await admin.get('/');
    expect(text).toMatch(/is-unpublished"[^>]*href="\/draft"/);
    // The footer marks it the same way.
    expect(text).toMatch(/<footer.*<a href="\/draft" class="is-unpublished"/s);
  });

  once('entries follow the page they belong to', async () => {
    await app.write(async (ctx) => {
      const page = await ctx.ref('website.contactus');
      await ctx.model(WebsitePage).write(page, { url: '/write' });
    });
    expect(await nav('/write')).toContain('href="/write" aria-current="page"');
    expect(await app.get('/contactus')).toMatchObject({ status: 301, location: '/write' });
  });

  once('an entry may open a block across the page', async () => {
    const { id: parent_id } = await tree();
    await app.write(async (ctx) => {
      const content = '<section class="s_title"><h2>All of it</h2><a href="/contactus">Write</a></section>';
      const panel = await ctx.model(SavedBlock).create({ name: 'Panel', content });
      await ctx.model(WebsiteMenu).create({ name: 'More', url: '', parent_id, panel_id: panel });
    });
    const html = await nav('/write');
    expect(html).toMatch(/<details class="dropdown site-mega" name="site-nav">\s*<summary[^>]*>\s*More\s*<\/summary>/);
    expect(html).toContain('All of it');
  });

  once('which editors choose in the window of the menu; who says nothing of it leaves it', async () => {
    const admin = await app.as('admin');
    const { root, panels } = (await admin.rpc('/website/editor/menu')) as { root: MenuNode; panels: unknown };
    const more = root.children.find(({ name }) => name === 'More');
    expect(panels).toEqual([{ id: more?.panel_id, name: 'Panel' }]);
    const item = { id: more?.id ?? 0, name: 'More', url: '/contactus', new_window: false, parent_id: root.id };
    const choose = async (panel_id: number | false = false) => {
      const data = [{ ...item, sequence: 10, panel_id }];
      await admin.rpc('/website/editor/menu/save', { data, to_delete: [] });
      return nav('/write');
    };
    expect(await choose(false)).not.toContain('All of it');
    expect(await choose(more?.panel_id)).toContain('All of it');
    await app.write((ctx) => ctx.model(WebsiteMenu).save(1, { data: [item], to_delete: [] }));
    expect(await nav('/write')).toContain('All of it');
  });

  once('below another entry it opens nothing, and without an address it is not there', async () => {
    const { id: parent_id, children } = await tree();
    const more = children.find(({ name }) => name === 'More');
    const parentEntry = { id: 'new-1', name: 'Above', url: '', new_window: false, parent_id };
    const childEntry = { id: more?.id ?? 0, name: 'More', url: '', new_window: false, parent_id: 'new-1' };
    const sibling = { ...childEntry, id: 'new-2', name: 'Beside', url: '/write' };
    const save = (data: readonly object[]) =>
      app.write((ctx) => ctx.model(WebsiteMenu).save(1, { data: data as SavedMenu['data'], to_delete: [] }));
    await save([parentEntry, { ...childEntry, panel_id: more?.panel_id }, sibling]);
    const html = await nav('/');
    expect(html).toMatch(/Above.*Beside/s);
    expect(html).not.toMatch(/All of it|>More</);
    // At the top level it can open a panel again.
    await save([{ ...childEntry, url: '/write', parent_id }]);
    expect(await nav('/')).not.toContain('All of it');
    const newEntry = (await tree()).children.find(({ name }) => name === 'Above');
    await app.write((ctx) => ctx.model(WebsiteMenu).unlink(newEntry?.id ?? 0));
  });

  once(
    'what does not fit into the row is below “More”, in its order; what opens across the page stays in the row',
    async () => {
      const panel_id = await app.write((ctx) => ctx.model(SavedBlock).create({ name: 'Wide', content: '<p>Wide</p>' }));
      const { id: parent_id } = await tree();
      const siteId = await app.write((ctx) =>
        ctx.model(WebsiteMenu).create([
          ...Array.from({ length: 9 }, (_, index) => ({
            name: `A place ${index}`,
            url: `/contactus?place=${index}`,
            parent_id,
            sequence: 100 + index,
          })),
          { name: 'Wide', parent_id, panel_id, sequence: 200 },
        ]),
      );
      const [row = '', more = ''] = (await nav('/fr')).split('data-slot="menu-more"');
      const [first, overflow] = [row, more].map((html) => html.match(/A place \d/g) ?? []);
      expect([first?.length, overflow?.length].every((count) => count)).toBe(true);
      expect([first, overflow].flat().join()).toBe(Array.from({ length: 9 }, (_, index) => `A place ${index}`).join());
      expect(row).toMatch(/site-mega.*\bWide\b/s);
      expect(more).toMatch(/<summary[^>]*>Plus<\/summary>/);
      await app.write((ctx) => ctx.model(WebsiteMenu).unlink(siteId));
      expect(await nav('/')).not.toContain('menu-more');
    },
  );

  once('the menu of the foot is a menu of its own', async () => {
    const foot = await app.read((ctx) => ctx.model(WebsiteMenu).get_tree(1, 'footer'));
    expect(names(foot)).toEqual(['Legal notice']);
    expect((await app.get('/')).text).toMatch(/data-slot="footer-links">\s*<li><a href="\/legal">Legal notice/);
  });

  once('the calls of the menu editor are for designers', async () => {
    const admin = await app.as('admin');
    const call = (client: Pick<TestApp, 'rpc'>, method: string, args: unknown[]) =>
      client.rpc('/web/dataset/call_kw', { model: 'website.menu', method, args, kwargs: {} });
    const { id, children } = (await call(admin, 'get_tree', [1, 'footer'])) as MenuNode;
    const [legal] = children;
    const entry = { id: legal?.id, name: 'Small print', url: '/legal', new_window: false, parent_id: id };
    expect(await call(admin, 'save', [1, { data: [entry], to_delete: [] }, 'footer'])).toBe(true);
    expect((await app.visitor().get('/')).text).toContain('Small print');
    await expect(call(app.visitor(), 'save', [1, { data: [], to_delete: [legal?.id] }, 'footer'])).rejects.toThrow(
      CallError,
    );
    expect((await app.visitor().get('/')).text).toContain('Small print');
  });

  it('link dialogs find pages by title and address', async () => {
    const admin = await app.as('admin');
    const call = (method: string, args: unknown[]) =>
      admin.rpc('/web/dataset/call_kw', { model: 'website', method, args, kwargs: {} });
    expect(await call('search_pages', [[1], 'LEGAL', 9])).toEqual([{ loc: '/legal', name: 'Legal notice' }]);
    expect(await call('page_exists', [[1], 'legal'])).toEqual(['website.page', expect.any(Number)]);
    expect(await call('page_exists', [[1], 'nowhere'])).toBe(false);
  });

  once(
    'a place that is called as its page follows when that is renamed, in the language it is renamed in',
    async () => {
      const admin = await app.as('admin');
      const { id } = await admin.rpc<{ id: number }>('/website/editor/page/new', { name: 'Our bread' });
      const rename = async (lang: string, name: string) => {
        const { page } = await admin.rpc<{ page: object }>(`${lang}/website/editor/page`, { id });
        await admin.rpc(`${lang}/website/editor/page/save`, { ...page, name });
      };
      const menuName = (lang: string) =>
        app.read(async (ctx) => {
          const [place] = await ctx
            .as({ lang })
            .model(WebsiteMenu)
            .find([['page_id', '=', id]], { select: { name: true } });
          return place?.name;
        });
      await rename('/fr', 'Notre pain');
      expect([await menuName('en_US'), await menuName('fr_FR')]).toEqual(['Our bread', 'Notre pain']);
      await app.write(async (ctx) => {
        const menus = ctx.model(WebsiteMenu);
        await menus.write(await menus.search([['page_id', '=', id]]), { name: 'Bread' });
      });
      // A custom name stays.
      await rename('', 'All our bread');
      expect(await menuName('en_US')).toBe('Bread');
    },
  );

  it('redirects that go round in a circle are refused, and chains are followed to their end', async () => {
    const make = (url_from: string, url_to: string) =>
      app.write((ctx) => ctx.model(WebsiteRedirect).create({ url_from, url_to }));
    await make('/a', '/b?x=1');
    await make('/b', '/c');
    await make('/c', 'https://example.org/end');
    expect(await app.get('/a')).toMatchObject({ status: 301, location: 'https://example.org/end' });
    await expect(make('/d', '/d')).rejects.toThrow('This would create a redirect loop. Choose another address.');
    await make('/e', '/f');
    await make('/f', '/g#top');
    await expect(make('/g', '/e')).rejects.toThrow('This would create a redirect loop. Choose another address.');
    expect(await app.get('/e?q=1')).toMatchObject({ status: 301, location: '/g?q=1#top' });
    await expect(make('/a', '/z')).rejects.toThrow('There’s already a redirect from this address.');
    await expect(make('/web/login', '/z')).rejects.toThrow(InvalidInput);
    await expect(make('/', '/z')).rejects.toThrow(InvalidInput);
    for (const to of ['//evil.example', 'javascript:alert(1)', 'ftp://x', 'z'])
      await expect(make('/h', to)).rejects.toThrow(InvalidInput);
  });

  once('old addresses are known however they are written', async () => {
    const make = (url_from: string, url_to: string) =>
      app.write((ctx) => ctx.model(WebsiteRedirect).create({ url_from, url_to }));
    await make('/événements/été 2019/', '/');
    await make('/%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82', '/somewhere');
    await make('/%77elcome//to/./us', '/somewhere');
    await make('/it%27s(old)', '/somewhere');
    for (const [path, location] of [
      ['/%C3%A9v%C3%A9nements/%C3%A9t%C3%A9%202019', '/'],
      ['/%c3%a9v%c3%a9nements/%c3%a9t%c3%a9%202019', '/'],
      ['/%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82', '/somewhere'],
      ['/%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82', '/somewhere'],
      ['/welcome/to/us', '/somewhere'],
      ['/%77elcome/to/us', '/somewhere'],
      ['/welcome//to/us', '/somewhere'],
      ["/it's(old)", '/somewhere'],
      ['/it%27s%28old%29', '/somewhere'],
    ]) {
      expect([path, await app.get(path ?? '')]).toMatchObject([path, { status: 301, location }]);
    }
    await expect(make('/привет', '/z')).rejects.toThrow('There’s already a redirect from this address.');
  });

  once('redirects name a query, which decides before the page at the path', async () => {
    const make = (url_from: string, url_to: string) =>
      app.write((ctx) => ctx.model(WebsiteRedirect).create({ url_from, url_to }));
    await app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Teams', url: '/teams', website_published: true }));
    await make('/?p=12', '/post-12');
    await make('/?p=13', '/post-13?from=old');
    await make('/index.php?route=product&id=4', '/product-4');
    await make('/index.php?route=product', '/products');
    await make('/index.php', '/start');
    await make('/teams?team=2', '/team-2');
    for (const [path, location] of [
      ['/?p=12', '/post-12'],
      ['/?p=12&utm_source=mail', '/post-12?utm_source=mail'],
      ['/?p=13&utm_source=mail', '/post-13?from=old'],
      ['/index.php?id=4&route=product', '/product-4'],
      ['/index.php?route=product&id=5', '/products?id=5'],
      ['/index.php?page=2', '/start?page=2'],
      ['/index.php?flag', '/start?flag'],
      ['/teams?team=2', '/team-2'],
    ]) {
      expect([path, await app.get(path ?? '')]).toMatchObject([path, { status: 301, location }]);
    }
    expect(await app.get('/?p=14')).toMatchObject({ status: 200 });
    expect(await app.get('/teams?team=3')).toMatchObject({ status: 200 });
    expect(await app.get('/')).toMatchObject({ status: 200 });
    await expect(make('/?p=12', '/z')).rejects.toThrow('There’s already a redirect from this address.');
    await expect(make('/?q=1', '/?q=1')).rejects.toThrow('This would create a redirect loop. Choose another address.');
    await expect(make('/web/login?x=1', '/z')).rejects.toThrow(
      'This address belongs to the app “{addon}”. Choose another one.',
    );
  });

  once('redirects may be written with the language, and say when they could never be used', async () => {
    const make = (url_from: string, url_to: string) =>
      app.write((ctx) => ctx.model(WebsiteRedirect).create({ url_from, url_to }));
    await make('/fr/vieux', '/somewhere');
    await make('/en_US/older', '/somewhere');
    expect(await app.get('/fr/vieux')).toMatchObject({ status: 301, location: '/fr/somewhere' });
    expect(await app.visitor().get('/vieux')).toMatchObject({ status: 404 });
    expect(await app.visitor().get('/older')).toMatchObject({ status: 301, location: '/somewhere' });
    await expect(make('/fr/web/login', '/z')).rejects.toThrow(
      'This address belongs to the app “{addon}”. Choose another one.',
    );
    await expect(make('/fr', '/z')).rejects.toThrow('This address belongs to the app “{addon}”. Choose another one.');
    await app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Taken', url: '/taken' }));
    await expect(make('/taken', '/z')).rejects.toThrow('A page already uses this address');
    // Page of the only site, for redirects of all sites and of this one.
    const [site = 0] = await app.read((ctx) => ctx.model(Website).search([]));
    await app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Own', url: '/own', website_id: site }));
    await expect(make('/own', '/z')).rejects.toThrow('A page already uses this address');
    await expect(make('/%6Fwn', '/z')).rejects.toThrow('A page already uses this address');
    // Another site without that page uses the redirect.
    await app.write(async (ctx) => {
      const { default_lang_id: lang } = await ctx.model(Website).get(site, { select: { default_lang_id: true } });
      const values = { name: 'Other', domain: 'other.example', language_ids: [lang], default_lang_id: lang };
      const otherSite = await ctx.model(Website).create(values);
      await ctx.model(WebsiteRedirect).create({ url_from: '/own', url_to: '/z', website_id: otherSite });
      await expect(
        ctx.model(WebsiteRedirect).create({ url_from: '/own', url_to: '/z', website_id: site }),
      ).rejects.toThrow('A page already uses this address');
      await ctx.model(Website).unlink(otherSite);
    });
    await expect(make('/part#two', '/z')).rejects.toThrow('Browsers don’t send the part after “#”');
  });

  it('an upgrade normalises the addresses that were kept before, and loses none', async () => {
    await app.write(async (ctx) => {
      const ids = await ctx.model(WebsiteRedirect).create([
        { url_from: '/before-1', url_to: '/x' },
        { url_from: '/before-2', url_to: '/y' },
      ]);
      const table = () => ctx.db('website_redirect');
      await table().where({ id: ids[0] }).update({ url_from: '/%ce%b1' });
      await table().where({ id: ids[1] }).update({ url_from: '/%Ce%B1' });
      await normaliseAddresses.up({ db: ctx.db } as MigrationTools);
      const rows: { url_from: string }[] = await table().whereIn('id', ids).orderBy('id');
      expect(rows.map(({ url_from }) => url_from)).toEqual(['/%CE%B1', '/%Ce%B1']);
    });
  });
});
