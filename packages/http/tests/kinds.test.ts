import { InvalidInput } from '../../../core/base/errors.ts';
import { reply } from '../routes/reply.ts';
import { seen, startKinds } from './kinds-kit.ts';
import type { TestSite } from './kit.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startKinds();
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
    const cookie = site.application.signedIn(1);
    const first = await site.get('/hello/Ada', { cookie });
    expect(first.text).toContain('<b>Ada</b>');
    expect(first.text).toMatch(/<input type="hidden" name="csrf_token" value="[\w-]{43}">/);
    expect(first.headers['cache-control']).toBe('no-store');
    const other = await site.get('/hello/Ada', { cookie: site.application.signedIn(2) });
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
    expect((await site.get('/my', { cookie: site.application.signedIn(1) })).text).toContain('<p>Ada');
  });

  test('for a group is not there for others, word for word', async () => {
    const cookie = site.application.signedIn(2);
    const [refused, missing] = [await site.get('/managers', { cookie }), await site.get('/nowhere', { cookie })];
    expect(refused.status).toBe(404);
    expect(refused.text).toBe(missing.text);
    expect((await site.get('/managers', { cookie: site.application.signedIn(1) })).status).toBe(200);
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
    const own = await site.get('/cookie', { cookie: site.application.signedIn(1) });
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
