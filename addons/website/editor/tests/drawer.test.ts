import { createTestApp, type TestApp } from 'pergola/testing';
import { WebsitePage } from '../../models/website-page.ts';
import type { Drawer, OptionSchema } from '../browser/calls.ts';

describe('What the editor’s panel offers', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event', 'forum', 'mass_mailing', 'quote', 'dribblo'], demo: true });
  });
  afterAll(() => app?.close());

  it('has a name for every option of the blocks in the drawer, and for each of its choices', async () => {
    const editor = await app.as('editor');
    const { snippets, blocks } = await editor.rpc<Drawer>('/website/editor/drawer', {});
    const blockIds = new Set(snippets.map(({ block }) => block));
    const isNameless = ({ title, enum: values, labels }: OptionSchema): boolean =>
      title === undefined || (values !== undefined && labels === undefined);
    const nameless = blocks
      .filter(({ id }) => blockIds.has(id))
      .flatMap(({ id, schema }) =>
        Object.entries(schema?.properties ?? {}).flatMap(([name, option]) =>
          isNameless(option) ? [`${id} ${name}`] : [],
        ),
      );
    // The longitude is edited together with the latitude.
    expect(nameless).toEqual(['website.map longitude', 'website.form state']);
    // Records are selected by name, too.
    const { list } = blocks.find(({ id }) => id === 'mass_mailing.subscribe')?.schema?.properties ?? {};
    expect(list?.choices?.map(({ label }) => label)).toContain('Newsletter');
    // Tags belong to the selected forum.
    const { forum, tag } = blocks.find(({ id }) => id === 'forum.questions')?.schema?.properties ?? {};
    expect(tag?.of).toBe('forum');
    const forums = new Set(forum?.choices?.map(({ value }) => value));
    expect(tag?.choices?.length).toBeGreaterThan(0);
    expect(tag?.choices?.every(({ of: forum }) => forum !== undefined && forums.has(forum))).toBe(true);
  });

  it('shows articles as rows, with the first one large, and with their dates, the newest first', async () => {
    const early = new Date('2001-02-03T10:00:00Z');
    await app.write(async (ctx) => {
      const [first = 0] = await ctx
        .model(WebsitePage)
        .search([['url', '=like', '/journal/%']], { order: 'id desc', limit: 1 });
      await ctx.model(WebsitePage).write(first, { date_publish: early });
    });
    const editor = await app.as('editor');
    const renderList = async (options: object) => {
      const listOptions = { below: '/journal', order: 'newest', ...options };
      return (
        await editor.rpc<{ html: string }>('/website/editor/block', { id: 'website.page_list', options: listOptions })
      ).html;
    };
    expect(await renderList({ look: 'first' })).toContain('class="row g-4 s_pages_first"');
    const rows = await renderList({ look: 'rows', date: true });
    expect(rows).toContain('class="row g-4 s_pages_rows"');
    const dates = [...rows.matchAll(/<time[^>]*>([^<]*)/g)].map(([, date]) => date);
    expect(dates.at(-1)).toBe('February 3, 2001');
    const cards = await renderList({ look: 'cards' });
    expect(cards).not.toContain('2001');
    // Without a heading of the block they are below the page's heading.
    expect(cards).toContain('<h2 class="h5">');
    expect(await renderList({ title: 'Journal' })).toMatch(/<h2>Journal<\/h2>.*<h3 class="h5">/s);
  });
});
