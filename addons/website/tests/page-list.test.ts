import { createTestApp, eachDatabase } from 'pergola/testing';
import { pageList } from '../blocks/page-list.ts';
import { WebsitePage } from '../models/website-page.ts';

const DAY = 24 * 60 * 60 * 1000;

eachDatabase('The list of pages', (database) => {
  it('reads no more pages than it may show, in each order', async () => {
    await using app = await createTestApp({ addons: ['website'], database });
    const page = { website_published: true, website_indexed: true, content: '<p>Text</p>' };
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      ...page,
      name: `Entry ${String(index).padStart(4, '0')}`,
      url: `/journal/entry-${String(index).padStart(4, '0')}`,
    }));
    for (let start = 0; start < rows.length; start += 500)
      await app.write((ctx) => ctx.model(WebsitePage).create(rows.slice(start, start + 500)));
    await app.write((ctx) =>
      ctx.model(WebsitePage).create([
        // Published a day ago, but created last.
        { ...page, name: 'A late one', url: '/journal/late', date_publish: new Date(Date.now() - DAY) },
        // The page of this site replaces the shared one at the same path.
        { ...page, name: 'AA shared', url: '/journal/aa' },
        { ...page, name: 'Z own', url: '/journal/aa', website_id: 1 },
      ]),
    );
    const load = async (order: 'name' | 'newest' | 'address') => {
      const initialReads = app.database.metrics().rowsRead;
      const options = { title: '', below: '/journal', order, look: 'list', date: false, limit: 3 } as const;
      const values = await app.read((ctx) => pageList.load(ctx, options, {} as never));
      expect(app.database.metrics().rowsRead - initialReads).toBeLessThan(40);
      return (values as { pages: { name: string }[] }).pages.map(({ name }) => name);
    };
    expect(await load('name')).toEqual(['A late one', 'Entry 0000', 'Entry 0001']);
    expect(await load('address')).toEqual(['Z own', 'Entry 0000', 'Entry 0001']);
    const newest = await load('newest');
    expect(newest).toContain('Z own');
    expect(newest).not.toContain('A late one');
    await app.write(async (ctx) => {
      const ids = await ctx.model(WebsitePage).search([['url', '=', '/journal/entry-0007']]);
      await ctx.model(WebsitePage).write(ids, { date_publish: new Date(Date.now() - 1) });
    });
    expect((await load('newest'))[0]).toBe('Entry 0007');
  });
});
