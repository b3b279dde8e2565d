import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { utf8 } from '../replies/text-bytes.ts';
import { reply } from '../routes/reply.ts';
import { route } from '../routes/route.ts';
import { fileRef, startSite, type TestSite, until } from './kit.ts';

const HASH = 'a'.repeat(64);
const long = 'Ein langer Text, der sich gut zusammendrücken lässt. '.repeat(100);
const file = (about: object, more: object = {}) =>
  route.http('/file/:n', { method: 'GET', params: { n: z.string() } }, async () =>
    reply.file(fileRef(HASH, about), more),
  );

const kinds = [
  ['image', { mimetype: 'image/png', name: 'picture.png' }, { inline: true, maxAge: 60 }],
  ['html', { mimetype: 'text/html', name: 'x.html' }, { inline: true }],
  ['svg', { mimetype: 'image/svg+xml', name: 'x.svg' }, { inline: true }],
  ['text', { mimetype: 'text/plain', name: 'x.txt' }, {}],
  ['name', { mimetype: 'application/zip', name: 'Résumé "2026"\r\nX: y/../été\u202e.zip' }, {}],
  ['odd', { mimetype: 'weird type\r\nX: y', name: '' }, { inline: true }],
] as const;

let site: TestSite;
let closed = 0;
beforeAll(async () => {
  site = await startSite({
    addons: [
      {
        name: 't',
        routes: [
          ...kinds.map(([name, about, more]) => ({
            ...file(about, more),
            name,
            path: `/file/${name}`,
            options: { method: 'GET' },
          })),
          route.http('/gone', { method: 'GET' }, async () => reply.file(fileRef('b'.repeat(64)))),
          route.http('/long', { method: 'GET' }, async () => reply.text(long)),
          route.http('/short', { method: 'GET' }, async () => reply.text('short')),
          route.http('/bytes', { method: 'GET' }, async () => reply.body(Buffer.alloc(5000), 'application/zip')),
          route.http('/stream', { method: 'GET' }, async () => reply.body(Readable.from(['a', 'b', 'c']), 'text/csv')),
          route.http('/breaks', { method: 'GET' }, async () => {
            const broken = async function* () {
              yield 'a';
              throw new Error('in the middle');
            };
            return reply.body(Readable.from(broken()), 'text/csv');
          }),
          route.http('/late', { method: 'GET' }, async () => {
            await wait(150);
            return reply.body(Readable.from(['a']), 'text/csv');
          }),
          route.http('/endless', { method: 'GET' }, async () => {
            const endless = async function* () {
              try {
                for (;;) yield 'x'.repeat(10_000);
              } finally {
                closed++;
              }
            };
            return reply.body(Readable.from(endless()), 'text/csv');
          }),
        ],
      },
    ],
  });
  site.application.files.set(HASH, Buffer.from('0123456789'));
});
afterAll(() => site.server.close({ graceMs: 0 }));

describe('a file', () => {
  test('is sent with its length, type, validator and protection', async () => {
    const answer = await site.get('/file/image');
    expect(answer.text).toBe('0123456789');
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': 'inline; filename=picture.png',
      'cache-control': 'public, max-age=60',
      etag: `"${HASH}"`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    expect(answer.headers['content-security-policy']).toContain('sandbox');
  });

  test('the visitor has already is not sent again', async () => {
    for (const known of [`"${HASH}"`, `"x", W/"${HASH}"`, '*']) {
      const answer = await site.get('/file/image', { 'if-none-match': known });
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', `"${HASH}"`]);
    }
    expect((await site.get('/file/image', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-1,5-6', 200, '0123456789', undefined],
    ['bytes=20-30', 416, '', 'bytes */10'],
    ['lines=1-2', 200, '0123456789', undefined],
    ['nonsense', 200, '0123456789', undefined],
  ])('answers the range %s with %d', async (range, status, text, contentRange) => {
    const answer = await site.get('/file/image', { range });
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, contentRange]);
  });

  test('is read as far as it is asked for, and not at all for its headers', async () => {
    const { read } = site.application.files;
    read.length = 0;
    const head = await site.request('/file/image', { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '10', '']);
    await site.get('/file/image', { 'if-none-match': `"${HASH}"` });
    await site.request('/file/image', { method: 'HEAD', headers: { range: 'bytes=2-4' } });
    expect(read).toEqual([]);
    await site.get('/file/image', { range: 'bytes=0-0' });
    expect(read).toEqual([[0, 0]]);
  });

  test('that has changed since is sent whole, whatever range is asked for', async () => {
    expect((await site.get('/file/image', { range: 'bytes=2-4', 'if-range': '"old"' })).status).toBe(200);
    expect((await site.get('/file/image', { range: 'bytes=2-4', 'if-range': `"${HASH}"` })).status).toBe(206);
  });

  test('that a browser might run is a download without meaning, whatever its route says', async () => {
    for (const path of ['/file/html', '/file/svg']) {
      const { headers } = await site.get(path);
      expect(headers['content-type']).toBe('application/octet-stream');
      expect(headers['content-disposition']).toMatch(/^attachment/);
    }
    const odd = await site.get('/file/odd');
    expect(odd.headers['content-type']).toBe('application/octet-stream');
    expect(odd.headers['content-disposition']).toBe('attachment; filename=file');
  });

  test('has its name in both spellings, and no name breaks out of its header', async () => {
    const { headers } = await site.get('/file/name');
    expect(headers['content-disposition']).toMatch(/^attachment; filename=".*"; filename\*=UTF-8''/);
    expect(headers['content-disposition']).not.toMatch(/[\r\n/\u202e]/);
    expect(headers.x).toBeUndefined();
  });

  test('whose content is gone is not there', async () => {
    expect((await site.get('/gone')).status).toBe(404);
  });
});

describe('a text', () => {
  test('is compressed as the visitor takes it', async () => {
    const [br, gzip, plain] = await Promise.all(
      ['gzip, br', 'gzip', 'identity'].map((encoding) => site.get('/long', { 'accept-encoding': encoding })),
    );
    expect(br?.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br?.bytes ?? '').toString()).toBe(long);
    expect(gunzipSync(gzip?.bytes ?? '').toString()).toBe(long);
    expect(plain?.text).toBe(long);
    for (const answer of [br, gzip, plain]) {
      expect(answer?.headers['content-length']).toBe(String(answer?.bytes.length));
      expect(answer?.headers.vary).toBe('Cookie, Accept-Encoding');
    }
  });

  test('is sent plain where it is short, no text, or a proxy says no', async () => {
    const takes = { 'accept-encoding': 'gzip, br' };
    expect((await site.get('/short', takes)).headers['content-encoding']).toBeUndefined();
    expect((await site.get('/bytes', takes)).headers['content-encoding']).toBeUndefined();
    expect(
      (await site.get('/long', { ...takes, 'cache-control': 'no-transform' })).headers['content-encoding'],
    ).toBeUndefined();
    expect(
      (await site.get('/long', { 'accept-encoding': 'br;q=0, gzip;q=0' })).headers['content-encoding'],
    ).toBeUndefined();
  });
});

describe('a stream', () => {
  test('is sent as it comes', async () => {
    expect((await site.get('/stream')).text).toBe('abc');
    expect((await site.request('/stream', { method: 'HEAD' })).text).toBe('');
  });

  test('that breaks breaks the connection off, so that no part is taken for the whole, and is in the log', async () => {
    await expect(site.get('/breaks')).rejects.toThrow();
    await until(() => site.logged({ route: '/breaks' }) !== undefined);
    expect(site.logged({ msg: 'Request failed', route: '/breaks' })).toBeDefined();
  });

  test('is ended when the visitor leaves', async () => {
    await site.raw(`GET /endless HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`, 200);
    await until(() => closed > 0);
    expect(closed).toBe(1);
  });

  test('is not begun for a visitor who left meanwhile, which is no fault', async () => {
    await site.raw(`GET /late HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`, 30);
    await until(() => site.logged({ route: '/late' }) !== undefined);
    expect(site.logged({ route: '/late' })).toMatchObject({ level: 30, status: 499 });
  });
});

test.each([
  ['', ''],
  ['Latin letters', 'é à ü'.repeat(500)],
  ['others', 'a — “b” 😀 Ж'.repeat(500)],
  ['half a pair of surrogates', `${'—'.repeat(1500)}\ud800x\udc00`],
  ['a very long text', 'é—'.repeat(300_000)],
])('a text becomes the same bytes as ever: %s', (_name, text) => {
  expect(utf8(text).equals(Buffer.from(text))).toBe(true);
});
