import { createTestApp, type TestApp } from 'pergola/testing';
import { Seo } from '../mixins/seo.ts';

/**
 * Constants, texts and shapes of the specification's "Common runtime" for sites, pages, languages and publishing. The edit zone, the
 * snippets and the calendar have their own tests.
 */
describe('constants of sites and pages', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], demo: true });
  });
  afterAll(() => app.close());

  const page = async (path: string): Promise<string> => (await app.visitor().get(path)).text;
  const call = (path: string, params: object) => app.visitor().rpc(path, params);

  it.each<[string, () => Promise<unknown>, unknown]>([
    [
      '§2 the root element carries a language',
      async () => /<html [^>]*lang="([^"]*)"/.exec(await page('/'))?.[1],
      'en-US',
    ],
    ['§2 … that of the page', async () => /<html [^>]*lang="([^"]*)"/.exec(await page('/fr'))?.[1], 'fr-FR'],
    ['§2 … and a website id', async () => /<html [^>]*data-website-id="(\d+)"/.exec(await page('/'))?.[1], '1'],
    [
      '§2 language links lead to /website/lang/{lang}?r={encoded current url}',
      async () => /href="(\/website\/lang\/[^"]*)" hreflang="fr"/.exec(await page('/contactus'))?.[1],
      '/website/lang/fr_FR?r=%2Fcontactus',
    ],
    [
      '§2 the default language is given as the word default',
      async () => /href="(\/website\/lang\/[^"]*)" hreflang="en"/.exec(await page('/fr/contactus'))?.[1],
      '/website/lang/default?r=%2Ffr%2Fcontactus',
    ],
    [
      'decisions §3 the cookie of the language',
      async () => {
        const visitor = app.visitor();
        await visitor.get('/website/lang/fr_FR?r=/');
        return visitor.cookie('website_lang');
      },
      'fr_FR',
    ],
    [
      '§3 the translation bundle',
      async () => Object.keys((await call('/website/translations', { lang: 'fr_FR' })) as object),
      ['modules', 'lang_parameters'],
    ],
    ['§7 multi_render answers a map', () => call('/website/multi_render', { ids_or_xml_ids: [] }), {}],
    [
      'dossier 4 lengths of title and description',
      async () => [metaLength('title'), metaLength('description')],
      [70, 160],
    ],
    [
      'decisions §3 old links redirect',
      async () => (await app.visitor().get('/page/contactus')).location,
      '/contactus',
    ],
  ])('%s', async (_name, actual, expected) => {
    expect(await actual()).toEqual(expected);
  });

  it('§3, §4 a publishable record has id, object and path, and shows its state on itself and its parent', async () => {
    const editor = await app.as('editor');
    const scopesShown = async (): Promise<string[]> => {
      const { text } = await editor.get('/legal');
      const [, classes = '', id = '', object = '', controller = ''] =
        /class="js_publish_management (\w+)" data-id="(\d+)" data-object="([^"]*)" data-controller="([^"]*)"/.exec(
          text,
        ) ?? [];
      return [classes, id, object, controller, /data-publish="(\w+)"/.exec(text)?.[1] ?? ''];
    };
    const [published, id = '', object = '', controller = '', parent] = await scopesShown();
    expect([published, object, controller, parent]).toEqual([
      'css_published',
      'website.page',
      '/website/publish',
      'on',
    ]);
    expect(await editor.rpc(controller, { id: Number(id), object })).toBe(false);
    const scopesAfter = await scopesShown();
    expect([scopesAfter[0], scopesAfter[4]]).toEqual(['css_unpublished', 'off']);
    expect(await editor.rpc(controller, { id: Number(id), object })).toBe(true);
  });

  it('§8 a publish failure brings a title and a message', async () => {
    const refusal = await call('/website/publish', { id: 1, object: 'website.page' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 200, data: { arguments: ['Access denied', expect.any(String)] } });
  });
});

function metaLength(name: 'title' | 'description'): number | undefined {
  const [field] = Object.getOwnPropertySymbols(Seo)
    .map((symbol) => Reflect.get(Seo, symbol) as { fields?: Record<string, { options: { size?: number } }> })
    .map(({ fields }) => fields?.[`website_meta_${name}`]);
  return field?.options.size;
}
