import { createTestApp, type TestApp } from 'pergola/testing';

describe('Without JavaScript', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], demo: true });
  });
  afterAll(() => app.close());

  describe.each([
    {
      at: '',
      say: {
        takeBack: 'Published. Unpublish',
        publish: 'Not published. Publish',
        next: 'Garden day',
        create: 'Create an account',
        first: 'Belgium',
        second: 'Greece',
      },
    },
    {
      at: '/fr',
      say: {
        takeBack: 'Publié. Dépublier',
        publish: 'Non publié. Publier',
        next: 'Journée au jardin',
        create: 'Créer un compte',
        first: 'Belgique',
        second: 'Grèce',
      },
    },
  ])('at "$at"', ({ at: path, say }) => {
    it('one publishes a page, and takes it back', async () => {
      const editor = await app.as('editor');
      const press = async (button: string): Promise<string | undefined> => {
        const { status, text } = await editor.press(`${path}/countries`, 'website.Publish', button);
        expect(status).toBe(200);
        return /js_publish_management (\w+)/.exec(text)?.[1];
      };
      expect(await press(say.takeBack)).toBe('css_unpublished');
      expect(await press(say.publish)).toBe('css_published');
    });

    it('one turns the pages of a column by its links', async () => {
      const first = await app.readIsland(`${path}/countries`, 'website.KanbanColumn');
      expect(first).toContain(say.first);
      const [, link = ''] = / 2 (\S+)/.exec(first) ?? [];
      expect(link).toMatch(new RegExp(`^${path}/countries\\?kanban=\\d+-2$`));
      const second = await app.readIsland(link, 'website.KanbanColumn');
      expect(second).not.toContain(say.first);
      expect(second).toContain(say.second);
    });

    it('one who signs in goes on where they were, with an account or to one', async () => {
      const page = `${path}/web/login?redirect=/my/home`;
      expect(await app.readIsland(page, 'web.RedirectField')).toBe('redirect=/my/home');
      expect(await app.readIsland(page, 'web.SignUpLink')).toBe(
        `${say.create} ${path}/web/signup?redirect=%2Fmy%2Fhome`,
      );
    });

    it('one reads what is on', async () => {
      expect(await app.readIsland(`${path}/calendar`, 'website.Calendar')).toContain(say.next);
    });
  });
});
