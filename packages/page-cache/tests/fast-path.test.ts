import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PageCache } from '../page-cache.ts';
import type { LocatableRequest } from '../types.ts';
import { exchange, localhost, locator, page, question, type Sent, StagedChanges } from './stage.ts';

const text = '<p>Bonjour</p>'.repeat(200);

async function makeKept(): Promise<{ cache: PageCache; changes: StagedChanges }> {
  const changes = new StagedChanges();
  const cache = new PageCache({ changes, secure: false });
  await cache.render(question(), async (tracker) => {
    tracker.table('product');
    return page(text, {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'none'" },
    });
  });
  return { cache, changes };
}

describe('The door in front of Express', () => {
  const one = locator();
  const ask = (
    cache: PageCache,
    about: { url?: string; method?: string; headers?: Record<string, string> } = {},
  ): Sent | null => {
    const { req, res, sent } = exchange(about.url ?? '/shop', about);
    return cache.answer(req, res, localhost, one) ? sent() : null;
  };

  test('answers a kept page with its headers, and 304 to whoever has it', async () => {
    const { cache } = await makeKept();
    const first = ask(cache);
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(text.length),
        'cache-control': 'private, no-cache',
        vary: 'Accept-Encoding, Cookie',
        'content-security-policy': "default-src 'none'",
      },
    });
    expect(first?.body.toString()).toBe(text);

    const etag = first?.headers.etag ?? '';
    for (const known of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const again = ask(cache, { headers: { 'if-none-match': known } });
      expect(again?.status).toBe(304);
      expect(again?.headers).not.toHaveProperty('content-length');
      expect(again?.headers.etag).toBe(etag);
    }
    expect(ask(cache, { headers: { 'if-none-match': '"other"' } })?.status).toBe(200);
    expect(ask(cache, { method: 'HEAD' })?.headers['content-length']).toBe(String(text.length));
  });

  test.each([
    ['another method', { method: 'POST' }],
    ['a session', { headers: { cookie: 'a=b; session_id=abc' } }],
    ['a session over https', { headers: { cookie: '__Host-session_id=abc' } }],
    ['a write through another process', { headers: { cookie: 'pergola_wrote=elsewhere.1' } }],
    ['credentials', { headers: { authorization: 'Basic abc' } }],
    ['a body', { headers: { 'content-length': '3' } }],
    ['a query that no route declared', { url: '/shop?utm_source=x' }],
    ['a page that is not kept', { url: '/else' }],
  ])('leaves requests with %s to the long way', async (_, about) => {
    const { cache } = await makeKept();
    expect(ask(cache)).not.toBeNull();
    expect(ask(cache, about)).toBeNull();
  });

  test('serves nothing after a commit, while signals are missing, or while attributes are prepared again', async () => {
    const { cache, changes } = await makeKept();
    changes.healthy = false;
    expect(ask(cache)).toBeNull();
    changes.healthy = true;
    let epoch: object | null = {};
    const moving = locator({ epoch: () => epoch });
    const { req, res } = exchange('/shop');
    expect(cache.answer(req, res, localhost, moving)).toBe(true);
    epoch = null;
    expect(cache.answer(req, res, localhost, moving)).toBe(false);
    changes.commit('product');
    expect(ask(cache)).toBeNull();
  });

  test('works out what an address means once for all requests that agree in what was read', async () => {
    const { cache } = await makeKept();
    await cache.render(question({ lang: 'fr_FR' }), async () => page('bonjour'));
    const located: LocatableRequest[] = [];
    let epoch = {};
    const counting = locator({ located: (request) => located.push(request), epoch: () => epoch });
    const visit = (headers: Record<string, string>): string => {
      const { req, res, sent } = exchange('/shop', { headers });
      return cache.answer(req, res, localhost, counting) ? sent().body.toString().slice(0, 7) : 'long way';
    };
    expect(visit({})).toBe('<p>Bonj');
    expect(visit({ 'user-agent': 'x' })).toBe('<p>Bonj');
    expect(visit({ cookie: 'other=1' })).toBe('<p>Bonj');
    expect(located).toHaveLength(1);
    expect(visit({ cookie: 'website_lang=fr_FR' })).toBe('bonjour');
    expect(visit({ cookie: 'website_lang=fr_FR; x=1', 'accept-language': 'de' })).toBe('bonjour');
    expect(visit({ 'accept-language': 'fr_FR' })).toBe('bonjour');
    expect(visit({ 'accept-language': 'de' })).toBe('long way');
    expect(located).toHaveLength(4);
    epoch = {};
    expect(visit({})).toBe('<p>Bonj');
    expect(located).toHaveLength(5);
  });

  test('works it out anew each time where more was read than single values', async () => {
    const { cache } = await makeKept();
    const names: string[][] = [];
    const curious = locator({ located: (request) => names.push(Object.keys(request.cookies)) });
    for (const cookie of ['a=1', 'a=1', 'b=1']) {
      const { req, res } = exchange('/shop', { headers: { cookie } });
      expect(cache.answer(req, res, localhost, curious)).toBe(true);
    }
    expect(names).toEqual([['a'], ['a'], ['b']]);
  });

  test('sends what the visitor takes compressed, to the first who ask too, each form with its own length', async () => {
    const { cache } = await makeKept();
    const before = cache.stats.bytes;
    for (const [accept, encoding, decompress] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const asked = [0, 1].map(() => exchange('/shop', { headers: { 'accept-encoding': accept } }));
      for (const { req, res } of asked) expect(cache.answer(req, res, localhost, locator())).toBe(true);
      while (asked.some(({ sent }) => sent().status === 0)) await pause(5);
      for (const { headers, body } of asked.map(({ sent }) => sent())) {
        expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(body.byteLength) });
        expect(decompress(body).toString()).toBe(text);
      }
    }
    expect(ask(cache, { headers: { 'accept-encoding': 'identity, br;q=0' } })?.headers).not.toHaveProperty(
      'content-encoding',
    );
    expect(cache.stats.bytes).toBeGreaterThan(before);
  });

  test('leaves a page with something to fill in to the long way', async () => {
    const { cache, changes } = await makeKept();
    expect(ask(cache)).not.toBeNull();
    changes.commit('product');
    const holes = [{ kind: 'fragment', id: 'website.views' }] as const;
    await cache.render(question(), async () => page('', { parts: ['a', 'b'], holes }));
    expect(ask(cache)).toBeNull();
    expect(cache.lookup(question())).not.toBeNull();
  });
});
