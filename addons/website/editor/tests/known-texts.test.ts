import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import type { Drawer } from '../browser/calls.ts';
import type { OpenElement } from '../open.ts';
import type { Untranslated } from '../untranslated.ts';

type Caller = Pick<TestApp, 'rpc'>;

someDatabase('Blocks that editors put in', (database) => {
  let app: TestApp;
  let editor: Caller;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database, demo: true });
  });
  beforeEach(async () => {
    editor = await app.as('editor');
  });
  afterAll(() => app?.close());

  const snippet = async (name: string, lang: string) =>
    (await editor.rpc<{ html: string }>(`${lang}/website/editor/snippet`, { id: `website.${name}` })).html;
  const page = (name: string, content: string, lang = '') =>
    editor.rpc<{ id: number; url: string }>(`${lang}/website/editor/page/new`, { name, content, menu: false });
  const opened = async (id: number, lang: string) => {
    const elements = [{ model: 'website.page', id, field: 'content' }];
    const [piece] = (await editor.rpc<{ elements: OpenElement[] }>('/website/editor/open', { lang, elements }))
      .elements;
    if (!piece) throw new Error('Not opened.');
    return piece;
  };
  const save = async (id: number, lang: string, value: unknown) => {
    const { model, field, revision } = await opened(id, lang);
    return editor.rpc('/website/editor/save', { lang, elements: [{ model, id, field, revision, value }] });
  };
  const missing = async (id: number, lang: string) =>
    (await opened(id, lang)).translation?.terms.flatMap(({ source, term, optional }) =>
      term === null && !optional ? [source] : [],
    );

  it('come with their texts in the other language, whichever the page is made in', async () => {
    const english = await page(
      'Pick',
      `${await snippet('text_image', '')}${await snippet('quote', '')}<p>Our own words</p>`,
    );
    expect(await missing(english.id, 'fr_FR')).toEqual(['Our own words']);
    const french = await page('Cueillette', `<p>Nos mots</p>`, '/fr');
    expect(await save(french.id, 'fr_FR', `<p>Nos mots</p>${await snippet('faq', '/fr')}`)).toMatchObject({
      saved: true,
    });
    expect(await missing(french.id, 'en_US')).toEqual(['Nos mots']);
    expect((await opened(french.id, 'en_US')).translation?.html).toContain('Can I just drop by?');
  });

  it('want no word of us translated, those neither that are the same in both languages', async () => {
    const { snippets } = await editor.rpc<Drawer>('/website/editor/drawer');
    const shipped = snippets.filter(({ id }) => id.startsWith('website.'));
    const all = await Promise.all(shipped.map(({ id }) => snippet(id.slice('website.'.length), '')));
    const { id } = await page('All', all.join(''));
    expect((await opened(id, 'fr_FR')).translation?.terms.length).toBeGreaterThan(300);
    expect(await missing(id, 'fr_FR')).toEqual([]);
  });

  it('are left alone afterwards: a translation that was taken away does not come back, one of one’s own stays', async () => {
    const faq = await snippet('faq', '');
    const { id } = await page('Asked', faq);
    const terms = (await opened(id, 'fr_FR')).translation?.terms ?? [];
    const [first, second] = terms.flatMap(({ source, term: previous, optional }, index) =>
      optional ? [] : [{ at: index, source, before: previous }],
    );
    await save(id, 'fr_FR', [
      { ...first, text: null },
      { ...second, text: 'Puis-je venir ?' },
    ]);
    await save(id, 'en_US', `${faq}<p>And more</p>`);
    expect(await missing(id, 'fr_FR')).toEqual([first?.source, 'And more']);
    expect((await opened(id, 'fr_FR')).translation?.html).toContain('Puis-je venir ?');
  });

  it('bring what was translated where they were saved, whichever language they are put in', async () => {
    const block = '<section class="s_x"><h2>Our bread</h2><p>Baked at <a href="/night">night</a>.</p></section>';
    const first = await page('Bakery', block);
    const terms = (await opened(first.id, 'fr_FR')).translation?.terms ?? [];
    const texts = ['Notre pain', 'Cuit la <a href="/night">nuit</a>.'];
    const edits = terms.map(({ source, term: previous }, index) => ({
      at: index,
      source,
      before: previous,
      text: texts[index] ?? null,
    }));
    expect(await save(first.id, 'fr_FR', edits)).toMatchObject({ saved: true });
    const origin = { model: 'website.page', id: first.id, field: 'content' };
    const saveBlock = (shared: boolean) =>
      editor.rpc<number>('/website/editor/snippet/save', { name: 'Bread', content: block, shared, origin });
    const savedName = `saved:${await saveBlock(false)}`;
    const otherPage = await page('Other bakery', `${await snippet(savedName, '')}<p>Open</p>`);
    expect(await missing(otherPage.id, 'fr_FR')).toEqual(['Open']);
    // A shared block is translated once for all pages.
    const place = `<div data-block="website.saved" data-options='{"block":${await saveBlock(true)}}'></div>`;
    const shared = await page('Third bakery', place);
    expect((await opened(shared.id, 'fr_FR')).translation?.parts).toMatchObject([
      { block: 'website.seo' },
      { block: 'website.saved', missing: 0 },
    ]);
    const french = await page('Autre boulangerie', await snippet(savedName, '/fr'), '/fr');
    expect((await opened(french.id, 'en_US')).translation?.html).toContain('Our bread');
  });

  it('say the same in both languages once somebody said so, until they say something else', async () => {
    const { id } = await page('Menus', '<p>Menu</p><p>info@bakery.example, +33 1 23</p>');
    expect(await missing(id, 'fr_FR')).toEqual(['Menu']);
    await save(id, 'fr_FR', [{ at: 0, source: 'Menu', before: null, text: 'Menu' }]);
    expect(await missing(id, 'fr_FR')).toEqual([]);
    const check = async () =>
      (await editor.rpc<Untranslated[]>('/website/editor/check', { id })).filter(({ part }) => !part);
    expect(await check()).toEqual([]);
    await save(id, 'en_US', '<p>The menu</p><p>info@bakery.example, +33 1 23</p>');
    expect(await check()).toMatchObject([{ lang: 'fr_FR', outdated: 1 }]);
  });
});
