import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { loadConfig } from '../../../core/base/config.ts';
import { type BlobStore, openBlobStore } from '../blob-store.ts';
import { filesPart } from '../part.ts';

/** As much of S3 as the filestore asks for, in memory. */
const kept = new Map<string, Buffer>();
const asked: string[] = [];
let ignoresRanges = false;
let server: Server;
let bucket: BlobStore;

beforeAll(async () => {
  server = createServer((request, response) => {
    void answer(request).then(({ status, headers = {}, body = Buffer.alloc(0) }) => {
      response.writeHead(status, { ...headers, 'content-length': body.byteLength });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  bucket = openBlobStore(
    loadConfig(
      {
        SESSION_SECRET: 'a secret of the tests',
        S3_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pergola/`,
        S3_ACCESS_KEY: 'key',
        S3_SECRET_KEY: 'secret',
      },
      [filesPart],
    ),
  );
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  kept.clear();
  asked.length = 0;
  ignoresRanges = false;
});

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method = '', url = '', headers } = request;
  const name = url.replace('/pergola/', '');
  asked.push([method, name.replace(/\?.*/, ''), headers.range].filter(Boolean).join(' '));
  if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=key/')) return { status: 403 };
  if (method === 'PUT') kept.set(name, await buffer(request));
  if (method === 'DELETE') kept.delete(name);
  if (method === 'PUT' || method === 'DELETE') return { status: 200 };
  if (name.startsWith('?')) return { status: 200, body: Buffer.from(listed(new URLSearchParams(name))) };
  const content = kept.get(name);
  if (!content) return { status: 404 };
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (start === undefined || ignoresRanges) return { status: 200, body: content };
  const range = `bytes ${start}-${end}/${content.byteLength}`;
  return { status: 206, headers: { 'content-range': range }, body: content.subarray(Number(start), Number(end) + 1) };
}

/** Two names a page. */
function listed(query: URLSearchParams): string {
  const names = [...kept.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort();
  const from = Number(query.get('continuation-token') ?? 0);
  const entries = names
    .slice(from, from + 2)
    .map((name) => `<Contents><Key>${name}</Key><LastModified>2026-11-23T10:00:00.000Z</LastModified></Contents>`);
  const more = from + 2 < names.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  return `<ListBucketResult>${entries.join('')}${more}</ListBucketResult>`;
}

const name = 'files/ab/abcd';
const content = Buffer.from('0123456789');

it('what was put is there until it is removed', async () => {
  expect([await bucket.get(name), await bucket.open(name), await bucket.has(name)]).toEqual([null, null, false]);
  await bucket.put(name, content);
  expect(Buffer.from((await bucket.get(name)) ?? []).toString()).toBe('0123456789');
  expect(await bucket.has(name)).toBe(true);
  await bucket.remove(name);
  expect(await bucket.has(name)).toBe(false);
});

it('only the part that is asked for is fetched, when somebody reads it', async () => {
  await bucket.put(name, content);
  asked.length = 0;
  const opened = await bucket.open(name);
  expect([opened?.size, asked]).toEqual([10, [`HEAD ${name}`]]);
  const part = async (start: number, end: number) => {
    const read = opened?.read(start, end);
    return read ? (await buffer(read)).toString() : null;
  };
  expect([await part(2, 4), await part(0, 9), await part(9, 9)]).toEqual(['234', '0123456789', '9']);
  expect(asked.slice(1)).toEqual([`GET ${name} bytes=2-4`, `GET ${name} bytes=0-9`, `GET ${name} bytes=9-9`]);
});

it('a file that went, or comes whole where a part was wanted, is never given as that part', async () => {
  await bucket.put(name, content);
  const opened = await bucket.open(name);
  if (!opened) throw new Error('The file is there.');
  ignoresRanges = true;
  await expect(buffer(opened.read(2, 4))).rejects.toMatchObject({ code: 'core.file_storage_refused' });
  await bucket.remove(name);
  await expect(buffer(opened.read(2, 4))).rejects.toMatchObject({ code: 'core.file_gone' });
});

it('everything is listed, also what stands on a later page', async () => {
  for (const one of ['a', 'b', 'c', 'd', 'e']) await bucket.put(`files/${one}`, content);
  await bucket.put('derived/x', content);
  const names: string[] = [];
  for await (const found of bucket.list('files')) names.push(found.name);
  expect(names).toEqual(['files/a', 'files/b', 'files/c', 'files/d', 'files/e']);
});
