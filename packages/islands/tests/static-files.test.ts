import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createTestApp } from 'pergola/testing';
import { createLog } from '../../../core/base/log.ts';
import { StaticFiles } from '../static-files.ts';
import { temporaryFolder, writeFiles } from './kit.ts';

const root = temporaryFolder();
const script = `export default ${JSON.stringify('x'.repeat(3000))};`;
const statics = path.join(root, 'ship/static');
const files = new StaticFiles({
  folders: new Map([['ship', path.join(root, 'build')]]),
  statics: new Map([['ship', statics]]),
  made: new Map([['/_assets/core/texts.fr_FR.1.json', Buffer.from('{"a":"b"}')]]),
  log: createLog('silent'),
});
let server: Server;
let url: string;

beforeAll(async () => {
  writeFiles(root, {
    'secret.txt': 'CANARY',
    'build/flag.AAAA.js': script,
    'build/flag.AAAA.js.br': 'not asked for by name',
    'build/chunk.BBBB.js': '',
    'ship/static/a.txt': 'one',
    'ship/static/deep/b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'ship/static/.env': 'CANARY',
    'ship/static/large.bin': 'y'.repeat(2_100_000),
  });
  symlinkSync(path.join(root, 'secret.txt'), path.join(statics, 'link.txt'));
  symlinkSync(root, path.join(statics, 'folder'));
  mkdirSync(path.join(statics, 'empty'));
  server = createServer((req, res) => {
    void files.serve(decodeURIComponent(req.url ?? ''), req, res).then((found) => {
      if (!found) res.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('Static files', () => {
  it('are served for ever when named by their content, else for a week, and not sent again to who has them', async () => {
    const built = await fetch(`${url}/_assets/ship/flag.AAAA.js`);
    expect(built.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(built.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const still = await fetch(`${url}/ship/static/a.txt`);
    expect(still.headers.get('cache-control')).toBe('public, max-age=604800');
    const etag = still.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`])
      expect((await fetch(`${url}/ship/static/a.txt`, { headers: { 'If-None-Match': known } })).status).toBe(304);
    expect((await fetch(`${url}/_assets/core/texts.fr_FR.1.json`)).headers.get('cache-control')).toMatch('immutable');
  });

  it('may be empty, as chunks of builds are', async () => {
    const chunk = await fetch(`${url}/_assets/ship/chunk.BBBB.js`);
    expect({ status: chunk.status, text: await chunk.text() }).toEqual({ status: 200, text: '' });
  });

  it('come in the encoding the visitor takes', async () => {
    const get = async (encoding: string) => {
      const found = { bytes: Buffer.alloc(0), encoding: '' };
      const { request } = await import('node:http');
      await new Promise<void>((resolve) => {
        request(`${url}/_assets/ship/flag.AAAA.js`, { headers: { 'Accept-Encoding': encoding } }, (res) => {
          found.encoding = String(res.headers['content-encoding']);
          res.on('data', (piece: Buffer) => {
            found.bytes = Buffer.concat([found.bytes, piece]);
          });
          res.on('end', resolve);
        }).end();
      });
      return found;
    };
    expect(brotliDecompressSync((await get('gzip, deflate, br')).bytes).toString()).toBe(script);
    expect(gunzipSync((await get('gzip, br;q=0')).bytes).toString()).toBe(script);
    expect((await get('')).bytes.toString()).toBe(script);
  });

  it('answer HEAD with the headers alone, and large ones from the disk', async () => {
    const head = await fetch(`${url}/ship/static/large.bin`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '2100000']);
    expect((await (await fetch(`${url}/ship/static/large.bin`)).text()).length).toBe(2_100_000);
    const etag = head.headers.get('etag') ?? '';
    expect((await fetch(`${url}/ship/static/large.bin`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  it('are served anew when they are saved', async () => {
    const file = path.join(statics, 'a.txt');
    const before = (await fetch(`${url}/ship/static/a.txt`)).headers.get('etag');
    writeFileSync(file, 'two');
    utimesSync(file, 5, 5);
    const after = await fetch(`${url}/ship/static/a.txt`);
    expect([await after.text(), after.headers.get('etag') === before]).toEqual(['two', false]);
  });

  it.each([
    '/ship/static/link.txt',
    '/ship/static/folder/secret.txt',
    '/ship/static/.env',
    '/ship/static/deep/',
    '/ship/static/deep',
    '/ship/static/',
    '/ship/static/empty',
    '/ship/static/../../secret.txt',
    '/ship/static/%2e%2e/%2e%2e/secret.txt',
    '/ship/static/..%2f..%2fsecret.txt',
    '/ship/static/%252e%252e/%252e%252e/secret.txt',
    '/ship/static//etc/passwd',
    '/ship/static/a.txt%00.png',
    `/ship/static/${'a'.repeat(5000)}`,
    '/_assets/ship/flag.AAAA.js.br',
    '/_assets/ship/..%2fsecret.txt',
    '/_assets/ship/../secret.txt',
    '/_assets/ship/',
    '/_assets/boat/flag.AAAA.js',
    '/boat/static/a.txt',
  ])('never answer %s', async (address) => {
    const { request } = await import('node:http');
    // Sent as it is: `fetch` would tidy it up.
    const answer = await new Promise<{ status?: number; text: string }>((resolve) => {
      const { hostname, port } = new URL(url);
      request({ hostname, port, path: address }, (res) => {
        let text = '';
        res.on('data', (piece: Buffer) => {
          text += piece;
        });
        res.on('end', () => resolve({ status: res.statusCode, text }));
      }).end();
    });
    expect(answer).toEqual({ status: 404, text: '' });
  });

  it('lie below the headers of all assets, and go with their addon', async () => {
    await using app = await createTestApp({ addons: ['fx_islands'] });
    const address = /src="(\/_assets\/core\/loader[^"]+)"/.exec((await app.get('/fx_islands')).text)?.[1] ?? '';
    const { headers, status } = await app.get(address);
    expect(status).toBe(200);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('set-cookie')).toBeNull();
  });
});
