import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createTestApp, eachDatabase, type TestApp, until } from 'pergola/testing';

/** A request with headers that fetch does not let anybody set. */
function raw(app: TestApp, path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: app.config.port, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (piece) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

eachDatabase('A whole site', (dialect) => {
  let app: TestApp;
  let node: TestApp;
  const names = async (): Promise<string[]> =>
    app.read(async (ctx) =>
      (await ctx.modelNamed('fx.door').find([], { select: { name: true } })).map((row) => String(row.name)),
    );
  const form = (client: Client, path: string, fields: Record<string, string>, init: RequestInit = {}) =>
    client.post(path, { body: new URLSearchParams(fields), headers: { Origin: app.url }, ...init });

  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_door'], database: dialect });
    node = await app.secondNode();
  });
  afterAll(() => app.close());

  test('answers visitors from memory, without cookie, and 304 to whoever has the page', async () => {
    const first = await app.visitor().get('/door');
    expect(first.status).toBe(200);
    const { hits } = app.pageCache.stats;
    const second = await app.visitor().get('/door');
    expect(app.pageCache.stats.hits).toBe(hits + 1);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('cache-control')).toBe('private, no-cache');
    expect(second.headers.getSetCookie()).toEqual([]);
    expect(second.headers.get('content-security-policy')).toContain("object-src 'none'");
    const etag = second.headers.get('etag') ?? '';
    expect((await app.visitor().get('/door', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test('shows authors their write at once on every node, and others as soon as the node hears of it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [author, reader] = [app.visitor(), node.visitor()];
      await reader.get('/door');
      const name = `note ${dialect} ${round}`;
      const { changes } = node.database;
      const before = changes.version('fx_door');
      expect((await form(author, '/door/add', { name })).status).toBe(303);
      expect((await author.get('/door')).text).toContain(name);
      expect((await node.visitor().get('/door', { headers: { cookie: author.cookieHeader } })).text).toContain(name);
      await until(() => changes.version('fx_door') > before);
      expect((await reader.get('/door')).text).toContain(name);
    }
  });

  test('fills in what differs by visitor, and leaves that nowhere', async () => {
    const visitor = app.visitor();
    await form(visitor, '/door/say', { name: 'Ann' });
    const page = await visitor.get('/door');
    expect(page.text).toContain('data-slot="who">Ann<');
    expect(page.headers.get('cache-control')).toContain('no-store');
    const { hits } = app.pageCache.stats;
    const again = await visitor.get('/door');
    expect(app.pageCache.stats.hits).toBe(hits + 1);
    expect(again.text).toContain('data-slot="who">Ann<');
    expect((await app.visitor().get('/door')).text).toContain('data-slot="who">nobody<');
    const other = app.visitor();
    await form(other, '/door/say', { name: 'Bob' });
    expect((await other.get('/door')).text).toContain('data-slot="who">Bob<');
  });

  test('takes forms from its own pages only, and changes nothing otherwise', async () => {
    const before = await names();
    const visitor = app.visitor();
    await form(visitor, '/door/say', { name: 'Ann' });
    const stranger = app.visitor();
    await form(stranger, '/door/say', { name: 'Eve' });
    const token = await visitor.csrfToken('/door');
    const foreign = await stranger.csrfToken('/door');
    expect(token).not.toBe('');
    const refused: [Client, Record<string, string>, Record<string, string>][] = [
      [visitor, { name: 'x' }, { Origin: app.url }],
      [visitor, { name: 'x', csrf_token: '' }, { Origin: app.url }],
      [visitor, { name: 'x', csrf_token: foreign }, { Origin: app.url }],
      [visitor, { name: 'x', csrf_token: token }, { Origin: 'https://evil.example' }],
      [visitor, { name: 'x', csrf_token: token }, { Origin: 'null' }],
      [visitor, { name: 'x', csrf_token: token }, { 'Sec-Fetch-Site': 'cross-site' }],
      [app.visitor(), { name: 'x' }, {}],
      [app.visitor(), { name: 'x' }, { Origin: 'null' }],
      [app.visitor(), { name: 'x', csrf_token: token }, {}],
    ];
    for (const [client, fields, headers] of refused) {
      expect((await form(client, '/door/add', fields, { headers })).status).toBe(403);
    }
    const call = (headers: Record<string, string>, type = 'application/json') =>
      visitor.post('/door/call', {
        body: JSON.stringify({ jsonrpc: '2.0', method: 'call', params: { name: 'x' }, id: 1 }),
        headers: { 'Content-Type': type, ...headers },
      });
    for (const answer of [
      await call({ Origin: 'https://evil.example' }),
      await call({ Origin: 'null' }),
      await call({ 'Sec-Fetch-Site': 'cross-site' }),
    ]) {
      expect(answer.json()).toHaveProperty('error');
    }
    expect((await call({}, 'text/plain')).status).toBe(400);
    expect((await call({}, 'application/x-www-form-urlencoded')).status).toBe(400);
    expect(await names()).toEqual(before);
    expect((await form(visitor, '/door/add', { name: 'kept', csrf_token: token })).status).toBe(303);
    expect(await names()).toEqual([...before, 'kept']);
  });

  test('gives a new session at every step and ends the old one on all nodes', async () => {
    const visitor = app.visitor();
    await form(visitor, '/door/say', { name: 'Ann' });
    const steps: (string | undefined)[] = [visitor.cookie('session_id')];
    for (const path of ['/door/in', '/door/out']) {
      const before = visitor.cookieHeader;
      await form(visitor, path, { csrf_token: await visitor.csrfToken('/door') });
      steps.push(visitor.cookie('session_id'));
      expect((await app.visitor().get('/door', { headers: { cookie: before } })).text).not.toContain('>Ann<');
      await pause(400);
      expect((await node.visitor().get('/door', { headers: { cookie: before } })).text).not.toContain('>Ann<');
    }
    expect(new Set(steps).size).toBe(3);
    expect(steps[2]).toBeUndefined();
  });

  test('never takes a session from anywhere but its own cookie', async () => {
    const visitor = app.visitor();
    await form(visitor, '/door/say', { name: 'Ann' });
    const id = visitor.cookie('session_id') ?? '';
    const elsewhere: RequestInit[] = [
      { headers: { 'X-Session-Id': id, Authorization: `Bearer ${id}` } },
      { headers: { cookie: `__Host-session_id=${id}` } },
    ];
    for (const init of elsewhere) {
      expect((await app.visitor().get(`/door?session_id=${id}`, init)).text).not.toContain('>Ann<');
    }
    const preset = app.visitor();
    const answer = await form(
      preset,
      '/door/say',
      { name: 'Eve' },
      { headers: { Origin: app.url, cookie: `session_id=${'A'.repeat(43)}` } },
    );
    expect(answer.headers.getSetCookie().join()).not.toContain('A'.repeat(43));
  });

  test('answers 421 under a name that is not its own', async () => {
    const { port } = app.config;
    expect((await raw(app, '/door', { Host: `localhost:${port}` })).status).toBe(200);
    expect((await raw(app, '/door', { Host: `127.0.0.1:${port}` })).status).toBe(200);
    for (const headers of [{ Host: 'evil.example' }, { Host: `evil.example:${port}` }]) {
      const { status, text } = await raw(app, '/door', headers);
      expect(status).toBe(421);
      expect(text).not.toContain('evil');
    }
    const forwarded = await raw(app, '/door', {
      Host: `localhost:${port}`,
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
    });
    expect(forwarded.status).toBe(200);
    expect(forwarded.text).not.toContain('evil');
  });
});
