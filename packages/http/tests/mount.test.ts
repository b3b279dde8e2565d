import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { repository } from '../../../core/base/addon-folders.ts';
import { NotFound } from '../../../core/base/errors.ts';
import { extendRoute, route } from '../routes/route.ts';
import { base, startSite, type TestSite, until } from './kit.ts';

const json = { 'Content-Type': 'application/json' };

eachDatabase('Handlers made for Express', (dialect) => {
  let app: TestApp;
  const names = () =>
    app.read(async (ctx) =>
      (await ctx.modelNamed('fx.mount.note').find([], { select: { name: true } })).map((row) => String(row.name)),
    );
  const query = (text: string, variables: object = {}, client = app.visitor()) =>
    client.post('/graphql', { headers: json, body: JSON.stringify({ query: text, variables }) });
  const add = (name: string) => query('mutation ($name: String!) { add(name: $name) { name } }', { name });
  const post = (path: string, value: object, headers: Record<string, string> = {}) =>
    app.visitor().post(path, { headers: { ...json, ...headers }, body: JSON.stringify(value) });

  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_mount'], database: dialect });
  });
  afterAll(() => app.close());

  test('a GraphQL package reads and writes through the context', async () => {
    expect((await add('Ada')).json()).toEqual({ data: { add: { name: 'Ada' } } });
    const read = await app.get(`/graphql?query=${encodeURIComponent('{ notes { name } }')}`);
    expect(read.json()).toEqual({ data: { notes: expect.arrayContaining([{ name: 'Ada' }]) } });
    expect(read.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(read.headers.get('x-powered-by')).toBeNull();
  });

  test('a reply of 400 and above rolls back', async () => {
    const before = await names();
    expect((await add('a name that is too long for it')).status).toBe(422);
    expect((await post('/api/notes', { name: 'teapot' })).status).toBe(418);
    expect(await names()).toEqual(before);
    expect((await post('/api/notes', { name: 'Bob' })).status).toBe(201);
    expect(await names()).toEqual([...before, 'Bob']);
  });

  test('an OpenAPI package refuses with its own words and status, on our error page', async () => {
    const refused = await post('/api/notes', { name: '' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('must NOT have fewer than 1 characters');
    expect((await app.get('/api/elsewhere')).status).toBe(404);
    expect((await app.request('/api/notes', { method: 'PUT', headers: { Origin: app.url } })).status).toBe(405);
  });

  test('a fault is answered with a reference and nothing else, and rolls back', async () => {
    const { status, text } = await post('/api/fault', {});
    expect(status).toBe(500);
    expect(text).toMatch(/[0-9a-f]{15}/);
    expect(text).not.toContain('the mounted handler broke');
    expect(await names()).not.toContain('never');
  });

  test('sees who asks, keeps what is put in the session, and obeys rights', async () => {
    const user = app.visitor();
    expect((await query('{ me }', {}, user)).json()).toEqual({ data: { me: 'Visitor' } });
    const visit = () => user.post('/api/visits', { headers: json, body: '{}' });
    expect((await visit()).json()).toEqual({ visits: 1 });
    expect((await visit()).json()).toEqual({ visits: 2 });

    const remove = (headers = {}) =>
      user.request('/api/notes/1', { method: 'DELETE', headers: { Origin: app.url, ...headers } });
    expect((await remove()).status).toBe(403);
    expect((await user.get('/staff')).status).toBe(404);
    const admin = app.visitor();
    await admin.post('/fx/in', { body: new URLSearchParams(), headers: { Origin: app.url } });
    expect((await admin.get('/staff')).text).toBe('<p>reads</p>');
    expect((await admin.get('/staff')).headers.get('cache-control')).toBe('no-store');
    expect((await query('{ me }', {}, admin)).text).not.toContain('Visitor');
  });

  test('the context writes only where the mount says so, and never for GET', async () => {
    expect((await app.visitor().post('/try-write', { headers: json, body: '{}' })).status).toBe(500);
    const mutation = encodeURIComponent('mutation { add(name: "x") { name } }');
    expect((await app.get(`/graphql?query=${mutation}`)).status).toBe(405);
    const { text, headers } = await app.get('/tell');
    expect(text).toBe('<p>reads</p>');
    expect(headers.get('content-security-policy')).toContain("object-src 'none'");
  });

  test('what another site makes a browser send is refused, unless the mount says otherwise', async () => {
    const elsewhere = { Origin: 'https://evil.example' };
    expect((await post('/graphql', { query: '{ me }' }, elsewhere)).status).toBe(403);
    const plain = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{"query":"{ me }"}' };
    expect((await app.visitor().request('/graphql', plain)).status).toBe(403);
    expect((await post('/hook/deep?a=1', { a: 1 }, elsewhere)).json()).toEqual({
      bytes: 7,
      path: '/deep',
      base: '/hook',
      original: '/hook/deep?a=1',
    });
  });

  test('a body over the limit is refused before the handler sees it', async () => {
    expect((await post('/hook', { text: 'x'.repeat(6_000) })).status).toBe(413);
  });

  test('a reply may begin before it ends', async () => {
    expect((await app.get('/api/slow')).text).toBe('begun and done');
  });

  test('is gone with its addon, also while it is asked', async () => {
    let stopped = false;
    const seen = new Set<number>();
    const loops = ['/tell', '/api/slow', '/api/notes'].map(async (path) => {
      while (!stopped) seen.add((await app.visitor().get(path)).status);
    });
    await app.application.lifecycle.disable(['fx_mount'], { yes: true });
    expect((await app.get('/tell')).status).toBe(404);
    expect((await app.get('/graphql?query={me}')).status).toBe(404);
    await app.application.lifecycle.enable(['fx_mount']);
    expect((await app.get('/tell')).status).toBe(200);
    stopped = true;
    await Promise.all(loops);
    expect([...seen].filter((status) => status !== 200 && status !== 404)).toEqual([]);
  });
});

describe('A mounted handler', () => {
  let runs = 0;
  const count: RequestHandler = (_, res) => {
    runs += 1;
    res.json({ runs });
  };
  const counted = route.mount('/count', count, { name: 't.count', writes: true, rate: { calls: 2, seconds: 60 } });
  const late: RequestHandler = (req, res) => {
    req.ctx.session.set('late', true);
    res.once('close', () => runs++);
  };
  const closed = extendRoute(counted, (input, next) => {
    if (input.request.headers['x-closed']) throw new NotFound('We can’t find that page.');
    return next();
  });
  let site: TestSite;
  const post = (headers: Record<string, string> = {}) =>
    site.request('/count', { method: 'POST', headers: { origin: site.origin, ...headers } });

  beforeAll(async () => {
    const routes = [counted, route.mount('/late', late, { name: 't.late' })];
    site = await startSite({ addons: [base, { name: 't', routes, routeExtensions: [closed] }] });
  });
  beforeEach(() => {
    runs = 0;
    site.application.taken.clear();
  });
  afterAll(() => site.server.close({ graceMs: 0 }));

  test('is never run twice: a write that lost against another is for its sender to repeat', async () => {
    site.application.conflicts = 1;
    const { status, headers } = await post();
    expect([status, headers['retry-after'], runs]).toEqual([503, '1', 1]);
    expect((await post()).json()).toEqual({ runs: 2 });
  });

  test('has the rates of its route', async () => {
    expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([200, 200, 429]);
  });

  test('can be wrapped by another addon', async () => {
    expect((await post({ 'x-closed': '1' })).status).toBe(404);
    expect(runs).toBe(0);
  });

  test('holds its generation until the visitor has left, and nothing longer', async () => {
    await site.raw(`GET /late HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`, 100);
    await until(() => runs > 0 && [...site.application.leases.values()].every((held) => held === 0));
    expect([...site.application.leases.values()]).toEqual([0]);
    expect(site.logged({ route: '/late' })).toMatchObject({ status: 499 });
  });
});

test('the example in the documentation is the one that is tested here', () => {
  const page = readFileSync(join(repository, 'docs/routes.md'), 'utf8');
  const [, example = ''] = /<!-- tested: graphql.ts -->\n```ts\n([\s\S]*?)```/.exec(page) ?? [];
  expect(example).toBe(readFileSync(join(repository, 'tools/testing/fixtures/fx_mount/graphql.ts'), 'utf8'));
});
