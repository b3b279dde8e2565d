import { createTestApp, type TestApp } from 'pergola/testing';

/**
 * The constants, texts and shapes of the specification's "Mailing list" (sections 2 to 9). Section 8 and 9 name none of their own.
 */
describe('constants of mailing lists', () => {
  let app: TestApp;
  let list: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['mass_mailing'], demo: true });
    list = await app.read((ctx) => ctx.ref('mass_mailing.newsletter'));
  });
  afterAll(() => app.close());

  const widget = async (): Promise<string> =>
    /<form class="js_subscribe[\s\S]*?<\/form>/.exec((await app.visitor().get('/newsletter')).text)?.[0] ?? '';

  it.each<[string, () => Promise<unknown>, unknown]>([
    [
      '§3, §7 is_subscriber answers is_subscriber and email',
      () => app.visitor().rpc('/website_mass_mailing/is_subscriber', { list_id: list }),
      { is_subscriber: false, email: false },
    ],
    [
      '§7 subscribe takes list_id and email',
      () => app.visitor().rpc('/website_mass_mailing/subscribe', { list_id: list, email: 'ada@example.org' }),
      true,
    ],
    [
      '§5 an address needs an at sign with text on both sides',
      async () => {
        const wrong = ['ada', '@example.org', 'ada@', '@', ''];
        const answers = wrong.map((email) =>
          app
            .visitor()
            .rpc('/website_mass_mailing/subscribe', { list_id: list, email })
            .then(
              () => 'taken',
              () => 'refused',
            ),
        );
        return Promise.all(answers);
      },
      Array(5).fill('refused'),
    ],
    ['§2 a widget for any page names its list', async () => (await widget()).includes(`data-list-id="${list}"`), true],
    [
      '§4 with a field, two buttons and an alert, of which only the first button shows',
      async () => {
        const html = await widget();
        return ['js_subscribe_email', 'js_subscribe_btn', 'js_subscribed_btn', 'alert '].map((name) => {
          const tag = new RegExp(`<\\w+ (?:[^>]* )?class="${name}[^>]*>`).exec(html)?.[0] ?? '';
          return tag === '' ? 'missing' : / hidden/.test(tag) ? 'hidden' : 'shown';
        });
      },
      ['shown', 'shown', 'hidden', 'hidden'],
    ],
    [
      'dossier 8.2 lists of the demo',
      async () => {
        const admin = await app.as('admin');
        const rows = await admin.rpc<{ name: string; contact_nbr: number }[]>('/web/dataset/call_kw', {
          model: 'mail.mass_mailing.list',
          method: 'search_read',
          args: [[['name', 'in', ['Newsletter', 'Imported Contacts']]], ['name', 'contact_nbr']],
          kwargs: { order: 'id' },
        });
        return rows.map(({ name, contact_nbr }) => [name, contact_nbr]);
      },
      [
        ['Newsletter', 7],
        ['Imported Contacts', 2],
      ],
    ],
  ])('%s', async (_name, actual, expected) => {
    expect(await actual()).toEqual(expected);
  });
});
