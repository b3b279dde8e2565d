import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { createTestApp, type TestApp } from '#core/testing';
import { repository } from '../../base/addon-folders.ts';
import { routes } from '../../http/index.ts';

jest.setTimeout(90_000);

/** What must never reach a visitor: stacks, folders, the words of a database (O3 of the security checks). */
const leak = /\bat .+\.(ts|js):\d+|node_modules|SQLITE_|SQLSTATE|\bselect .+ from "/i;
/** Runs for each route; the whole takes less than a minute. */
const RUNS = 12;

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
/** The path with something for each of its parameters. */
const filled = (path: string, value: string): string =>
  path.replace(/:[a-z_]+(\([^)]*\))?\??/gi, encodeURIComponent(value)).replace('*', encodeURIComponent(value));
const headers = { 'Content-Type': 'application/json', Origin: '' };

test('no call, whatever it holds, makes a shipped route fail or tell what nobody should know (C18)', async () => {
  const names = fc.constantFrom(
    'model',
    'method',
    'args',
    'kwargs',
    'id',
    'ids',
    'domain',
    'fields',
    'context',
    'q',
    'name',
    '__proto__',
  );
  const params = fc.oneof(fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }), fc.jsonValue());
  const body = fc.oneof(
    params.map((value) => JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params: value })),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ maxLength: 60 }),
  );
  for (const { path, name } of routesOf('rpc')) {
    const client = name.length % 2 ? await app.as('admin') : app.visitor();
    await fc.assert(
      fc.asyncProperty(body, fc.string({ maxLength: 20 }), async (text, value) => {
        const answer = await client.post(filled(path, value || '1'), {
          body: text,
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
      const at = filled(path, value || '1');
      const query = new URLSearchParams({
        q: value,
        page: value,
        r: value,
        redirect: value,
        'a[b]': value,
        constructor: value,
      });
      const answer =
        method === 'POST'
          ? await visitor.post(at, { body: query, headers: { Origin: app.url } })
          : await visitor.get(`${at}?${query}`);
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
