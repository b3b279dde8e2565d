import { connect } from 'node:net';
import fc from 'fast-check';
import { z } from 'zod';
import { redirect, reply } from '../routes/reply.ts';
import { route } from '../routes/route.ts';
import { base, startSite, type TestSite } from './kit.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    addons: [
      base,
      {
        name: 't',
        routes: [
          route.page(
            '/',
            { query: z.object({ q: z.string().max(100).optional(), n: z.number().int().optional() }) },
            async ({ query, render }) => render('t.page', query),
          ),
          route.page('/item/:id', { params: { id: z.number().int().min(1) } }, async ({ params, render }) =>
            render('t.page', params),
          ),
          route.rpc(
            '/call',
            {
              input: z.object({
                id: z.number().int(),
                name: z.string().max(50).optional(),
                tags: z.array(z.string()).max(5).default([]),
              }),
              writes: true,
            },
            async ({ input }) => input,
          ),
          route.form(
            '/go',
            { body: z.object({ name: z.string().min(1).max(50), redirect: z.string().optional() }), writes: true },
            async ({ body }) => redirect(body.redirect ?? '/'),
          ),
          route.http('/any', { method: 'POST', body: 'json' }, async ({ body }) => reply.json(body)),
        ],
      },
    ],
    templates: { 't.page': (values) => JSON.stringify(values) },
  });
});
afterAll(() => site.server.close({ graceMs: 0 }));

const leak = /at .+\.(ts|js):\d+|node_modules|\/work\/|\/home\/|SQLITE_|SQLSTATE/;
function check(answer: { status: number; text: string }): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toMatch(leak);
}

test('whatever a call holds, it is answered with a result or an error, never by a fault', async () => {
  const values = fc.oneof(
    fc.jsonValue(),
    fc.record({ id: fc.jsonValue(), name: fc.jsonValue(), tags: fc.jsonValue() }),
    fc.object({ key: fc.constantFrom('id', '__proto__', 'constructor', 'toString', 'name') }),
  );
  await fc.assert(
    fc.asyncProperty(values, async (params) => {
      const answer = await site.rpc('/call', params);
      check(answer);
      const body = answer.json() as Record<string, unknown>;
      expect('result' in body !== 'error' in body).toBe(true);
    }),
    { numRuns: 150 },
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('whatever bytes a body holds and whatever it calls itself, it is refused or answered', async () => {
  const types = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'text/plain',
    '',
    ';;;',
    'application/json-rpc',
  );
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        '{"params":{"id":1}}',
        'name=x&redirect=%2F%2Fevil',
        '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nv\r\n--x--\r\n',
        '%',
        'a=%zz',
        '--x\r\n',
        '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nv\r\n--x--',
      )
      .map(Buffer.from),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/call', '/go', '/any'), types, bodies, async (path, type, body) => {
      const headers = { 'content-type': type, origin: site.origin };
      const answer = await site.request(path, { method: 'POST', body, headers });
      check(answer);
      expect(answer.headers.location ?? '/').toMatch(/^\/(?!\/)/);
    }),
    { numRuns: 250 },
  );
});

test('whatever a path and a query hold, they are answered', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '..',
      '.',
      '%2e',
      '%00',
      '%',
      '\\',
      '%5c',
      '//',
      'item',
      '1',
      'é',
      '%c3%a9',
      '%ff',
      '?',
      '&',
      '=',
      '[]',
      'q',
      'n',
      '__proto__',
      ';',
      '\u202e',
    ),
    fc.string({ maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 10 }), async (pieces) => {
      const path = `/${pieces.join('')}`.replace(/[^\x21-\x7e]/g, (letter) =>
        encodeURIComponent(letter.isWellFormed() ? letter : '?'),
      );
      check(await site.get(path.replace('#', '')));
    }),
    { numRuns: 250 },
  );
});

test.each([
  '/web/static/../../../etc/passwd',
  '/web/static/%2e%2e/%2e%2e/etc/passwd',
  '/web/static/..%2f..%2fetc%2fpasswd',
  '/web/static/..%5c..%5cetc%5cpasswd',
  '/web/static/%252e%252e/x',
  '/_assets/..%c0%af../x',
  '/.git/config',
  '/.env',
  '/var/pergola.db',
  '/web/static/',
  '//etc/passwd',
])('%s leads to no file', async (path) => {
  const answer = await site.get(path);
  expect([301, 400, 404]).toContain(answer.status);
  check(answer);
});

describe('on the wire', () => {
  const host = () => `Host: localhost:${site.port}`;
  const post = (headers: string, body: string) =>
    site.raw(`POST /call HTTP/1.1\r\n${host()}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`, 500);
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

  test('a request that could be taken for two is refused', async () => {
    const smuggled = '0\r\n\r\nGET /item/1 HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const headers of [
      'Content-Length: 5\r\nContent-Length: 6',
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding : chunked',
      'Content-Length: +5',
      'Content-Length: 5 5',
      'X: y\n Content-Length: 5',
    ]) {
      const seen = statuses(await post(headers, smuggled));
      expect(seen.filter((status) => status < 400)).toEqual([]);
      expect(seen.length).toBeLessThanOrEqual(1);
    }
  });

  test('bare line feeds, folded and nameless headers, NUL and odd versions are refused', async () => {
    for (const bytes of [
      `GET / HTTP/1.1\n${host()}\n\n`,
      `GET / HTTP/1.1\r\n${host()}\r\nX: a\r\n b\r\n: c\r\n\r\n`,
      `GET / HTTP/1.1\r\n${host()}\r\nX: a\u0000b\r\n\r\n`,
      `GET /\u0000 HTTP/1.1\r\n${host()}\r\n\r\n`,
      `GET / HTTP/9.9\r\n${host()}\r\n\r\n`,
      `GET / HTTP/1.1\r\nX: y\r\n\r\n`,
      'nonsense\r\n\r\n',
    ]) {
      expect(statuses(await site.raw(bytes, 400)).filter((status) => status < 400)).toEqual([]);
    }
  });

  test('two hosts, a foreign host, an absolute target of elsewhere and forwarded names are not ours', async () => {
    for (const [line, headers] of [
      ['/', `${host()}\r\nHost: evil.example`],
      ['/', 'Host: evil.example'],
      ['http://evil.example/', host()],
      ['/', 'Host: localhost@evil.example'],
    ] as const) {
      const answer = await site.raw(`GET ${line} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      expect(statuses(answer)).toEqual([answer.includes(' 400 ') ? 400 : 421]);
      expect(answer).not.toContain('evil');
    }
    const forwarded = await site.get('/item/x', { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' });
    expect(forwarded.text).not.toContain('evil');
    const absolute = await site.raw(
      `GET http://localhost:${site.port}/item/3 HTTP/1.1\r\n${host()}\r\nConnection: close\r\n\r\n`,
    );
    expect(absolute).toContain('{"id":3}');
  });

  test('a header of 17 KB is refused, and so are a hundred and one headers that matter', async () => {
    expect(statuses(await site.raw(`GET / HTTP/1.1\r\n${host()}\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`))).toEqual([431]);
    expect((await site.get(`/?q=${'a'.repeat(17_000)}`).catch(() => ({ status: 431 }))).status).toBe(431);
  });

  test('two hundred requests at once on one connection are answered in their order', async () => {
    const requests = Array.from(
      { length: 200 },
      (_, n) => `GET /item/${n + 1} HTTP/1.1\r\n${host()}\r\n${n === 199 ? 'Connection: close\r\n' : ''}\r\n`,
    );
    const answer = await site.raw(requests.join(''), 8000);
    expect([...answer.matchAll(/\{"id":(\d+)\}/g)].map(([, id]) => Number(id))).toEqual(
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
  });

  test('a body that is too large is refused before it is read, with the limit, and the connection closed', async () => {
    const announced = await site.raw(
      `POST /call HTTP/1.1\r\n${host()}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{`,
      3000,
    );
    expect(announced).toMatch(/^HTTP\/1\.1 413/);
    expect(announced).toContain('The limit is 1 MB');
    expect(announced.toLowerCase()).toContain('connection: close');
    const asked = await site.raw(
      `POST /call HTTP/1.1\r\n${host()}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 1000000000\r\n\r\n`,
      3000,
    );
    expect(asked).toMatch(/^HTTP\/1\.1 413/);
  });

  test('a client that sends on after it was refused is let finish, so that its system does not throw the answer away', async () => {
    const seen = await new Promise<{ text: string; errors: unknown[] }>((resolve) => {
      const socket = connect({ port: site.port, host: '127.0.0.1', allowHalfOpen: true });
      const errors: unknown[] = [];
      let text = '';
      let left = 24;
      const head = `Content-Type: application/json\r\nContent-Length: ${left * 65_536}`;
      socket.write(`POST /call HTTP/1.1\r\n${host()}\r\n${head}\r\n\r\n`);
      const timer = setInterval(() => {
        if (left-- > 0) socket.write(Buffer.alloc(65_536));
        else {
          clearInterval(timer);
          socket.end();
        }
      }, 5);
      socket.on('data', (piece) => {
        text += piece;
      });
      socket.on('error', (error) => errors.push(error));
      socket.on('close', () => {
        clearInterval(timer);
        resolve({ text, errors });
      });
    });
    expect(seen.text).toMatch(/^HTTP\/1\.1 413/);
    expect(seen.errors).toEqual([]);
  });

  test('a chunked body without end is cut off at the limit', async () => {
    const sent = await new Promise<{ bytes: number; text: string }>((resolve) => {
      const socket = connect(site.port, '127.0.0.1');
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      let text = '';
      socket.write(
        `POST /call HTTP/1.1\r\n${host()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const timer = setInterval(() => socket.write(chunk), 2);
      socket.on('data', (piece) => {
        text += piece;
      });
      const end = (): void => {
        clearInterval(timer);
        resolve({ bytes: socket.bytesWritten, text });
      };
      socket.on('error', () => {}).on('close', end);
    });
    expect(sent.text).toMatch(/^HTTP\/1\.1 413/);
    expect(sent.bytes).toBeLessThan(8_000_000);
  });

  test('a client that asks first is told to go on, and answered', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(site.port, '127.0.0.1');
      let text = '';
      socket.write(
        `POST /call HTTP/1.1\r\n${host()}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 19\r\nConnection: close\r\n\r\n`,
      );
      socket.on('data', (piece) => {
        text += piece;
        if (text.startsWith('HTTP/1.1 100') && !text.includes('200')) socket.write('{"params":{"id":3}}');
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
    expect(answer).toContain('"result":{"id":3,"tags":[]}');
  });

  test('1 001 fields, broken parts and compressed bodies are refused', async () => {
    const fields = Array.from({ length: 1001 }, (_, n) => `f${n}=1`).join('&');
    expect((await site.form('/go', fields)).status).toBe(400);
    expect(
      (await site.form('/go', `${Array.from({ length: 999 }, (_, n) => `f${n}=1`).join('&')}&name=x`)).status,
    ).toBe(303);
    expect((await site.form('/go', 'name=x', { 'content-encoding': 'gzip' })).status).toBe(400);
    const cut = await site.request('/go', {
      method: 'POST',
      body: '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nx',
      headers: { 'content-type': 'multipart/form-data; boundary=x', origin: site.origin },
    });
    expect(cut.status).toBe(400);
  });
});

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/%2f%2fevil.example',
  'javascript:alert(1)',
  '/a\r\nSet-Cookie: x=y',
  '/ok?next=1#top',
])('a form that wants to go to %j stays on the site', async (to) => {
  const answer = await site.form('/go', { name: 'x', redirect: to });
  expect(answer.headers.location).toBe(to.startsWith('/ok') ? to : '/');
  expect(answer.headers['set-cookie']?.join() ?? '').not.toContain('x=y');
});
