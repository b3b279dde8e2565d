import { User } from '@pergola/base';
import { CallError, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { News, Note } from './fixtures/fx_site/addon.ts';
import { roots } from './fixtures/roots.ts';

someDatabase('publishing', (database) => {
  let app: TestApp;
  let news: number;
  let hidden: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_site'], roots, database, demo: true });
    [news, hidden] = await app.write(async (ctx) => [
      await ctx.model(News).create({ name: 'Open', website_published: true }),
      await ctx.model(News).create({ name: 'Closed' }),
    ]);
  });
  afterAll(() => app.close());

  const publish = (client: Pick<TestApp, 'rpc'>, params: object) => client.rpc('/website/publish', params);
  const refusal = async (call: Promise<unknown>): Promise<CallError> => {
    const error = await call.then(
      (value) => new Error(`It was answered: ${String(value)}`),
      (caught: unknown) => caught,
    );
    if (error instanceof CallError) return error;
    throw error;
  };
  const isPublished = (id: number) =>
    app.read(async (ctx) => (await ctx.model(News).get(id, { select: { website_published: true } })).website_published);

  it('turns it round and answers what it is now', async () => {
    const editor = await app.as('editor');
    expect(await publish(editor, { id: hidden, object: 'fx_site.news' })).toBe(true);
    expect(await isPublished(hidden)).toBe(true);
    expect(await publish(editor, { id: String(hidden), object: 'fx_site.news' })).toBe(false);
    expect(await isPublished(hidden)).toBe(false);
  });

  it('sets it when told to, however often', async () => {
    const editor = await app.as('editor');
    for (const _ of [1, 2])
      expect(await publish(editor, { id: hidden, object: 'fx_site.news', published: true })).toBe(true);
    for (const _ of [1, 2])
      expect(await publish(editor, { id: hidden, object: 'fx_site.news', published: false })).toBe(false);
  });

  it.each<[string, string | null, string]>([
    ['visitors', null, 'Access denied'],
    // The demo's customer uses French.
    ['customers', 'portal', 'Accès refusé'],
  ])('is refused to %s, and changes nothing', async (_who, login, title) => {
    const client = login === null ? app.visitor() : await app.as(login);
    const error = await refusal(publish(client, { id: news, object: 'fx_site.news' }));
    expect(error.code).toBe(200);
    expect(error.data.arguments).toEqual([title, expect.any(String)]);
    expect(error.data.debug).toBe('');
    expect(await isPublished(news)).toBe(true);
  });

  it('says the same of what is hidden and what is not there', async () => {
    const visitor = app.visitor();
    const texts = await Promise.all(
      [hidden, 999_999].map(
        async (id) => (await refusal(publish(visitor, { id, object: 'fx_site.news' }))).data.message,
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it.each([
    ['fx_site.note', 'website.not_publishable'],
    ['res.users', 'website.not_publishable'],
    ['no.such.model', 'website.not_publishable'],
    ['constructor', 'website.not_publishable'],
  ])('only what can be published: not %s', async (object, code) => {
    const id = object === 'fx_site.note' ? await app.write((ctx) => ctx.model(Note).create({ name: 'N' })) : 1;
    const admin = await app.as('admin');
    expect((await refusal(publish(admin, { id, object }))).data).toMatchObject({ code });
  });

  it.each([
    {},
    { id: 'x', object: 'fx_site.news' },
    { id: -1, object: 'fx_site.news' },
    { id: 1 },
    { id: [1], object: 'fx_site.news' },
  ])('takes no nonsense: %j', async (params) => {
    const editor = await app.as('editor');
    expect((await refusal(publish(editor, params))).data.code).toBe('core.bad_call');
  });

  it('only editors find the button, with what the browser needs', async () => {
    const editor = await app.as('editor');
    const { text } = await editor.get(`/news/open-${news}`);
    expect(text).toContain('data-publish="on"');
    expect(text).toMatch(
      new RegExp(
        `class="js_publish_management css_published" data-id="${news}" data-object="fx_site.news" data-controller="/website/publish"`,
      ),
    );
    expect((await app.get(`/news/open-${news}`)).text).not.toContain('class="js_publish_management');
  });

  it('works without JavaScript, and comes back to the page', async () => {
    const editor = await app.as('editor');
    const csrf_token = await editor.csrfToken();
    const body = new URLSearchParams({ csrf_token, id: String(hidden), object: 'fx_site.news', published: 'true' });
    const headers = { Origin: app.url, Referer: `${app.url}/news/closed-${hidden}` };
    const answer = await editor.post('/website/publish/form', { body, headers });
    expect(answer).toMatchObject({ status: 303, location: `/news/closed-${hidden}` });
    expect(await isPublished(hidden)).toBe(true);
    body.set('published', 'false');
    const rejected = await editor.post('/website/publish/form', {
      body,
      headers: { ...headers, Referer: 'https://evil.example/x' },
    });
    expect(rejected).toMatchObject({ status: 303, location: '/' });
    expect(await isPublished(hidden)).toBe(false);
  });

  it('visitors and customers read what is published, on this site; employees everything', async () => {
    const portal = await app.as('portal');
    // The demo's customer uses French.
    for (const [client, prefix] of [
      [app.visitor(), ''],
      [portal, '/fr'],
    ] as const) {
      expect((await client.get(`${prefix}/news/open-${news}`)).status).toBe(200);
      expect((await client.get(`${prefix}/news/closed-${hidden}`)).status).toBe(404);
    }
    const editor = await app.as('editor');
    expect((await editor.get(`/news/closed-${hidden}`)).status).toBe(200);
  });

  it('the demo editor edits pages and sites, and administrators do', async () => {
    const groups = await app.read(async (ctx) => {
      const rows = await ctx
        .model(User)
        .find([['login', 'in', ['admin', 'editor', 'portal']]], { select: { login: true, group_ids: { code: true } } });
      return Object.fromEntries(rows.map(({ login, group_ids }) => [login, group_ids.map(({ code }) => code).sort()]));
    });
    expect(groups.editor).toEqual([
      'base.group_user',
      'website.group_website_designer',
      'website.group_website_publisher',
    ]);
    expect(groups.portal).toEqual(['base.group_portal']);
    const admin = await app.as('admin');
    expect((await admin.get('/nothing-here')).text).toContain('Create page');
  });
});
