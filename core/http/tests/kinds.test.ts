import { z } from 'zod';
import { Conflict, InvalidInput, NotAllowed, NotFound, Unauthenticated } from '../../errors.ts';
import { type Address, fragment } from '../../page/define.ts';
import { addValues, extendRoute, record, redirect, reply, route } from '../route.ts';
import { base, startSite, type TestSite } from './kit.ts';

const Forum = Object.assign(class {}, { modelName: 'forum.forum' }) as never;
const seen: unknown[] = [];

const routes = {
  page: route.page(
    '/hello/:name',
    { params: { name: z.string() }, query: z.object({ page: z.number().default(1) }) },
    async ({ params, query, render, ctx }) =>
      render('t.hello', { name: params.name, page: query.page, lang: ctx.lang }),
  ),
  private: route.page('/my', { auth: 'user' }, async ({ ctx, render }) => render('t.hello', { name: ctx.user.name })),
  managers: route.page('/managers', { auth: 'user', groups: ['club.manager'] }, async ({ render }) =>
    render('t.hello', {}),
  ),
  forum: route.page(
    '/forum/:forum',
    { name: 't.forum', params: { forum: record(Forum) }, query: z.object({ q: z.string().optional() }) },
    async ({ params, render }) => render('t.hello', { name: JSON.stringify(params.forum) }),
  ),
  ask: route.form(
    '/forum/:forum/ask',
    {
      auth: 'user',
      writes: true,
      params: { forum: record(Forum) },
      body: z.object({
        title: z.string().min(3, 'The title is too short.'),
        qty: z.number().default(1),
        password: z.string().optional(),
      }),
      files: { photo: 1000 },
      prepare: async ({ body, ctx }) => `${body.title} prepared, writes: ${ctx.writes}`,
      invalid: ({ values, errors, render }) => render('t.invalid', { values, errors }),
    },
    async ({ body, prepared, ctx, files, request, url }) => {
      seen.push({
        body,
        prepared,
        writes: ctx.writes,
        files: files.photo?.map(({ name, content }) => [name, content.length]),
      });
      if (body.title === 'taken') throw new InvalidInput('Taken.', { fields: { title: 'There is one already.' } });
      if (body.title === 'try again') request.setCookie('try', String(seen.length));
      ctx.session.set('title', body.title);
      return redirect(url('/forum/help-1'));
    },
  ),
  rpc: route.rpc(
    '/sum',
    { input: z.object({ a: z.number(), b: z.number().default(0) }) },
    async ({ input }) => input.a + input.b,
  ),
  nothing: route.rpc('/nothing', {}, async ({ input }) => (Object.keys(input as object).length > 0 ? 'values' : null)),
  markup: route.rpc('/markup', {}, async ({ renderFragment }) => renderFragment('t.hello', { name: 'Ada' })),
  deny: route.rpc('/deny', { input: z.object({ how: z.string() }) }, async ({ input }) => {
    switch (input.how) {
      case 'allowed':
        throw new NotAllowed('You may not.');
      case 'gone':
        throw new NotFound('No such record {id}.', { params: { id: 7 } });
      case 'conflict':
        throw new Conflict('Too late.');
      case 'login':
        throw new Unauthenticated('Wrong login or password.', { code: 'web.wrong_login' });
      default:
        throw new Error('secret at /srv/app/x.ts:1');
    }
  }),
  mine: route.rpc('/mine', { auth: 'user', writes: true }, async ({ ctx }) => ctx.user.name),
  plainForm: route.form('/plain-form', { body: z.object({ name: z.string() }) }, async () => redirect('/')),
  ratedPage: route.page('/rated-page', { rate: { calls: 1, seconds: 60 } }, async ({ render }) =>
    render('t.hello', {}),
  ),
  deep: route.rpc(
    '/deep',
    { limit: { signedIn: 2 * 1024 * 1024 }, input: z.object({ a: z.unknown() }) },
    async () => true,
  ),
  tags: route.json(
    '/forum/get_tags',
    { query: z.object({ q: z.string(), l: z.number().max(50).default(50) }) },
    async ({ query }) => [query],
  ),
  both: route.http('/both', { method: ['GET', 'POST'], body: 'form' }, async ({ body, query }) =>
    reply.json({ body, query }),
  ),
  raw: route.http('/raw', { method: 'POST', body: 'raw', writes: true, limit: { bytes: 2000 } }, async ({ body }) =>
    reply.text(String((body as Uint8Array).length)),
  ),
  hook: route.http(
    '/hook',
    { method: 'POST', body: 'json', writes: true, csrf: { off: 'signed call-back' } },
    async ({ body }) => reply.json(body),
  ),
  empty: route.http('/empty', { method: 'GET' }, async () => reply.empty()),
  signin: route.form(
    '/signin',
    { body: z.object({ id: z.number(), redirect: z.string().optional() }), writes: true },
    async ({ body, ctx }) => {
      ctx.session.signIn(body.id);
      return redirect(body.redirect ?? '/my');
    },
  ),
  cookie: route.http('/cookie', { method: 'GET' }, async ({ request }) => {
    request.setCookie('a', 'b c; d', { maxAge: 10 });
    request.setHeader('X-Thing', 'yes');
    return reply.html('<p>x</p>');
  }),
  elsewhere: route.http('/pay', { method: 'GET' }, async () => reply.elsewhere('https://pay.example/x?y=1')),
  rated: route.rpc('/rated', { rate: { calls: 2, seconds: 60 } }, async () => true),
  ratedBy: route.rpc(
    '/rated-by',
    {
      input: z.object({ who: z.string() }),
      rate: { calls: 1, seconds: 60, by: ({ body }) => (body as { who: string }).who },
    },
    async () => true,
  ),
};
const plain = route.page('/plain', { name: 't.plain' }, async ({ render }) => render('t.hello', { name: 'x' }));

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    addons: [
      base,
      {
        name: 't',
        routes: [...Object.values(routes), plain],
        fragments: [fragment('t.user', { template: 't.user', load: async (ctx) => ({ name: ctx.user.name }) })],
      },
      {
        name: 'more',
        routeExtensions: [extendRoute(plain, async (_, next) => addValues(await next(), { name: 'extended' }))],
        fallbacks: [
          {
            name: 'pages',
            handler: async ({ request, render }) =>
              request.path === '/about-us' ? render('t.hello', { name: 'about' }) : null,
          },
        ],
        address: {
          prepare: async () => ({}),
          resolve: (_, { path }): Address =>
            path === '/fr' || path.startsWith('/fr/')
              ? { path: path.slice(3) || '/', lang: 'fr_FR' }
              : path === '/old'
                ? { path, lang: 'en_US', redirect: { to: '//evil.example/', status: 301 } }
                : { path, lang: 'en_US', ...(path === '/plain' ? { cookies: { website_lang: 'en_US' } } : {}) },
          localize: (_, path, lang) => (lang === 'fr_FR' ? `/fr${path}` : path),
        },
      },
    ],
    templates: {
      't.hello': ({ name, page, lang }, context) =>
        `<p>${name} ${page ?? ''} ${lang ?? ''}</p><a href="${context.url('/forum/help-1')}">${context.fragment('t.user')}</a>${context.csrf()}`,
      't.invalid': ({ values, errors }) => JSON.stringify({ values, errors }),
      't.user': ({ name }) => `<b>${name}</b>`,
    },
    records: { 'forum.forum': { 1: { id: 1, display_name: 'Help' }, 2: { id: 2, display_name: '你好' } } },
  });
});
afterAll(() => site.server.close({ graceMs: 0 }));
beforeEach(() => {
  seen.length = 0;
});

describe('a page', () => {
  test('gets checked parameters and query, and answers HTML in the language of its address', async () => {
    const answer = await site.get('/hello/Ada?page=3');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("object-src 'none'");
    expect(answer.text).toBe('<p>Ada 3 en_US</p><a href="/forum/help-1"><b>Public</b></a>');
    expect((await site.get('/fr/hello/Ada')).text).toBe(
      '<p>Ada 1 fr_FR</p><a href="/fr/forum/help-1"><b>Public</b></a>',
    );
    expect((await site.get('/hello/Ada?page=x')).status).toBe(400);
  });

  test('shows its fragments and form tokens to each visitor, and is kept by nobody else for those with a session', async () => {
    const cookie = site.kernel.signedIn(1);
    const first = await site.get('/hello/Ada', { cookie });
    expect(first.text).toContain('<b>Ada</b>');
    expect(first.text).toMatch(/<input type="hidden" name="csrf_token" value="[\w-]{43}">/);
    expect(first.headers['cache-control']).toBe('no-store');
    const other = await site.get('/hello/Ada', { cookie: site.kernel.signedIn(2) });
    expect(other.text).toContain('<b>Bob</b>');
    expect((await site.get('/hello/Ada')).headers['cache-control']).toBe('private, no-cache');
  });

  test('is answered to HEAD without its body, with its length', async () => {
    const [get, head] = [await site.get('/hello/Eve'), await site.request('/hello/Eve', { method: 'HEAD' })];
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(String(get.bytes.length));
  });

  test('with a slash at its end is found without it, query and prefix kept', async () => {
    const answer = await site.get('/fr/hello/Ada/?page=2');
    expect([answer.status, answer.headers.location]).toEqual([301, '/fr/hello/Ada?page=2']);
    // The log names what it leads to, not the path, which may hold a token.
    expect(site.logged({ route: '/hello/:name', status: 301 })).not.toHaveProperty('path');
    expect((await site.get('//evil.example/')).status).toBe(404);
  });

  test('for users sends visitors to sign in and back', async () => {
    const answer = await site.get('/my?a=1');
    expect([answer.status, answer.headers.location]).toEqual([303, '/web/login?redirect=%2Fmy%3Fa%3D1']);
    expect((await site.get('/my', { cookie: site.kernel.signedIn(1) })).text).toContain('<p>Ada');
  });

  test('for a group is not there for others, word for word', async () => {
    const cookie = site.kernel.signedIn(2);
    const [refused, missing] = [await site.get('/managers', { cookie }), await site.get('/nowhere', { cookie })];
    expect(refused.status).toBe(404);
    expect(refused.text).toBe(missing.text);
    expect((await site.get('/managers', { cookie: site.kernel.signedIn(1) })).status).toBe(200);
  });

  test('takes what another addon puts around it', async () => {
    expect((await site.get('/plain')).text).toContain('extended');
  });

  test('no route knows is asked of the fallbacks; the cookies of its address are set', async () => {
    expect((await site.get('/about-us')).text).toContain('about');
    expect((await site.get('/plain')).headers['set-cookie']?.join()).toMatch(
      /website_lang=en_US; Max-Age=\d+; Path=\/; SameSite=Lax/,
    );
  });

  test('an address that sends elsewhere never leads off the site', async () => {
    const answer = await site.get('/old');
    expect([answer.status, answer.headers.location]).toEqual([301, '/']);
  });
});

describe('a record in a path', () => {
  test('is read, and found under its present slug only', async () => {
    expect((await site.get('/forum/help-1')).text).toContain('"display_name":"Help"');
    for (const stale of ['1', 'old-name-1', 'HELP-1', '-1']) {
      const answer = await site.get(`/fr/forum/${stale}?q=a%20b`);
      expect([answer.status, answer.headers.location]).toEqual([301, '/fr/forum/help-1?q=a%20b']);
    }
  });

  test('without letters for an address stands as its number', async () => {
    expect((await site.get('/forum/2')).status).toBe(200);
    expect((await site.get('/forum/x-2')).headers.location).toBe('/forum/2');
  });

  test.each(['3', 'help-3', 'help', 'help-0', 'help-1x', '1e3', '99999999999999999999', '%27%20OR%201=1--', '..%2f1'])(
    'is not there for %s',
    async (slug) => {
      expect((await site.get(`/forum/${slug}`)).status).toBe(404);
    },
  );
});

describe('a form', () => {
  const send = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const cookie = site.kernel.signedIn(1);
    return site.form(
      '/forum/help-1/ask',
      { csrf_token: site.kernel.tokenOf(cookie), ...fields },
      { cookie, ...headers },
    );
  };

  test('is prepared outside, run in a transaction, and its session kept after the commit', async () => {
    const answer = await send({ title: 'Hello', qty: '2' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/forum/help-1']);
    expect(seen).toEqual([
      { body: { title: 'Hello', qty: 2 }, prepared: 'Hello prepared, writes: false', writes: true, files: undefined },
    ]);
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies.some((cookie) => cookie.startsWith('session_id='))).toBe(true);
    expect(cookies.some((cookie) => cookie.startsWith('pergola_wrote='))).toBe(true);
  });

  test('that has to run again leaves only what its last run did', async () => {
    site.kernel.conflicts = 2;
    const answer = await send({ title: 'try again' });
    expect(seen).toHaveLength(3);
    expect(answer.headers['set-cookie']?.filter((cookie) => cookie.startsWith('try='))).toEqual([
      'try=3; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  test('with errors shows them beside its fields, what was sent kept but no password', async () => {
    const answer = await send({ title: 'x', password: 'geheim' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toEqual({ values: { title: 'x' }, errors: { title: 'The title is too short.' } });
    expect(seen).toEqual([]);
    const missing = await send({});
    expect(missing.json()).toMatchObject({ errors: { title: 'Please fill in this field.' } });
  });

  test('refused by the model shows the errors too, and writes nothing', async () => {
    const before = site.kernel.writes;
    const answer = await send({ title: 'taken' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ errors: { title: 'There is one already.' } });
    expect(site.kernel.writes).toBe(before);
  });

  test('takes the files it names, in memory, each up to its size', async () => {
    const part = (name: string, file: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: image/png\r\n\r\n${content}\r\n`;
    const send = (files: string) => {
      const cookie = site.kernel.signedIn(1);
      const token = site.kernel.tokenOf(cookie);
      const field = (name: string, value: string) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const body = `${field('csrf_token', token)}${field('title', 'Hello')}${files}--x--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=x', origin: site.origin, cookie };
      return site.request('/forum/help-1/ask', { method: 'POST', body, headers });
    };
    expect((await send(part('photo', '..\\..\\a/é\u202e.png', 'x'.repeat(1000)))).status).toBe(303);
    expect(seen.at(-1)).toMatchObject({ files: [['é.png', 1000]] });
    const large = await send(part('photo', 'a.png', 'x'.repeat(1001)));
    expect(large.status).toBe(413);
    expect(large.text).toContain('at most 1000 bytes');
    expect((await send(part('evil', 'a.png', 'x'))).text).toContain('takes no file in “evil”');
    expect((await send(part('evil', '', ''))).status).toBe(303);
  });

  test('without token, with the token of another session, or from elsewhere does nothing', async () => {
    const cookie = site.kernel.signedIn(1);
    const csrf_token = site.kernel.tokenOf(cookie);
    const attempts = [
      site.form('/forum/help-1/ask', { title: 'Hello' }, { cookie }),
      site.form(
        '/forum/help-1/ask',
        { title: 'Hello', csrf_token: site.kernel.tokenOf(site.kernel.signedIn(2)) },
        { cookie },
      ),
      site.form('/forum/help-1/ask', { title: 'Hello', csrf_token }, { cookie, origin: 'http://evil.example' }),
      site.form('/forum/help-1/ask', { title: 'Hello', csrf_token }, { cookie, origin: 'null' }),
      site.form('/forum/help-1/ask', { title: 'Hello', csrf_token }, { cookie, 'sec-fetch-site': 'cross-site' }),
      site.form('/signin', { id: '1' }, { origin: 'http://evil.example' }),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer.status).toBe(403);
    expect(seen).toEqual([]);
    const unproved = await site.request('/signin', {
      method: 'POST',
      body: 'id=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(unproved.status).toBe(403);
  });

  test('of a visitor who has to sign in leads back to the page it was on', async () => {
    const answer = await site.form(
      '/forum/help-1/ask',
      { title: 'Hello' },
      { referer: `${site.origin}/forum/help-1?a=1` },
    );
    expect(answer.headers.location).toBe('/web/login?redirect=%2Fforum%2Fhelp-1%3Fa%3D1');
    const foreign = await site.form('/forum/help-1/ask', {}, { referer: 'http://evil.example/x' });
    expect(foreign.headers.location).toBe('/web/login?redirect=%2F');
  });

  test('without a page for its errors answers them plainly', async () => {
    const answer = await site.form('/plain-form', {});
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('<p>name: Please fill in this field.</p>');
  });

  test('takes no JSON', async () => {
    const answer = await site.rpc('/signin', { id: 1 });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('takes a form');
  });

  test('signs in with a new session, and never leads off the site', async () => {
    const answer = await site.form('/signin', { id: '2', redirect: 'https://evil.example/' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/']);
    const cookie = answer.headers['set-cookie']?.find((one) => one.startsWith('session_id='))?.split(';')[0] ?? '';
    expect((await site.get('/my', { cookie })).text).toContain('<p>Bob');
  });
});

describe('a call', () => {
  test('answers in the envelope, with a result even when there is none', async () => {
    const answer = await site.rpc('/sum', { a: 2, b: 3, extra: 1 });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ jsonrpc: '2.0', id: 7, result: 5 });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await site.rpc('/nothing', { a: 1 })).text).toBe('{"jsonrpc":"2.0","id":7,"result":null}');
    expect((await site.rpc('/markup', {})).json()).toMatchObject({ result: expect.stringContaining('<b>Public</b>') });
  });

  test('says what does not fit, as the original says errors', async () => {
    const answer = await site.rpc('/sum', { a: 'x' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: 200,
        message: 'Odoo Server Error',
        data: {
          name: 'openerp.exceptions.ValidationError',
          message: expect.stringContaining('a: '),
          arguments: ['Please check this', expect.stringContaining('a: ')],
          exception_type: 'except_osv',
          code: 'core.bad_call',
          fields: { a: expect.any(String) },
          reference: expect.stringMatching(/^[0-9a-f]{15}$/),
          debug: '',
        },
      },
    });
  });

  test.each([
    ['allowed', 200, 'openerp.exceptions.AccessError', 'access_error', 'You may not.'],
    ['gone', 404, 'openerp.exceptions.MissingError', undefined, 'No such record 7.'],
    ['conflict', 200, 'openerp.exceptions.Warning', 'warning', 'Too late.'],
    ['login', 200, 'openerp.exceptions.AccessDenied', 'access_denied', 'Wrong login or password.'],
  ])('that fails as %s has the code, name and type clients know', async (how, code, name, type, message) => {
    const answer = await site.rpc('/deny', { how });
    expect(answer.status).toBe(200);
    const { error } = answer.json() as { error: { code: number; data: Record<string, unknown> } };
    expect(error.code).toBe(code);
    expect(error.data).toMatchObject({ name, message, debug: '' });
    expect(error.data.exception_type).toBe(type);
  });

  test('that fails by a fault of ours says a reference that the log has, and nothing else', async () => {
    const answer = await site.rpc('/deny', { how: 'fault' });
    const { error } = answer.json() as { error: { code: number; data: { reference: string; message: string } } };
    expect(error.code).toBe(200);
    expect(answer.text).not.toMatch(/secret|srv|\.ts|stack/);
    expect(error.data.message).toContain(error.data.reference);
    const line = site.logged({ request: error.data.reference, msg: 'Request failed' });
    expect(JSON.stringify(line)).toContain('secret at /srv/app/x.ts:1');
    expect(line).toMatchObject({ addon: 't', route: '/deny', kind: 'rpc' });
  });

  test('for users answers the session error, with the id of the call', async () => {
    expect((await site.rpc('/mine', {})).json()).toMatchObject({
      id: 7,
      error: { code: 100, message: 'Odoo Session Expired', data: { name: 'openerp.http.SessionExpiredException' } },
    });
    expect((await site.rpc('/mine', {}, { cookie: site.kernel.signedIn(1) })).json()).toMatchObject({ result: 'Ada' });
  });

  test.each([
    ['{"id":"a","params":{}}', 'application/json', 'a'],
    ['{"id":{},"params":{}}', 'application/json', null],
    ['{"id":1', 'application/json', null],
    [`{"id":1,"params":{"a":"${'x'.repeat(2_000_000)}"}}`, 'application/json', null],
    ['id=1', 'application/x-www-form-urlencoded', null],
  ])('that is refused before it was read has its id where that can be read: %.30s', async (body, type, id) => {
    const answer = await site.request('/mine', { method: 'POST', body, headers: { 'content-type': type } });
    expect(answer.json()).toMatchObject({ id, error: { code: 100 } });
  });

  test.each([
    ['a list of calls', '[{"jsonrpc":"2.0","params":{}}]', 'application/json', 'one by one'],
    ['no object', '7', 'application/json', 'JSON object'],
    ['no JSON', '{', 'application/json', 'not valid JSON'],
    ['an empty body', '', 'application/json', 'not valid JSON'],
    ['a form', 'a=1', 'application/x-www-form-urlencoded', 'takes JSON-RPC calls'],
    ['JSON called text', '{"params":{"a":1}}', 'text/plain', 'takes JSON-RPC calls'],
    ['a broken envelope', '{"params":[1]}', 'application/json', 'object of named values'],
    [
      'too deep a value',
      `{"params":{"a":${'['.repeat(65)}${']'.repeat(65)}}}`,
      'application/json',
      'nested too deeply',
    ],
  ])('that is %s is refused with a clear text', async (_, body, type, text) => {
    const answer = await site.request('/sum', { method: 'POST', body, headers: { 'content-type': type } });
    expect(answer.status).toBe(text.startsWith('object of named') ? 200 : 400);
    expect(answer.json()).toMatchObject({ error: { data: { message: expect.stringContaining(text) } } });
  });

  test('from another site is refused, one without any origin is not', async () => {
    for (const [name, value] of [
      ['origin', 'http://evil.example'],
      ['origin', 'null'],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      expect((await site.rpc('/sum', { a: 1 }, { [name]: value })).status).toBe(403);
    }
    expect(
      (await site.rpc('/sum', { a: 1 }, { origin: site.origin, 'sec-fetch-site': 'same-origin' })).json(),
    ).toMatchObject({ result: 1 });
  });

  test('larger than the limit is refused with the limit in the text', async () => {
    const answer = await site.rpc('/deep', { a: 'x'.repeat(1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('at most 1 MB');
    expect((await site.rpc('/deep', { a: 'x'.repeat(1024 * 1024 - 200) })).json()).toMatchObject({ result: true });
    const signedIn = await site.rpc('/deep', { a: 'x'.repeat(1024 * 1024) }, { cookie: site.kernel.signedIn(1) });
    expect(signedIn.json()).toMatchObject({ result: true });
  });

  test('does not reach prototypes', async () => {
    const body = '{"params":{"a":{"__proto__":{"canary":1}},"__proto__":{"canary":2}},"__proto__":{"canary":3}}';
    await site.request('/deep', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect(({} as Record<string, unknown>).canary).toBeUndefined();
  });

  test('made too often is told when to come back', async () => {
    const answers = [await site.rpc('/rated', {}), await site.rpc('/rated', {}), await site.rpc('/rated', {})];
    expect(answers.map((one) => 'result' in (one.json() as object))).toEqual([true, true, false]);
    expect(answers[2]?.headers['retry-after']).toBe('7');
    expect([(await site.get('/rated-page')).status, (await site.get('/rated-page')).status]).toEqual([200, 429]);
    const keys = [
      await site.rpc('/rated-by', { who: 'a' }),
      await site.rpc('/rated-by', { who: 'b' }),
      await site.rpc('/rated-by', { who: 'a' }),
    ];
    expect(keys.map((one) => 'result' in (one.json() as object))).toEqual([true, true, false]);
  });
});

describe('bare JSON and raw routes', () => {
  test('a json route answers bare JSON to GET', async () => {
    const answer = await site.get('/forum/get_tags?q=a&l=5');
    expect(answer.text).toBe('[{"q":"a","l":5}]');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await site.get('/forum/get_tags')).status).toBe(400);
    expect((await site.get('/forum/get_tags?q=a&l=51')).status).toBe(400);
  });

  test('a raw route reads its body as it says', async () => {
    expect((await site.get('/both?a=1&a=2')).json()).toEqual({ query: { a: '2' } });
    expect((await site.form('/both', 'a=1&a=2&b=3')).json()).toEqual({ body: { a: ['1', '2'], b: '3' }, query: {} });
    expect((await site.request('/both', { method: 'POST' })).json()).toEqual({ body: {}, query: {} });
    const sent = { method: 'POST', body: Buffer.alloc(1500), headers: { origin: site.origin } };
    expect((await site.request('/raw', sent)).text).toBe('1500');
    expect((await site.request('/raw', { ...sent, body: Buffer.alloc(2001) })).status).toBe(413);
    expect((await site.get('/empty')).status).toBe(204);
  });

  test('one that writes has to prove that it is called from our pages, unless it says why not', async () => {
    expect((await site.request('/raw', { method: 'POST', body: 'x' })).status).toBe(403);
    const json = { 'content-type': 'application/json', origin: 'https://provider.example' };
    expect((await site.request('/hook', { method: 'POST', body: '{"a":1}', headers: json })).json()).toEqual({ a: 1 });
    expect(
      (await site.request('/hook', { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(400);
  });

  test('cookies and headers of a handler are sent, safely written', async () => {
    const answer = await site.get('/cookie');
    expect(answer.headers['set-cookie']).toEqual(['a=b%20c%3B%20d; Max-Age=10; Path=/; HttpOnly; SameSite=Lax']);
    expect(answer.headers['x-thing']).toBe('yes');
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    const own = await site.get('/cookie', { cookie: site.kernel.signedIn(1) });
    expect(own.headers['cache-control']).toBe('no-store');
  });

  test('another host is reached only where the handler means it', async () => {
    expect((await site.get('/pay')).headers.location).toBe('https://pay.example/x?y=1');
    expect(() => reply.elsewhere('javascript:alert(1)')).toThrow(InvalidInput);
    expect(() => reply.elsewhere('/shop')).toThrow(InvalidInput);
  });
});

test('a known path takes its own methods only', async () => {
  for (const [method, path, allow] of [
    ['GET', '/sum', 'POST'],
    ['POST', '/plain', 'GET, HEAD'],
    ['PUT', '/both', 'GET, HEAD, POST'],
    ['OPTIONS', '/sum', 'POST'],
    ['TRACE', '/plain', 'GET, HEAD'],
    ['DELETE', '/nowhere', 'GET, HEAD'],
  ] as const) {
    const answer = await site.request(path, { method });
    expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
  }
  expect((await site.form('/nowhere', {})).status).toBe(404);
  const call = await site.rpc('/nowhere', {});
  expect([call.status, call.json()]).toMatchObject([404, { error: { code: 404 } }]);
});
