import { Website } from '@pergola/website';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { MailingList } from '../models/list.ts';

someDatabase('the foot of every page', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['mass_mailing'], database });
  });
  afterAll(() => app.close());

  const foot = async (path: string) => /<footer.*<\/footer>/s.exec((await app.visitor().get(path)).text)?.[0] ?? '';

  it('says when somebody is there, in the language of the page, as soon as it is said', async () => {
    expect(await foot('/')).not.toContain('Opening hours');
    await app.write(async (ctx) => {
      await ctx.model(Website).write(1, { opening_hours: 'Monday: 9–12\n\nTuesday: 14–18' });
      await ctx.as({ lang: 'fr_FR' }).model(Website).write(1, { opening_hours: 'Lundi : 9 h–12 h' });
    });
    expect(await foot('/')).toMatch(/Opening hours.*>Monday: 9–12<.*>Tuesday: 14–18</s);
    expect(await foot('/fr')).toMatch(/Horaires.*>Lundi : 9 h–12 h</s);
  });

  it('offers the first list that visitors may subscribe to, with a form that works without JavaScript', async () => {
    const lists = await app.read((ctx) => ctx.model(MailingList).find([], { select: { name: true } }));
    const shown = await foot('/');
    expect(shown).toContain(lists[0]?.name);
    expect(shown).toMatch(/<form[^>]*action="\/website_mass_mailing\/subscribe\/form"/);
    await app.write((ctx) =>
      ctx.model(MailingList).write(
        lists.map(({ id }) => id),
        { is_public: false },
      ),
    );
    expect(await foot('/')).not.toContain('footer-newsletter');
  });
});
