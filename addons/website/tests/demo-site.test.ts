import { gzipSync } from 'node:zlib';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { WebsitePage } from '../models/website-page.ts';

someDatabase('The demo site', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database, demo: true });
  });
  afterAll(() => app.close());

  /** Paths on this site that a page's links and images refer to. */
  const pathsIn = (html: string): string[] =>
    Array.from(html.matchAll(/(?:href|src)="(\/[^"]*)"/g), ([, path = '']) =>
      path.replaceAll('&amp;', '&').replace(/#.*$/, ''),
    ).filter((path) => path !== '' && !path.startsWith('/web/') && !path.startsWith('/website/lang/'));

  it.each([
    ['English', '/', 'Good things grow where people meet'],
    ['French', '/fr', 'Là où l’on se retrouve, tout pousse mieux'],
  ])('leads nowhere into the void in %s, from any of its pages', async (_language, start, title) => {
    const french = start === '/fr';
    expect((await app.get(start)).text).toContain(title);
    const waiting = [start];
    const seen = new Set(waiting);
    const failed: string[] = [];
    let pages = 0;
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text, headers } = await app.visitor().get(path, {
        headers: { 'accept-language': french ? 'fr' : 'en' },
      });
      if (status !== 200) failed.push(`${status} ${path}`);
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      pages += 1;
      // Pages link to each other within a language; further pages of a board look the same as the first.
      const inside = pathsIn(text).filter((to) => french === /^\/fr(\/|$)/.test(to) || /\.\w+$/.test(to));
      for (const to of inside.filter((path) => !seen.has(path) && !path.includes('?'))) {
        seen.add(to);
        waiting.push(to);
      }
    }
    expect(failed).toEqual([]);
    expect(pages).toBeGreaterThanOrEqual(12);
  });

  it.each([
    ['/about-us', 'Qui sommes-nous'],
    ['/activities', 'Nos activités'],
    ['/journal', 'Le journal'],
    ['/gallery', 'Galerie'],
    ['/calendar', 'Agenda'],
    ['/countries', 'Pays par devise'],
    ['/contactus', 'Contactez-nous'],
    ['/legal', 'Mentions légales'],
  ])('has %s in French', async (path, title) => {
    const { status, text } = await app.get(`/fr${path}`);
    expect(status).toBe(200);
    expect(/<h1[^>]*>([^<]*)</.exec(text)?.[1]).toContain(title);
  });

  it('is whole in both languages', async () => {
    const editor = await app.as('editor');
    const pages = await app.read((ctx) => ctx.model(WebsitePage).find([], { select: { url: true } }));
    const missing = await Promise.all(
      pages.map(async ({ id, url }) =>
        (await editor.rpc<[]>('/website/editor/check', { id })).length > 0 ? [url] : [],
      ),
    );
    expect(missing.flat()).toEqual([]);
  });

  it('needs less than 20 KB of style sheets, and building blocks’ own only where one of them stands', async () => {
    const sheetsOf = async (path: string): Promise<string[]> =>
      Array.from(
        (await app.visitor().get(path)).text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g),
        ([, to = '']) => to,
      );
    const gzipped = async (path: string): Promise<number> => {
      const texts = await Promise.all([...new Set(await sheetsOf(path))].map(async (to) => (await app.get(to)).text));
      return texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    };
    for (const path of ['/', '/contactus', '/journal', '/web/login']) expect(await gzipped(path)).toBeLessThan(20_000);
    expect((await sheetsOf('/')).join()).toContain('/snippets.page');
    expect((await sheetsOf('/web/login')).join()).not.toContain('/snippets.page');
  });

  it('shows a kanban, and a calendar with something in it, but not what is internal', async () => {
    // Visitor without a selected language.
    const visitor = app.visitor();
    expect((await visitor.get('/countries')).text).toContain('js_kanban_col');
    // The page is a demo for developers, so the menu doesn't link to it.
    expect((await visitor.get('/')).text).not.toContain('href="/countries"');
    const { text } = await visitor.get('/calendar');
    expect(text).toContain('Garden day');
    expect(text).not.toContain('Board meeting');
  });
});
