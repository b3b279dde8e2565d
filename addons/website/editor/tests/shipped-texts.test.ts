import { createTestApp, eachDatabase, type TestApp } from '#core/testing';
import type { OpenElement } from '../open.ts';

type Caller = Pick<TestApp, 'rpc'>;

eachDatabase('Shipped blocks that editors put in', (database) => {
  let app: TestApp;
  let editor: Caller;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database, demo: true });
  }, 120_000);
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
    const [found] = (await editor.rpc<{ elements: OpenElement[] }>('/website/editor/open', { lang, elements }))
      .elements;
    if (!found) throw new Error('Not opened.');
    return found;
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
    expect((await opened(french.id, 'en_US')).translation?.html).toContain('May I just come by?');
  });

  it('are left alone afterwards: a translation that was taken away does not come back, one of one’s own stays', async () => {
    const faq = await snippet('faq', '');
    const { id } = await page('Asked', faq);
    const terms = (await opened(id, 'fr_FR')).translation?.terms ?? [];
    const [first, second] = terms.flatMap(({ source, term: before, optional }, at) =>
      optional ? [] : [{ at, source, before }],
    );
    await save(id, 'fr_FR', [
      { ...first, text: null },
      { ...second, text: 'Puis-je venir ?' },
    ]);
    await save(id, 'en_US', `${faq}<p>And more</p>`);
    expect(await missing(id, 'fr_FR')).toEqual([first?.source, 'And more']);
    expect((await opened(id, 'fr_FR')).translation?.html).toContain('Puis-je venir ?');
  });
});
