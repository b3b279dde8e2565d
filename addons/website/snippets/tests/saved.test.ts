import { CallError, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { SavedBlock } from '../saved/saved-block.ts';
import { makePage, snippetHtml } from './kit.ts';

someDatabase('blocks that editors keep', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database, demo: true });
  });
  afterAll(() => app?.close());

  const keep = async (name: string, content: string, shared: boolean) =>
    (await app.as('editor')).rpc<number>('/website/editor/snippet/save', { name, content, shared });

  it('are offered in the drawer, and put in as copies or by their number', async () => {
    const copied = await keep('Hours', '<section class="s_title" data-oe-field="x"><h2>Hours</h2></section>', false);
    const shared = await keep('Notice', '<section><p>Closed in May</p></section>', true);
    const editor = await app.as('editor');
    const { snippets } = await editor.rpc<{ snippets: { id: string; tab: string }[] }>('/website/editor/drawer');
    expect(snippets.filter(({ tab }) => tab === 'saved').map(({ id }) => id)).toEqual(
      expect.arrayContaining([`website.saved:${copied}`, `website.saved:${shared}`]),
    );
    expect(await snippetHtml(editor, `website.saved:${copied}`)).toContain(
      '<section class="s_title"><h2>Hours</h2></section>',
    );
    expect(await snippetHtml(editor, `website.saved:${shared}`)).toMatch(
      /<div data-block="website\.saved"[^>]*>.*Closed in May/s,
    );
  });

  it('change on every page they stand on when they are shared, in each language', async () => {
    const id = await keep('Banner', '<section><p>Spring</p></section>', true);
    const place = `<div data-block="website.saved" data-options='{"block":${id}}'></div>`;
    for (const url of ['/one', '/two']) await makePage(app, url, `<h2>${url}</h2>${place}`);
    expect((await app.get('/one')).text).toContain('Spring');
    await app.write(async (ctx) => {
      await ctx.model(SavedBlock).write(id, { content: '<section><p>Summer</p></section>' });
      await ctx.as({ lang: 'fr_FR' }).model(SavedBlock).write(id, { content: '<section><p>Été</p></section>' });
    });
    for (const url of ['/one', '/two']) expect((await app.get(url)).text).toContain('Summer');
    expect((await app.get('/fr/two')).text).toContain('Été');
  });

  it('hold no other shared block, and show nothing once they are gone', async () => {
    const id = await keep('Gone', '<section><p>Here today</p></section>', true);
    const place = `<div data-block="website.saved" data-options='{"block":${id}}'></div>`;
    await expect(keep('Nested', place, true)).rejects.toThrow(CallError);
    await makePage(app, '/gone', `<h2>Left</h2>${place}`);
    await app.write((ctx) => ctx.model(SavedBlock).unlink([id]));
    const { text } = await app.visitor().get('/gone');
    expect([text.includes('Left'), text.includes('Here today')]).toEqual([true, false]);
  });

  it('are kept by editors only', async () => {
    const call = { name: 'Mine', content: '<p>x</p>', shared: false };
    await expect(app.visitor().rpc('/website/editor/snippet/save', call)).rejects.toThrow(CallError);
  });
});
