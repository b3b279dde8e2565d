import { CallError, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { WebsiteForm } from '../../forms/models/form.ts';
import { WebsiteFormField } from '../../forms/models/form-field.ts';
import { WebsitePage } from '../../models/website-page.ts';
import type { PageText } from '../page-texts.ts';
import type { OpenTranslation, Untranslated } from '../untranslated.ts';

someDatabase('the check of a page', (database) => {
  let app: TestApp;
  let page: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database, demo: true });
    page = await app.write((ctx) =>
      ctx.model(WebsitePage).create({ name: 'Rules', url: '/rules', content: '<p>One</p>', website_published: true }),
    );
  });
  afterAll(() => app?.close());

  const inFrench = (id: number, values: { name?: string; content?: string }) =>
    app.write((ctx) => ctx.as({ lang: 'fr_FR' }).model(WebsitePage).write(id, values));
  const findingCounts = async (id: number) =>
    (await (await app.as('editor')).rpc<Untranslated[]>('/website/editor/check', { id })).map(
      ({ part, missing, outdated }) => `${part?.block ?? 'page'} ${missing} ${outdated}`,
    );
  const statement = async (language = '') => (await app.visitor().get(`${language}/accessibility`)).text;
  const keep = async (faults: readonly object[], login = 'editor') =>
    (await app.as(login)).rpc('/website/editor/check/keep', { id: page, faults });

  it('says in which languages the page is not translated', async () => {
    const editor = await app.as('editor');
    const check = () => editor.rpc('/website/editor/check', { id: page });
    const french = { lang: 'fr_FR', name: 'Français' };
    const title = { block: 'website.seo', model: 'website.page', id: page };
    expect(await check()).toEqual([
      { ...french, part: null, missing: 1, outdated: 0 },
      { ...french, part: title, missing: 1, outdated: 0 },
    ]);
    await inFrench(page, { content: '<p>Un</p>' });
    expect(await check()).toEqual([{ ...french, part: title, missing: 1, outdated: 0 }]);
    await inFrench(page, { name: 'Règles' });
    expect(await check()).toEqual([]);
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { content: '<p>One now</p>' }));
    expect(await check()).toEqual([{ ...french, part: null, missing: 0, outdated: 1 }]);
  });

  it('counts what the page is called and search engines are told, which is translated as it is read', async () => {
    const editor = await app.as('editor');
    const values = { name: 'Bread', url: '/bread', content: '<p>1</p>', website_meta_keywords: '1 2 3' };
    const id = await app.write((ctx) =>
      ctx.model(WebsitePage).create({ ...values, website_meta_description: 'Baked at night' }),
    );
    const texts = async (lang = 'fr_FR') =>
      (await editor.rpc<{ texts: PageText[] }>('/website/editor/page-texts', { lang, model: 'website.page', id }))
        .texts;
    const save = async (field: string, value: string | null) => {
      const ref = { model: 'website.page', id, field };
      const { elements } = await editor.rpc<{ elements: { revision: string }[] }>('/website/editor/open', {
        lang: 'fr_FR',
        elements: [ref],
      });
      return editor.rpc('/website/editor/save', {
        lang: 'fr_FR',
        elements: [{ ...ref, revision: elements[0]?.revision, value }],
      });
    };
    const check = () => editor.rpc('/website/editor/check', { id });
    expect(await check()).toMatchObject([{ part: { block: 'website.seo' }, missing: 2, outdated: 0 }]);
    expect(await texts()).toEqual([
      { field: 'name', from: 'en_US', source: 'Bread', term: null, optional: false },
      { field: 'website_meta_description', from: 'en_US', source: 'Baked at night', term: null, optional: false },
      { field: 'website_meta_keywords', from: 'en_US', source: '1 2 3', term: null, optional: true },
    ]);
    expect(await texts('en_US')).toEqual([]);
    await save('name', 'Pain');
    await save('website_meta_description', 'Cuit la nuit');
    expect(await check()).toEqual([]);
    await app.write((ctx) => ctx.model(WebsitePage).write(id, { website_meta_description: 'Baked at dawn' }));
    expect(await texts()).toMatchObject([{ term: 'Pain' }, { term: ['Cuit la nuit', 'Baked at night'] }, {}]);
    // Confirms the translation, and resets the title to the English one.
    await save('website_meta_description', 'Cuit la nuit');
    expect(await save('name', null)).toMatchObject({ saved: true });
    expect(await check()).toMatchObject([{ part: { block: 'website.seo' }, missing: 1, outdated: 0 }]);
    const portal = await app.as('portal');
    await expect(
      portal.rpc('/website/editor/page-texts', { lang: 'fr_FR', model: 'website.page', id }),
    ).rejects.toThrow(CallError);
    const ofUsers = { lang: 'fr_FR', model: 'res.users', id: 1 };
    expect(await editor.rpc('/website/editor/page-texts', ofUsers)).toEqual({ texts: [] });
  });

  it('counts the texts of shared blocks on the page, once', async () => {
    const editor = await app.as('editor');
    const shared = { name: 'Notice', content: '<p>Closed</p>', shared: true };
    const block = await editor.rpc<number>('/website/editor/snippet/save', shared);
    const place = `<div data-block="website.saved" data-options='{"block":${block}}'></div>`;
    const content = `<p>One</p>${place}${place}`;
    const id = await app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Shares', url: '/shares', content }));
    expect(await findingCounts(id)).toEqual(['page 1 0', 'website.seo 1 0', 'website.saved 1 0']);
  });

  it('counts the texts of forms on the page and on its shared blocks, once', async () => {
    const editor = await app.as('editor');
    const form = await app.write(async (ctx) => {
      const id = await ctx.model(WebsiteForm).create({ name: 'Join', thanks: 'See you soon.' });
      await ctx.model(WebsiteFormField).create({ form_id: id, name: 'Your dog', help: '123' });
      return id;
    });
    const place = `<div data-block="website.form" data-options='{"form":${form},"title":"Join us"}'></div>`;
    const shared = await editor.rpc<number>('/website/editor/snippet/save', {
      name: 'Form',
      content: `<p>One</p>${place}`,
      shared: true,
    });
    const content = `${place}<div data-block="website.saved" data-options='{"block":${shared}}'></div>`;
    const id = await app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Asks', url: '/asks', content }));
    const element = { model: 'website.page', id, field: 'content' };
    const parts = async () => {
      const { elements } = await editor.rpc<{ elements: { translation: OpenTranslation }[] }>('/website/editor/open', {
        lang: 'fr_FR',
        elements: [element],
      });
      return elements[0]?.translation.parts;
    };
    const translate = (values: object) =>
      editor.rpc('/web/dataset/call_kw/website.form/write', {
        model: 'website.form',
        method: 'write',
        args: [[form], values],
        kwargs: { context: { lang: 'fr_FR' } },
      });
    // Page title, title and text of the shared block, thanks and question of the form; numbers don't count.
    await inFrench(id, { name: 'Demandes' });
    const otherParts = ['page 1 0', 'website.saved 2 0'];
    expect(await findingCounts(id)).toEqual([...otherParts, 'website.form 2 0']);
    expect(await parts()).toEqual([
      { block: 'website.seo', model: 'website.page', id, all: 1, missing: 0, outdated: 0 },
      { block: 'website.saved', model: 'website.saved_block', id: shared, all: 2, missing: 2, outdated: 0 },
      { block: 'website.form', model: 'website.form', id: form, all: 2, missing: 2, outdated: 0 },
    ]);
    const texts = () =>
      editor.rpc<{ texts: { question: number | null; term: unknown }[] }>('/website/editor/form-texts', {
        lang: 'fr_FR',
        form,
      });
    const [question] = (await texts()).texts;
    await translate({ thanks: 'À bientôt.', field_ids: [[1, question?.question, { name: 'Votre chien' }]] });
    expect(await findingCounts(id)).toEqual(otherParts);
    await app.write((ctx) => ctx.model(WebsiteForm).write(form, { thanks: 'See you.' }));
    expect(await findingCounts(id)).toEqual([...otherParts, 'website.form 0 1']);
    expect((await texts()).texts).toMatchObject([
      { name: 'name', source: 'Your dog', term: 'Votre chien', from: 'en_US' },
      { name: 'help', source: '123', term: null, optional: true },
      { name: 'thanks', source: 'See you.', term: ['À bientôt.', 'See you soon.'] },
    ]);
    // Confirms the translation; an untranslated question is shown in English.
    await translate({ thanks: 'À bientôt.', field_ids: [[1, question?.question, { name: false }]] });
    expect(await parts()).toMatchObject([{}, {}, { all: 2, missing: 1, outdated: 0 }]);
  });

  it('is told in the accessibility statement, until the page is another one', async () => {
    // The demo pages are checked.
    expect(await statement()).toContain('13 pages have been checked since they last changed.');
    await keep([
      { rule: 'alt', count: 2 },
      { rule: 'languages', count: 1 },
    ]);
    // The English text was checked, and hasn't changed.
    expect(await statement('/fr')).toContain('14 pages ont été');
    expect(await statement()).toMatch(/Rules<\/a>\s*<ul>\s*<li>2 images without alternative text<\/li>\s*<\/ul>/);
    const [unchecked] = /\d+ pages haven’t been checked yet\./.exec(await statement()) ?? ['none'];
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { content: '<p>Two</p>' }));
    const text = await statement();
    expect(text).toContain('1 page has changed since its check.');
    expect(text).toContain(unchecked);
    expect(text).not.toContain('2 images without');
    await keep([]);
    expect(await statement()).toContain('No known issues on the checked pages.');
  });

  it('is kept for those who may write the page, and read by no visitor', async () => {
    await expect(app.visitor().rpc('/website/editor/check/keep', { id: page, faults: [] })).rejects.toThrow(CallError);
    await expect(keep([{ rule: 'of my own', count: 1 }])).rejects.toThrow(CallError);
    const read = { model: 'website.page', method: 'read', args: [[page], ['check_faults']], kwargs: {} };
    await expect(app.visitor().rpc('/web/dataset/call_kw/website.page/read', read)).rejects.toThrow(CallError);
  });

  describe('before visitors see it', () => {
    const isShown = (id: number) =>
      app.read(
        async (ctx) =>
          (await ctx.model(WebsitePage).get(id, { select: { website_published: true } })).website_published,
      );
    const draft = (content: string) =>
      app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Draft', url: `/draft-${Date.now()}`, content }));
    const errorOf = async (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'It was answered.',
        (error: unknown) => (error instanceof CallError ? error.message : String(error)),
      );
    const write = async (id: number, values: object) =>
      (await app.as('editor')).rpc('/web/dataset/call_kw', {
        model: 'website.page',
        method: 'write',
        args: [[id], values],
        kwargs: {},
      });

    it('is asked about once, from wherever it is published', async () => {
      const id = await draft('<h1>One</h1><h3>Two</h3><img src="/a.png" alt="">');
      expect(await errorOf(write(id, { website_published: true }))).toContain(
        'images without alternative text (1), headings out of order (1), incomplete translations (1)',
      );
      const editor = await app.as('editor');
      expect(await errorOf(editor.rpc('/website/publish', { id, object: 'website.page', published: true }))).toContain(
        'Visitors would notice',
      );
      expect(await isShown(id)).toBe(false);
      await write(id, { website_published: true, publish_anyway: true });
      expect(await isShown(id)).toBe(true);
      // Other changes need no confirmation, and the earlier confirmation applied only once.
      await write(id, { website_indexed: false });
      await write(id, { website_published: false });
      expect(await errorOf(write(id, { website_published: true }))).toContain('Visitors would notice');
      expect(await editor.rpc('/website/publish', { id, object: 'website.page', published: true, anyway: true })).toBe(
        true,
      );
    });

    it('is nobody’s question where nothing is found', async () => {
      const id = await draft('<h1>{x}</h1><p>Un</p>');
      await inFrench(id, { name: 'Brouillon', content: '<h1>{y}</h1><p>Deux</p>' });
      await write(id, { website_published: true });
      expect(await isShown(id)).toBe(true);
    });
  });
});
