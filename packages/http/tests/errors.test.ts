import { z } from 'zod';
import { Conflict, NotFound, PergolaError, TooMany, Unavailable } from '../../../core/base/errors.ts';
import { block, fragment } from '../../pages/define.ts';
import { forDeveloper } from '../replies/error-for-developer.ts';
import { NO_SUCH_ROUTE } from '../replies/failure.ts';
import { route } from '../routes/route.ts';
import { base, startSite, type TestOptions, type TestSite } from './kit.ts';

const failing = (path: string, error: () => unknown) =>
  route.page(path, {}, async () => {
    throw error();
  });

const options: TestOptions = {
  addons: [
    base,
    {
      name: 't',
      routes: [
        failing('/fault', () => new TypeError('secret at /srv/app/x.ts:1:2\n SELECT * FROM res_users')),
        failing('/text', () => 'a text'),
        failing('/base', () => new PergolaError('an inner detail')),
        failing('/conflict', () => new Conflict('Too late for {name}.', { params: { name: '<b>Ada</b>' } })),
        failing('/gone', () => new NotFound('We can’t find that page.')),
        failing('/many', () => new TooMany('Slow down.', { retryAfter: 9 })),
        failing('/full', () =>
          Object.assign(new Error('the file'), { cause: Object.assign(new Error('write'), { code: 'ENOSPC' }) }),
        ),
        failing('/memory', () => new Error('the page', { cause: new RangeError('Array buffer allocation failed') })),
        failing('/away', () => new Unavailable('The database is not available.', { retryAfter: 4 })),
        route.page('/template', {}, async ({ render }) => render('t.broken')),
        route.page('/missing', {}, async ({ render }) => render('t.nowhere')),
        route.page('/parts', { cache: false }, async ({ render }) => render('t.parts')),
        route.page('/loop', { cache: false }, async ({ render }) => render('t.loop')),
        route.json('/json', {}, async () => {
          throw new Conflict('Too late.', { params: { most: 4 }, fields: { a: 'At most {most}.' } });
        }),
      ],
      fragments: [
        fragment('t.works', { template: 't.works' }),
        fragment('t.fails', {
          template: 't.works',
          load: async () => {
            throw new Error('no luck');
          },
        }),
        fragment('t.loop', { template: 't.loop' }),
      ],
      blocks: [
        block('t.next', {
          label: 'Next',
          options: z.object({ n: z.number() }),
          template: 't.next',
          load: async (_, { n }) => ({ n: n + 1 }),
        }),
      ],
      rendering: [{ editor: (ctx, { url }) => url.includes('enable_editor') && ctx.user.id === 1 }],
    },
  ],
  templates: {
    't.broken': () => {
      throw new Error('template fault at /srv/x.hbs');
    },
    't.works': () => 'works',
    't.loop': (_, context) => `[${context.fragment('t.loop')}]`,
    't.next': ({ n }, context) => `next ${n} ${context.fragment('t.works')}`,
    't.parts': (_, context) =>
      [
        context.fragment('t.works'),
        context.fragment('t.fails'),
        context.fragment('t.unknown'),
        context.block('t.next', { n: 1 }),
        context.block('t.next', { n: 'x' }),
        context.fillBlocks('<div data-block="t.next" data-options=\'{"n":5}\'></div><div data-block="gone.one"></div>'),
      ].join('|'),
  },
};

const withPages: TestOptions = {
  ...options,
  templates: {
    ...options.templates,
    'web.error_404': ({ title, message }) => `<main>404 ${title} ${message}</main>`,
    'web.error': ({ status, message, reference }) => `<main>${status} ${message} ${reference}</main>`,
  },
};

let site: TestSite;
let pages: TestSite;
beforeAll(async () => {
  site = await startSite(options);
  pages = await startSite(withPages);
});
afterAll(() => Promise.all([site.server.close({ graceMs: 0 }), pages.server.close({ graceMs: 0 })]));

test.each(['/fault', '/text', '/base', '/template', '/missing'])(
  'a fault of ours at %s is 500 with a reference that the log has beside the stack, and says nothing else',
  async (path) => {
    const answer = await site.get(path);
    expect(answer.status).toBe(500);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).not.toMatch(/secret|srv|\.ts|\.hbs|SELECT|inner detail|a text|TypeError|t\.nowhere/);
    const [, reference] = /<code>([0-9a-f]{15})<\/code>/.exec(answer.text) ?? [];
    const line = site.logged({ request: reference, msg: 'Request failed' });
    expect(line).toMatchObject({ addon: 't', route: path, status: 500, level: 50 });
    expect(JSON.stringify(line)).toContain('err');
  },
);

test('an error raised on purpose is told in its words, escaped, with its status', async () => {
  const conflict = await site.get('/conflict');
  expect(conflict.status).toBe(409);
  expect(conflict.text).toContain('Too late for &lt;b&gt;Ada&lt;/b&gt;.');
  expect(conflict.text).not.toContain('<code>');
  const many = await site.get('/many');
  expect([many.status, many.headers['retry-after']]).toEqual([429, '9']);
  const away = await site.get('/away');
  expect([away.status, away.headers['retry-after']]).toEqual([503, '4']);
  const json = await site.get('/json');
  expect([json.status, json.json()]).toMatchObject([
    409,
    {
      error: {
        code: 'core.conflict',
        title: 'This isn’t possible',
        message: 'Too late.',
        fields: { a: 'At most 4.' },
        reference: expect.any(String),
      },
    },
  ]);
});

test('without any address that is known, the plain page speaks both languages', async () => {
  const answer = await site.raw('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 421/);
  expect(answer).toContain('Unknown site / Site inconnu');
  expect(answer).not.toContain('evil');
});

test('the error pages of addons are used, the exact one first', async () => {
  expect((await pages.get('/nowhere')).text).toBe('<main>404 Not found We can’t find that page.</main>');
  expect((await pages.get('/gone')).text).toBe('<main>404 Not found We can’t find that page.</main>');
  expect((await pages.get('/conflict')).text).toBe('<main>409 Too late for <b>Ada</b>. null</main>');
  expect((await pages.get('/fault')).text).toMatch(/^<main>500 .*[0-9a-f]{15}<\/main>$/);
});

test('an error page that fails itself is replaced by one that needs nothing', async () => {
  const broken = await startSite({
    ...options,
    templates: {
      'web.error': () => {
        throw new Error('the error page fails');
      },
    },
  });
  try {
    const answer = await broken.get('/fault');
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('Something went wrong / Une erreur est survenue');
    expect(broken.application.lines.some(({ msg }) => String(msg).includes('The error page itself failed'))).toBe(true);
  } finally {
    await broken.server.close({ graceMs: 0 });
  }
});

test('a part of a page that fails leaves its place empty and a line in the log; blocks are filled in their places', async () => {
  const answer = await site.get('/parts');
  expect(answer.text).toBe(
    'works|||next 2 works||<div data-block="t.next" data-options=\'{"n":5}\'>next 6 works</div><div data-block="gone.one"></div>',
  );
  expect(site.application.lines.some((line) => line.what === 'fragment t.fails')).toBe(true);
});

test('editors get a note where a block is not shown', async () => {
  const answer = await site.get('/parts?enable_editor=1', { cookie: site.application.signedIn(1) });
  expect(answer.text).toContain('This block no longer exists. Visitors see nothing here.');
  expect(answer.text).toContain('This block’s settings are no longer valid.');
  expect((await site.get('/parts?enable_editor=1')).text).not.toContain('Visitors see nothing');
});

test('a part that stands in itself ends', async () => {
  expect((await site.get('/loop')).text).toBe('[[[[[[]]]]]]');
});

test('log lines name routes, not paths, and hold no query and no cookie', async () => {
  await site.get('/nowhere/secret-token?password=geheim', { cookie: 'session_id=geheim' });
  await site.get('/parts?token=geheim');
  const text = site.application.lines.map((line) => JSON.stringify(line)).join('\n');
  expect(text).not.toContain('geheim');
  expect(site.logged({ route: '/parts' })).toMatchObject({ method: 'GET', addon: 't', kind: 'page', status: 200 });
});

test('An unknown address shows developers which code is not served', () => {
  const application = { config: { dev: true }, problems: [{ addon: 'library', message: 'It needs a shelf.' }] };
  const about = { parts: { application }, info: null, match: null } as unknown as Parameters<typeof forDeveloper>[0];
  const failure = { isInternal: false, code: NO_SUCH_ROUTE } as Parameters<typeof forDeveloper>[2];
  expect(forDeveloper(about, new NotFound('Nothing.'), failure).text).toContain('It needs a shelf.');
});

test('A fault is told to developers once, with the calls that led to it', () => {
  const application = { config: { dev: true }, problems: [] };
  const about = { parts: { application }, info: null, match: null } as unknown as Parameters<typeof forDeveloper>[0];
  const failure = { isInternal: true, code: 'core.fault' } as Parameters<typeof forDeveloper>[2];
  for (const error of [new Error('The template failed.'), new TypeError('The template failed.')]) {
    const { text, stack } = forDeveloper(about, error, failure);
    expect(`${text}\n${stack}`.split('The template failed.')).toHaveLength(2);
    expect(stack).toMatch(error instanceof TypeError ? /^TypeError\n +at .*errors\.test/ : /^ +at .*errors\.test/);
  }
});

test('a full disk is said to be full, in the answer and in the log', async () => {
  const full = await site.get('/full');
  expect([full.status, full.headers['retry-after']]).toEqual([503, '30']);
  expect(full.text).toContain('disk is full');
  expect(full.text).not.toContain('ENOSPC');
  expect(site.application.lines.find(({ code }) => code === 'core.disk_full')).toMatchObject({
    msg: 'Request refused',
    reason: 'disk full',
  });
});

test('Without memory a request is refused, and the log names the reason', async () => {
  const { status, headers, text } = await site.get('/memory');
  expect([status, headers['retry-after']]).toEqual([503, '30']);
  expect(text).toContain('The server is low on memory.');
  expect(text).not.toContain('allocation');
  expect(site.application.lines.find(({ code }) => code === 'core.out_of_memory')).toMatchObject({
    msg: 'Request refused',
    reason: 'out of memory',
  });
});
