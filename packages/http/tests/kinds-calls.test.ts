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
          arguments: ['Check your input', expect.stringContaining('a: ')],
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
    expect((await site.rpc('/mine', {}, { cookie: site.application.signedIn(1) })).json()).toMatchObject({
      result: 'Ada',
    });
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

  test('to an unknown path has its id where that can be read', async () => {
    expect((await site.rpc('/nowhere', {})).json()).toMatchObject({ id: 7, error: { code: 404 } });
    const headers = { 'content-type': 'application/json' };
    const broken = await site.request('/nowhere', { method: 'POST', body: '{"id":', headers });
    expect(broken.json()).toMatchObject({ id: null, error: { code: 404 } });
  });

  test.each([
    ['a list of calls', '[{"jsonrpc":"2.0","params":{}}]', 'application/json', 'one call at a time'],
    ['no object', '7', 'application/json', 'JSON object'],
    ['no JSON', '{', 'application/json', 'isn’t valid JSON'],
    ['an empty body', '', 'application/json', 'isn’t valid JSON'],
    ['a form', 'a=1', 'application/x-www-form-urlencoded', 'expects JSON-RPC calls'],
    ['JSON called text', '{"params":{"a":1}}', 'text/plain', 'expects JSON-RPC calls'],
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
    expect(answer.text).toContain('The limit is 1 MB');
    expect((await site.rpc('/deep', { a: 'x'.repeat(1024 * 1024 - 200) })).json()).toMatchObject({ result: true });
    const signedIn = await site.rpc('/deep', { a: 'x'.repeat(1024 * 1024) }, { cookie: site.application.signedIn(1) });
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

test('a stream of events takes a record by its id, as an island knows it', async () => {
  const abort = new AbortController();
  const answer = await fetch(`${site.origin}/forum/1/live`, { redirect: 'manual', signal: abort.signal });
  const first = await answer.body?.getReader().read();
  abort.abort();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(new TextDecoder().decode(first?.value)).toContain('"Help"');
});
