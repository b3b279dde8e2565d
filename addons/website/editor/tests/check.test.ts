import { CallError, createTestApp, eachDatabase, type TestApp } from '#core/testing';
import { WebsitePage } from '../../models/website-page.ts';

eachDatabase('the check of a page', (database) => {
  let app: TestApp;
  let page: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database, demo: true });
    page = await app.write((ctx) =>
      ctx.model(WebsitePage).create({ name: 'Rules', url: '/rules', content: '<p>One</p>', website_published: true }),
    );
  }, 280_000);
  afterAll(() => app?.close());

  const statement = async () => (await app.visitor().get('/accessibility')).text;
  const keep = async (faults: readonly object[], by = 'editor') =>
    (await app.as(by)).rpc('/website/editor/check/keep', { id: page, faults });

  it('says in which languages the page is not translated', async () => {
    const editor = await app.as('editor');
    const check = () => editor.rpc('/website/editor/check', { id: page });
    expect(await check()).toEqual([{ lang: 'fr_FR', name: 'Français', missing: 1, outdated: 0 }]);
    await app.write((ctx) => ctx.as({ lang: 'fr_FR' }).model(WebsitePage).write(page, { content: '<p>Un</p>' }));
    expect(await check()).toEqual([]);
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { content: '<p>One now</p>' }));
    expect(await check()).toEqual([{ lang: 'fr_FR', name: 'Français', missing: 0, outdated: 1 }]);
  });

  it('is told in the accessibility statement, until the page is another one', async () => {
    expect(await statement()).toContain('The pages have not been checked yet.');
    await keep([
      { rule: 'alt', count: 2 },
      { rule: 'languages', count: 1 },
    ]);
    expect(await statement()).toMatch(/Rules<\/a>\s*<ul>\s*<li>2 pictures without a description<\/li>\s*<\/ul>/);
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { content: '<p>Two</p>' }));
    const text = await statement();
    expect(text).toContain('1 page has changed since its check.');
    expect(text).not.toContain('2 pictures without');
    await keep([]);
    expect(await statement()).toContain('Nothing is known to be missing on the pages that were checked.');
  });

  it('is kept for those who may write the page, and read by no visitor', async () => {
    await expect(app.visitor().rpc('/website/editor/check/keep', { id: page, faults: [] })).rejects.toThrow(CallError);
    await expect(keep([{ rule: 'of my own', count: 1 }])).rejects.toThrow(CallError);
    const read = { model: 'website.page', method: 'read', args: [[page], ['check_faults']], kwargs: {} };
    await expect(app.visitor().rpc('/web/dataset/call_kw/website.page/read', read)).rejects.toThrow(CallError);
  });
});
