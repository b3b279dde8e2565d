import { createTestApp, eachDatabase, inOrder, type TestApp } from 'pergola/testing';
import { history, restore } from '../editor/revisions.ts';
import migration from '../migrations/0001-one-structure.ts';
import { WebsitePage } from '../models/website-page.ts';

const block = (title: string, text: string, kind: string): string =>
  `<section class="${kind}"><h2>${title}</h2><p>${text}</p></section>`;
const english = [
  block('Hello', 'Here we are.', 's_a'),
  block('New', 'Since May.', 's_b'),
  block('Bye', 'See you.', 's_c'),
];
const french = [
  block('Bonjour', 'Nous voici.', 's_a'),
  block('Encore', 'Rien qu’ici.', 's_d'),
  block('Adieu', 'À bientôt.', 's_c'),
];

eachDatabase('Pages whose languages came apart', (database) => {
  inOrder();
  let app: TestApp;
  let id: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
    id = await app.write(async (ctx) => {
      const page = await ctx
        .model(WebsitePage)
        .create({ name: 'P', url: '/p', content: '<p>x</p>', website_published: true });
      const texts = JSON.stringify({ en_US: english.join(''), fr_FR: french.join('') });
      await ctx.db('website_page').where({ id: page }).update({ content: texts });
      return page;
    });
    await app.migrate(migration);
    // Clears cached values, as the upgrade does.
    await app.write((ctx) => ctx.model(WebsitePage).write(id, { website_indexed: true }));
  });
  afterAll(() => app?.close());

  const content = (lang: string) =>
    app.read(
      async (ctx) =>
        (
          await ctx
            .as({ lang })
            .model(WebsitePage)
            .get(id, { select: { content: true } })
        ).content,
    );

  it('have one structure, with the texts that were translated', async () => {
    expect(await content('en_US')).toBe(english.join(''));
    expect(await content('fr_FR')).toBe([french[0], english[1], french[2]].join(''));
    expect((await app.get('/fr/p')).text).toContain('Nous voici.');
  });

  it('are left alone once they are one', async () => {
    const previous = await content('fr_FR');
    await app.migrate(migration);
    expect(await content('fr_FR')).toBe(previous);
    expect(await app.read((ctx) => history(ctx, { model: 'website.page', id }))).toHaveLength(1);
  });

  it('give back what only the translation had, in all languages', async () => {
    await app.write(async (ctx) => {
      const [version] = await history(ctx, { model: 'website.page', id });
      expect(version).toMatchObject({ lang: 'fr_FR', before: french.join('') });
      await restore(ctx, version?.id ?? 0, 'before');
    });
    expect(await content('fr_FR')).toBe([french[0], french[1], english[1], french[2]].join(''));
    expect(await content('en_US')).toContain('Rien qu’ici.');
  });
});
