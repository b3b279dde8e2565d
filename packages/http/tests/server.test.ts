import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { requestAttribute } from '@pergola/page-cache';
import { z } from 'zod';
import { fragment } from '../../pages/define.ts';
import { reply } from '../routes/reply.ts';
import { record, route } from '../routes/route.ts';
import { base, startSite, type TestAddon, type TestSite, until } from './kit.ts';

interface Touching {
  reads(table: string): void;
  touches(table: string): void;
}
const touching = (ctx: unknown) => ctx as Touching;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let flowing = 0;
let renders = 0;
let shown = 'first';
const Thing = Object.assign(class {}, { modelName: 'test.thing' }) as never;
const pages: TestAddon = {
  name: 't',
  routes: [
    route.page('/kept', { query: z.object({ page: z.number().default(1) }) }, async ({ ctx, query, render }) => {
      renders++;
      touching(ctx).reads('thing');
      return render('t.page', { text: `${shown} ${query.page}` });
    }),
    route.page('/address', {}, async ({ request, render }) => {
      renders++;
      return render('t.page', { text: request.url });
    }),
    route.page('/thing/:thing', { params: { thing: record(Thing) } }, async ({ render }) => {
      renders++;
      return render('t.page', {});
    }),
    route.page('/personal', {}, async ({ ctx, render }) => {
      renders++;
      return render('t.page', { text: `for ${ctx.user.name}` });
    }),
    route.page('/session', {}, async ({ ctx, render }) => {
      renders++;
      return render('t.page', { text: String(ctx.session.get('x')) });
    }),
    route.page('/agent', {}, async ({ request: { headers }, render }) => {
      renders++;
      return render('t.page', { text: headers['user-agent'] ?? '' });
    }),
    route.page('/seated', {}, async ({ render }) => {
      renders++;
      return render('t.seated', {});
    }),
    route.page('/clocked', {}, async ({ render }) => {
      renders++;
      return render('t.clocked', {});
    }),
    route.page('/never', { cache: false }, async ({ render }) => {
      renders++;
      return render('t.page', {});
    }),
    route.page('/cookie', {}, async ({ request: view, render }) => {
      renders++;
      view.setCookie('seen', '1');
      return render('t.page', {});
    }),
    route.rpc('/change', { input: z.object({ text: z.string() }), writes: true }, async ({ ctx, input }) => {
      touching(ctx).touches('thing');
      ctx.afterCommit(() => {
        shown = input.text;
      });
      return true;
    }),
    route.http('/slow', { method: 'GET', query: z.object({ ms: z.number().default(50) }) }, async ({ query }) => {
      await sleep(Number(query.ms));
      return reply.text('slow');
    }),
    route.http('/busy', { method: ['GET', 'POST'] }, async () => {
      await gateOpen;
      return reply.text('done');
    }),
    route.http('/held', { method: 'GET' }, async () => {
      await heldUntil;
      return reply.text('held');
    }),
    route.http('/order', { method: 'POST', writes: true }, async () => {
      await gateOpen;
      return reply.text('ordered');
    }),
    route.http('/take', { method: 'POST', body: 'raw', limit: { bytes: 5_000_000 } }, async ({ body }) =>
      reply.text(String((body as Uint8Array).length)),
    ),
    route.http('/endless', { method: 'GET' }, async () => {
      const pieces = async function* () {
        flowing++;
        try {
          for (;;) yield 'x'.repeat(10_000);
        } finally {
          flowing--;
        }
      };
      return reply.body(Readable.from(pieces()), 'text/csv');
    }),
    route.http('/big', { method: 'GET' }, async () => reply.body(Buffer.alloc(30_000_000), 'application/octet-stream')),
  ],
  fragments: [
    fragment('t.user', { template: 't.user', load: async (ctx) => ({ name: ctx.user.name }) }),
    fragment('t.seats', {
      template: 't.user',
      vary: 'often',
      load: async (ctx) => {
        touching(ctx).reads('seats');
        return { name: `seats ${seats++}` };
      },
    }),
    fragment('t.clock', { template: 't.user', vary: 'always', load: async () => ({ name: `tick ${ticks++}` }) }),
  ],
  requestAttributes: [
    requestAttribute('shop' as never, {
      prepare: async (ctx) => {
        touching(ctx).reads('shop');
        prepared++;
        return { name: shopName };
      },
      resolve: (state: { name: string }) => state.name as never,
    }) as never,
  ],
};
let gateOpen: Promise<void> = Promise.resolve();
let heldUntil: Promise<void> = Promise.resolve();
/** Keeps `/held` waiting until the answered function is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  heldUntil = promise;
  return resolve;
}
let ticks = 0;
let seats = 0;
let prepared = 0;
let shopName = 'one';

const templates = {
  't.page': ({ text }: Record<string, unknown>, context: { fragment(id: string): string; csrf(): string }) =>
    `<p>${text}</p>${context.fragment('t.user')}${context.csrf()}${'.'.repeat(2000)}`,
  't.user': ({ name }: Record<string, unknown>) => `<b>${name}</b>`,
  't.seated': (_: unknown, context: { fragment(id: string): string }) =>
    `<i>${renders}</i>${context.fragment('t.seats')}`,
  't.clocked': (_: unknown, context: { fragment(id: string): string }) => context.fragment('t.clock'),
};

let site: TestSite;
beforeAll(async () => {
  const records = { 'test.thing': { 1: { id: 1, display_name: 'Thing' } } };
  const patience = { headersMs: 400, bodyMs: 300, readMs: 600 };
  site = await startSite({ addons: [base, pages], templates, records, patience });
});
afterAll(() => site.server.close({ graceMs: 0, deadlineMs: 500 }));
beforeEach(() => {
  renders = 0;
});

describe('a page that may be kept', () => {
  test('is rendered once, answered from memory, and renewed after the write it shows', async () => {
    const first = await site.get('/kept');
    const second = await site.get('/kept');
    expect([first.text, renders]).toEqual([second.text, 1]);
    expect(second.headers.etag).toBeDefined();
    expect((await site.get('/kept', { 'if-none-match': second.headers.etag ?? '' })).status).toBe(304);
    await site.rpc('/change', { text: 'second' });
    expect((await site.get('/kept')).text).toContain('<p>second 1</p>');
    expect(renders).toBe(2);
  });

  test('differs by declared query values only', async () => {
    await site.get('/kept?page=2');
    await site.get('/kept?page=02');
    await Promise.all([1, 2, 3].map((value) => site.get(`/kept?page=2&utm_source=${value}`)));
    expect(renders).toBe(1);
  });

  test('differs by every value once it reads its whole address', async () => {
    const texts = async (...paths: string[]) =>
      Promise.all(paths.map(async (path) => /<p>(.*?)<\/p>/.exec((await site.get(path)).text)?.[1]));
    expect(await texts('/address?x=1', '/address?x=2', '/address', '/address?x=2')).toEqual([
      '/address?x=1',
      '/address?x=2',
      '/address',
      '/address?x=2',
    ]);
    expect(await texts('/address', '/address?x=3')).toEqual(['/address', '/address?x=3']);
    expect(renders).toBe(5);
  });

  test('is one render however many ask', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => site.get('/kept?page=9')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(renders).toBe(1);
  });

  test('follows the records in its path', async () => {
    await site.get('/thing/thing-1');
    await site.get('/thing/thing-1');
    expect(renders).toBe(1);
    site.application.touch('test_thing');
    await site.get('/thing/thing-1');
    expect(renders).toBe(2);
  });

  test('is shared by those of the same groups, its personal parts filled in for each', async () => {
    const [ada, bob] = [site.application.signedIn(1), site.application.signedIn(1)];
    const answers = [await site.get('/kept?page=5', { cookie: ada }), await site.get('/kept?page=5', { cookie: bob })];
    expect(renders).toBe(1);
    const tokens = answers.map(({ text }) => /value="([^"]+)"/.exec(text)?.[1]);
    expect(tokens[0]).not.toBe(tokens[1]);
    expect(answers[1]?.text).toContain('<b>Ada</b>');
    const visitor = await site.get('/kept?page=5');
    expect(visitor.text).toContain('<b>Public</b>');
    expect(visitor.text).not.toContain('csrf_token');
  });

  test.each(['/personal', '/session', '/agent'])(
    'is one visitor’s own once it reads what is theirs: %s',
    async (path) => {
      const cookie = site.application.signedIn(1);
      await site.get(path, { cookie, 'user-agent': 'one' });
      await site.get(path, { cookie, 'user-agent': 'two' });
      expect(renders).toBe(2);
    },
  );

  test('keeps what changes often apart: the page stays while that is made anew, and both are answered from memory', async () => {
    const first = await site.get('/seated');
    const [second, third] = [await site.get('/seated'), await site.get('/seated')];
    // Made once for all of them, and kept with what it was made from.
    expect([first.text, second.text, third.text]).toEqual(Array(3).fill('<i>1</i><b>seats 0</b>'));
    expect([first.headers.etag, typeof third.headers.etag]).toEqual([undefined, 'string']);
    site.application.touch('seats');
    expect((await site.get('/seated')).text).toBe('<i>1</i><b>seats 1</b>');
    const mine = { cookie: site.application.signedIn(1) };
    expect([(await site.get('/seated', mine)).text, (await site.get('/seated', mine)).text]).toEqual([
      '<i>2</i><b>seats 2</b>',
      '<i>2</i><b>seats 3</b>',
    ]);
    expect((await site.get('/seated')).text).toBe('<i>1</i><b>seats 1</b>');
  });

  test('gets what is new each time filled in, though it is kept', async () => {
    const answers = [await site.get('/clocked'), await site.get('/clocked'), await site.get('/clocked')];
    expect(answers.map(({ text }) => text)).toEqual(['<b>tick 0</b>', '<b>tick 1</b>', '<b>tick 2</b>']);
    expect(renders).toBe(1);
  });

  test('that everybody sees alike is kept for visitors, even where it would differ for users', async () => {
    await site.get('/personal');
    expect((await site.get('/personal')).text).toContain('for Public');
    expect(renders).toBe(1);
  });

  test.each(['/never', '/cookie'])('is not kept where its route or its cookies forbid it: %s', async (path) => {
    await site.get(path);
    await site.get(path);
    expect(renders).toBe(2);
  });

  test('follows what its attributes were prepared from, on the very next request', async () => {
    await site.get('/kept?page=7');
    const before = prepared;
    shopName = 'two';
    site.application.touch('shop');
    await site.get('/kept?page=7');
    expect([renders, prepared]).toEqual([2, before + 1]);
    await site.get('/kept?page=7');
    expect([renders, prepared]).toEqual([2, before + 1]);
  });
});

describe('probes', () => {
  test('healthz says that the process lives, readyz that it may be sent visitors', async () => {
    const answers = async () => [(await site.get('/healthz')).status, (await site.get('/readyz')).status];
    expect(await answers()).toEqual([200, 200]);
    site.application.databaseUp = false;
    expect(await answers()).toEqual([200, 503]);
    site.application.databaseUp = true;
    site.application.unready = ['addon forum 1.2.0 is not on this disk'];
    expect(await answers()).toEqual([200, 503]);
    expect((await site.get('/readyz')).text).toBe('not ready\n');
    site.application.unready = [];
    site.application.draining = true;
    expect(await answers()).toEqual([200, 503]);
    site.application.draining = false;
    site.application.diskState = 'full';
    expect(await answers()).toEqual([200, 503]);
    site.application.diskState = 'low';
    expect(await answers()).toEqual([200, 200]);
    site.application.diskState = 'well';
  });

  test('figures are for this machine, and not for whom a proxy forwards', async () => {
    await site.rpc('/change', { text: 'x' });
    const { text, status } = await site.get('/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(/pergola_http_request_seconds_count\{addon="t",kind="rpc",status="2xx"\} [1-9]/);
    expect(text).toMatch(/pergola_page_cache_hits [1-9]/);
    expect(text).toMatch(/pergola_disk_free_bytes\{holds="files backups"\} 5000000/);
    expect(text).toMatch(/pergola_jobs_overdue 3/);
    expect(text).toMatch(/pergola_mail_oldest_waiting_seconds 6\d/);
    expect(text).toMatch(/pergola_cache_bytes_limit\{cache="pages"\} [1-9]/);
    expect((await site.get('/metrics', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
  });
});

describe('slow visitors', () => {
  const cutOff = (socket: Socket) =>
    new Promise<void>((resolve) => {
      socket.on('error', () => {}).on('close', () => resolve());
      socket.resume();
    });
  /** Begins to send a body to each of a hundred connections, and goes on byte by byte until `stop`. */
  const drip = ({ port }: TestSite, length: number) => {
    const head = `POST /take HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: ${length}\r\n\r\n`;
    const sockets = Array.from({ length: 100 }, () => {
      const socket = connect(port, '127.0.0.1');
      // Not once it is connected, which may be after the first drop.
      socket.write(head);
      return socket;
    });
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, 50);
    return { sockets, stop: () => clearInterval(timer) };
  };

  test('who never end their headers are cut off when the time for them is over', async () => {
    // The default is 10 s.
    const patient = await startSite({ addons: [base, pages], templates });
    const sockets = [patient, site].map(({ port }) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'));
      return socket;
    });
    expect(await Promise.race(sockets.map((socket, index) => cutOff(socket).then(() => index)))).toBe(1);
    await patient.server.close({ graceMs: 0, deadlineMs: 0 });
  });

  test.each([100_000, 4000])('who drip their body of %i bytes are told so and cut off', async (length) => {
    const { sockets, stop } = drip(site, length);
    let text = '';
    sockets[0]?.on('data', (piece) => {
      text += piece;
    });
    await Promise.all(sockets.map(cutOff));
    stop();
    expect(text).toMatch(/^HTTP\/1\.1 408/);
  });

  test.each([100_000, 4000])('who drip their body of %i bytes keep nobody else waiting', async (length) => {
    const patient = await startSite({ addons: [base, pages], templates, patience: { bodyMs: 600_000 } });
    const { sockets, stop } = drip(patient, length);
    for (const path of ['/kept', '/slow']) expect((await patient.get(path)).status).toBe(200);
    expect(sockets.every(({ writable }) => writable)).toBe(true);
    stop();
    for (const socket of sockets) socket.on('error', () => {}).destroy();
    await patient.server.close({ graceMs: 0, deadlineMs: 0 });
  });

  test('who do not read what they asked for are cut off', async () => {
    const socket = connect(site.port, '127.0.0.1', () =>
      socket.write(`GET /big HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`),
    );
    socket.pause();
    socket.on('error', () => {});
    await until(() => site.application.leases.get(1) === 1);
    await sleep(200);
    // The handler has long settled; its reply is not read yet.
    expect(site.application.leases.get(1)).toBe(1);
    await until(() => site.application.leases.get(1) === 0);
    expect(site.application.leases.get(1)).toBe(0);
    socket.destroy();
  });

  test('who leave are read for no more, and who wait have so much time for each statement', async () => {
    expect((await site.get('/slow')).status).toBe(200);
    expect(site.application.bounds).toMatchObject({ statementMs: 10_000, signal: { aborted: false } });
    const release = hold();
    const socket = connect(site.port, '127.0.0.1', () =>
      socket.write(`GET /held HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`),
    );
    await until(() => site.application.leases.get(1) === 1);
    socket.destroy();
    await until(() => site.application.bounds?.signal?.aborted === true);
    expect(site.application.bounds?.signal?.aborted).toBe(true);
    release();
  });

  test('who stop reading what flows are cut off, and it is read no further', async () => {
    const socket = connect(site.port, '127.0.0.1', () =>
      socket.write(`GET /endless HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`),
    );
    socket.pause();
    socket.on('error', () => {});
    await until(() => flowing === 1);
    await until(() => flowing === 0);
    expect(flowing).toBe(0);
    socket.destroy();
  });

  test('with large bodies take turns, and all are served', async () => {
    const headers = { origin: site.origin };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        site.request('/take', { method: 'POST', body: Buffer.alloc(3_000_000), headers }),
      ),
    );
    expect(answers.map(({ text }) => text)).toEqual(Array(6).fill('3000000'));
  });
});

describe('overload', () => {
  test('turns pages away at once with 503 and lets orders in longer', async () => {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    gateOpen = promise;
    const waiting = Array.from({ length: 256 }, () => site.get('/busy'));
    await until(() => site.application.leases.get(1) === 256);
    // While the others still wait.
    const refused = await site.get('/slow');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    expect((await site.request('/busy', { method: 'POST' })).status).toBe(503);
    // Pages that were answered need their scripts.
    expect(await site.get('/_assets/t/there.js')).toMatchObject({ status: 200, text: 'there' });
    const order = site.request('/order', { method: 'POST', headers: { origin: site.origin } });
    expect((await site.get('/healthz')).status).toBe(200);
    await site.get('/kept?page=77');
    open();
    expect((await order).text).toBe('ordered');
    expect((await Promise.all(waiting)).every(({ status }) => status === 200)).toBe(true);
    expect((await site.get('/slow?ms=1')).status).toBe(200);
  });
});

describe('generations', () => {
  test('a request ends on the generation it began on, which is held until its handler settled and its reply is closed', async () => {
    const { application } = site;
    const release = hold();
    const running = Array.from({ length: 10 }, () => site.get('/held'));
    const left = connect(site.port, '127.0.0.1', () => {
      left.write(`GET /held HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`);
    });
    await until(() => application.leases.get(1) === 11);
    left.destroy();
    const before = application.generation;
    application.generation = application.build(2, [
      base,
      { name: 'new', routes: [route.http('/new', { method: 'GET' }, async () => reply.text('new'))] },
    ]);
    expect((await site.get('/new')).text).toBe('new');
    expect((await site.get('/held')).status).toBe(404);
    await sleep(50);
    // The visitor of one is gone, its handler is not.
    expect(application.leases.get(1)).toBe(11);
    release();
    expect((await Promise.all(running)).map(({ text }) => text)).toEqual(Array(10).fill('held'));
    await until(() => application.leases.get(1) === 0);
    expect(application.leases.get(1)).toBe(0);
    application.generation = before;
  });

  test('switching under load fails no request and leaves nothing held', async () => {
    const { application } = site;
    const before = application.generation;
    let number = 10;
    const switching = setInterval(() => {
      application.generation = application.build(number++, [base, pages]);
    }, 5);
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const one = (path: string) =>
      new Promise<number>((resolve, reject) => {
        request({ port: site.port, path, agent, headers: { host: `localhost:${site.port}` } }, (res) => {
          res.resume().on('end', () => resolve(res.statusCode ?? 0));
        })
          .on('error', reject)
          .end();
      });
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, n) => one(n % 3 === 0 ? '/slow?ms=10' : '/kept')),
    );
    clearInterval(switching);
    agent.destroy();
    application.generation = before;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(number).toBeGreaterThan(15);
    await until(() => [...application.leases.values()].every((held) => held === 0));
    expect([...application.leases.values()].filter((held) => held !== 0)).toEqual([]);
  });
});

test('stopping says so first, ends what is under way, and resets nobody', async () => {
  const leaving = await startSite({ addons: [base, pages], templates });
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const results: { status: number; connection: string | undefined }[] = [];
  const failures: unknown[] = [];
  let ready = true;
  const ask = () =>
    new Promise<void>((resolve) => {
      request(
        { port: leaving.port, path: '/slow?ms=20', agent, headers: { host: `localhost:${leaving.port}` } },
        (res) => {
          results.push({ status: res.statusCode ?? 0, connection: res.headers.connection });
          res.resume().on('end', resolve);
        },
      )
        .on('error', (error) => {
          failures.push(error);
          resolve();
        })
        .end();
    });
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (ready) await ask();
    }),
  );
  await sleep(100);
  const release = hold();
  const long = leaving.get('/held');
  const closing = leaving.server.close({ graceMs: 1000, deadlineMs: 5000 });
  await until(() => results.at(-1)?.connection === 'close');
  expect((await leaving.get('/readyz')).status).toBe(503);
  expect((await leaving.get('/healthz')).status).toBe(200);
  ready = false;
  await load;
  setTimeout(release, 1200);
  expect((await long).text).toBe('held');
  await closing;
  expect(failures).toEqual([]);
  expect(results.every(({ status }) => status === 200)).toBe(true);
  await expect(leaving.get('/slow')).rejects.toThrow();
  agent.destroy();
});

test('what does not end by the deadline is cut off', async () => {
  const stuck = await startSite({ addons: [base, pages], templates });
  const release = hold();
  const request = stuck.get('/held').catch(() => 'cut off');
  await until(() => stuck.application.leases.get(1) === 1);
  await stuck.server.close({ graceMs: 0, deadlineMs: 200 });
  expect(await request).toBe('cut off');
  release();
});
