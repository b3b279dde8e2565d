import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createTestApp, type TestApp } from 'pergola/testing';
import { routes } from '../../../packages/http/index.ts';
import { repository } from '../../base/addon-folders.ts';

/** Must never reach a visitor: stack traces, folders, database errors (O3 of the security checks). */
const leak = /\bat .+\.(ts|js):\d+|node_modules|SQLITE_|SQLSTATE|\bselect .+ from "/i;
/** Calls per route: 500 before a release. */
const RUNS = Number(process.env.ROUTE_RUNS ?? 12);

let app: TestApp;

beforeAll(async () => {
  const folder = join(repository, 'addons');
  const addons = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'addon.ts')));
  app = await createTestApp({ addons, demo: true });
});
afterAll(() => app.close());

const routesOf = (...kinds: string[]) =>
  app.application.generation
    .get(routes)
    .list()
    .filter(({ kind }) => kinds.includes(kind));
/** Fills every parameter of a path with the same value. */
const filled = (path: string, value: string): string =>
  path.replace(/:[a-z_]+(\([^)]*\))?\??/gi, encodeURIComponent(value)).replace('*', encodeURIComponent(value));
/** Parameters of calls and forms, and two names that must never be used. */
const fieldNames = [
  ...'model method args kwargs id ids domain fields context q name value lang product_id line_id set_qty add_qty'.split(
    ' ',
  ),
  ...'post_id tag email list_id object order limit offset step page team week date start end message content'.split(
    ' ',
  ),
  ...'token vote country_id data key mods views res_model __proto__ constructor'.split(' '),
];
const headers = { 'Content-Type': 'application/json', Origin: '' };

test('no call, whatever it holds, makes a shipped route fail or tell what nobody should know (C18)', async () => {
  const names = fc.constantFrom(...fieldNames);
  // biome-ignore format: a list of odd values
  const odd = fc.constantFrom<unknown>(
    -1, 0.5, 1e9, 2 ** 53, 1e308, 'NaN', '5abc', [[]], ['|'], [['name', 'ilike', '%']], 'a'.repeat(5000), '2025-13-45', '\u0000',
    '\ud800', "' or 1=1 --", '"; drop table x; --', "1' and sleep(5)#", '../../etc/passwd', '{{7*7}}', '<script>x</script>', '\u202e', '%s%n',
  );
  const value = fc.oneof(odd, fc.jsonValue({ maxDepth: 3 }));
  const params = fc.oneof(fc.dictionary(names, value, { maxKeys: 8 }), fc.jsonValue());
  const call = params.map((value) => JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params: value }));
  const flipped = fc.tuple(call, fc.array(fc.nat(), { minLength: 1, maxLength: 20 })).map(([text, bits]) => {
    const bytes = new Uint8Array(Buffer.from(text));
    for (const bit of bits) {
      const index = (bit >> 3) % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ (1 << (bit & 7));
    }
    return bytes;
  });
  const body = fc.oneof(
    { arbitrary: call, weight: 3 },
    flipped,
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ maxLength: 60 }),
  );
  for (const { path, name } of routesOf('rpc')) {
    const client = [app.visitor(), await app.as('portal'), await app.as('admin')][name.length % 3] ?? app;
    await fc.assert(
      fc.asyncProperty(body, fc.string({ maxLength: 20 }), async (sent, value) => {
        const answer = await client.post(filled(path, value || '1'), {
          body: sent,
          headers: { ...headers, Origin: app.url },
        });
        expect({ name, status: answer.status, ok: answer.status < 500 || answer.status === 503 }).toMatchObject({
          ok: true,
        });
        expect(answer.text).not.toMatch(leak);
        if (answer.status === 200) expect(answer.text).not.toMatch(/"code": ?500|Internal/);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }
});

test('no form and no address does either (C18b, C20, C38, C41)', async () => {
  const nasty = [
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    "' or 1=1 --",
    '%00',
    '../../../../etc/passwd',
    '..%2f..%2f.env',
    '{{7*7}}',
    '<script>x</script>',
    '__proto__',
    'a'.repeat(900),
  ];
  const visitor = app.visitor();
  for (const { path, kind, name, method } of routesOf('form', 'page', 'json', 'http')) {
    for (const value of nasty) {
      const address = filled(path, value || '1');
      const fields = method === 'POST' ? fieldNames : ['q', 'page', 'constructor'];
      const query = new URLSearchParams(
        Object.fromEntries([...fields, 'r', 'redirect', 'a[b]'].map((field) => [field, value])),
      );
      const answer =
        method === 'POST'
          ? await visitor.post(address, { body: query, headers: { Origin: app.url } })
          : await visitor.get(`${address}?${query}`);
      expect({
        name,
        kind,
        value,
        status: answer.status,
        ok: answer.status < 500 || answer.status === 503,
      }).toMatchObject({ ok: true });
      expect(answer.text).not.toMatch(leak);
      expect(answer.text).not.toContain('root:x:0');
      expect(answer.headers.get('location') ?? '/').toMatch(/^\/(?![/\\])/);
    }
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('every answer of a crawl carries the headers that browsers are to obey (C36)', async () => {
  const seen = new Set<string>();
  const waiting = ['/', '/web/login', '/nowhere'];
  const visitor = app.visitor();
  while (waiting.length > 0 && seen.size < 60) {
    const path = waiting.shift() ?? '/';
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await visitor.get(path);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    if (answer.location?.startsWith('/')) waiting.push(answer.location);
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/object-src 'none'/);
    expect(policy).toMatch(/base-uri 'none'/);
    expect(policy).toMatch(/frame-ancestors/);
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
    expect(answer.headers.get('referrer-policy')).toBeTruthy();
    for (const [, link = ''] of answer.text.matchAll(/href="(\/[^"#]*)"/g)) waiting.push(link.replaceAll('&amp;', '&'));
  }
  expect(seen.size).toBeGreaterThan(5);
});
