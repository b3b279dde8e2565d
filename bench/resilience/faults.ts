import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../tools/testing/client.ts';
import { connected } from '../../tools/testing/postgres/server.ts';
import type { RunningServer } from '../../tools/testing/server.ts';
import { startDurablePostgres } from './durable-postgres.ts';
import {
  type Check,
  call,
  contacts,
  finding,
  openSite,
  pergola,
  placeAddons,
  type Site,
  signedIn,
  watchPage,
} from './site.ts';

/** An addon that does everything an addon shouldn't. */
const faulty: Readonly<Record<string, string>> = {
  'faulty/addon.ts': `import { defineAddon, job, reply, route, z } from 'pergola';
const get = (path, handler) => route.http('/faulty/' + path, { name: 'faulty.' + path, method: 'GET' }, handler);
const breaks = job('faulty.breaks', { input: z.object({}), attempts: 1, run: async () => { throw new Error('the job broke'); } });
export default defineAddon({
  name: 'faulty', title: 'Faulty', summary: 'Breaks', version: '1.0.0', depends: ['website'], jobs: [breaks],
  routes: [
    get('throws', () => { throw new Error('the handler broke'); }),
    get('rejects', async () => { void Promise.reject(new Error('nobody waits for this')); throw new Error('the handler broke later'); }),
    get('blocks', async () => { for (const end = Date.now() + 5000; Date.now() < end; ); return reply.text('done'); }),
    route.json('/faulty/circular', { name: 'faulty.circular' }, () => { const value = {}; value.self = value; return value; }),
    route.page('/faulty/template', { name: 'faulty.template' }, ({ render }) => render('faulty.page', {})),
    route.http('/faulty/job', { name: 'faulty.job', method: 'POST', writes: true, csrf: { off: 'A test.' } }, async ({ ctx }) => { await ctx.jobs.enqueue(breaks, {}); return reply.text('later'); }),
  ],
});
`,
  'faulty/templates/faulty.page.hbs':
    '{{#> web.frontend_layout title="x"}}{{field row "name"}}{{/web.frontend_layout}}\n',
  'unloadable/addon.ts': "throw new Error('broken at load');\n",
};

/** Starts a node with the faulty addon enabled. */
async function startFaulty(site: Site): Promise<RunningServer> {
  const addons = placeAddons(site, faulty);
  const node = await site.node({ ADDONS_PATH: addons, LOG_LEVEL: 'warn' });
  await pergola(['enable', 'faulty', '--yes'], site.databaseUrl, site.dataDir, { ADDONS_PATH: addons });
  while ((await fetch(`${node.url}/faulty/throws`)).status === 404) await sleep(50);
  return node;
}

const fenced: Check = {
  id: 'C17b',
  title: 'An addon that throws, rejects, loops, and blocks for 5 s',
  async run() {
    await using site = await openSite('sqlite');
    const node = await startFaulty(site);
    const page = watchPage(`${node.url}/contactus`, 20);
    const replies: string[] = [];
    for (let round = 0; round < 20; round++)
      for (const path of ['throws', 'rejects', 'circular', 'template']) {
        const response = await fetch(`${node.url}/faulty/${path}`);
        replies.push(
          `${response.status} ${/at .+\(|\.ts:|node_modules|handler broke/.test(await response.text()) ? 'told' : ''}`,
        );
      }
    await fetch(`${node.url}/faulty/job`, { method: 'POST', headers: { Origin: node.url } });
    await sleep(3000);
    const { times, failed } = await page.stop();
    const blocked = watchPage(`${node.url}/contactus`, 20);
    const long = await (await fetch(`${node.url}/faulty/blocks`)).text();
    await sleep(1000);
    const meanwhile = await blocked.stop();
    const log = node.output();
    const faults = ['/faulty/throws', '/faulty/rejects', '/faulty/circular', '/faulty/template', 'faulty.breaks'];
    const lines = log.split('\n').filter((line) => line.includes('"addon":"faulty"') && line.includes('"stack"'));
    const unnamedFaults = faults.filter((name) => !lines.some((line) => line.includes(`"${name}"`)));
    const heldUpLine = log.split('\n').find((line) => line.includes('heldUpMs'));
    return [
      finding(
        'responses of broken routes',
        [...new Set(replies)].join(', '),
        '500 without a cause',
        replies.every((reply) => reply === '500 '),
      ),
      finding(
        'other pages that failed',
        `${failed.length} of ${times.length}`,
        '0',
        failed.length === 0 && times.length > 50,
      ),
      finding(
        'other pages that failed around the block',
        `${meanwhile.failed.length} of ${meanwhile.times.length}, longest ${Math.max(...meanwhile.times).toFixed(0)} ms`,
        '0',
        meanwhile.failed.length === 0 && long === 'done',
      ),
      finding(
        'faults logged without their addon',
        unnamedFaults.join(', ') || 'none',
        'none',
        unnamedFaults.length === 0,
      ),
      finding(
        'the blocked event loop is logged',
        /"heldUpMs":\d+/.exec(heldUpLine ?? '')?.[0] ?? 'no',
        'with its route',
        heldUpLine?.includes('faulty.blocks') === true,
      ),
      finding(
        'the addon that can’t be loaded is named, and the site started',
        /unloadable.*broken at load/.test(log) ? 'yes' : 'no',
        'yes',
        /unloadable.*broken at load/.test(log),
      ),
      finding(
        'the process lives',
        (await fetch(`${node.url}/healthz`)).status,
        '200',
        (await fetch(`${node.url}/healthz`)).status === 200,
      ),
    ];
  },
};

const vanishedDatabase: Check = {
  id: 'C10',
  title: 'PostgreSQL killed for 5 s under 50 requests a second, then 20 backends terminated',
  async run() {
    await using postgres = await startDurablePostgres();
    await using site = await openSite('postgres', postgres.url);
    const node = await site.node();
    const client = await signedIn(node.url);
    const [acknowledged, answers]: [string[], { time: number; status: number }[]] = [[], []];
    const startedAt = performance.now();
    let stopped = false;
    const readers = Array.from({ length: 4 }, async () => {
      while (!stopped) {
        const status = await fetch(`${node.url}/web/login?redirect=/contactus`, {
          signal: AbortSignal.timeout(20_000),
        }).then(
          async (response) => {
            await response.text();
            return response.status;
          },
          () => 0,
        );
        answers.push({ time: performance.now() - startedAt, status });
        await sleep(80);
      }
    });
    const writer = (async () => {
      for (let index = 0; !stopped; index++) {
        await call(client, 'res.partner', 'create', { name: `c10 ${index}` }).then(
          () => acknowledged.push(`c10 ${index}`),
          () => {},
        );
        await sleep(80);
      }
    })();
    const ask = async (sql: string): Promise<number> => {
      let rowCount = 0;
      await connected(postgres.url, async (client) => {
        rowCount = Number((await client.query(sql)).rows[0]?.n);
      });
      return rowCount;
    };
    const backends = () => ask("select count(*) as n from pg_stat_activity where datname = 'site'");
    await sleep(10_000);
    const before = await backends();
    const downAt = performance.now() - startedAt;
    await postgres.restart(5000);
    const upAt = performance.now() - startedAt;
    await sleep(15_000);
    const calmAt = performance.now() - startedAt;
    await ask(
      "select count(pg_terminate_backend(pid)) as n from (select pid from pg_stat_activity where datname = 'site' limit 20) as s",
    );
    await sleep(10_000);
    stopped = true;
    await Promise.all([...readers, writer]);
    const after = await backends();
    const storedNames = new Set(await contacts(await signedIn(node.url), 'c10 '));
    const lostNames = acknowledged.filter((name) => !storedNames.has(name));
    const failuresBetween = (from: number, to: number) =>
      answers.filter(({ time, status }) => time >= from && time < to && status !== 200);
    const statuses = (list: typeof answers) =>
      JSON.stringify(
        Object.fromEntries(
          Map.groupBy(list, ({ status }) => status)
            .entries()
            .map(([status, all]) => [status, all.length]),
        ),
      );
    const inGap = failuresBetween(downAt, upAt + 5000);
    const lateFailures = failuresBetween(upAt + 5000, calmAt);
    const ended = failuresBetween(calmAt, Number.POSITIVE_INFINITY);
    return [
      finding(
        'acknowledged writes lost',
        `${lostNames.length} of ${acknowledged.length}`,
        '0',
        lostNames.length === 0 && acknowledged.length > 50,
      ),
      finding(
        'refused in the gap',
        statuses(inGap),
        'only 503',
        inGap.every(({ status }) => status === 503),
      ),
      finding('refused later than 5 s after it was back', statuses(lateFailures), 'none', lateFailures.length === 0),
      finding(
        'refused when 20 back-ends were ended',
        statuses(ended),
        'only 503, few',
        ended.every(({ status }) => status === 503),
      ),
      finding('connections', `${after}, before ${before}`, 'as before', after <= before + 2),
    ];
  },
};

/** Must not occur in any response (O3). */
const leak = /at .+\.(?:ts|js):\d+|node_modules|\/(?:work|tmp|home|root)\/|SQLITE_|SQLSTATE|\bselect .+ from\b|canary/i;

const references: Check = {
  id: 'C34',
  title: 'Failures of sixty kinds as a visitor, a member and an administrator',
  async run() {
    await using site = await openSite('sqlite');
    const node = await startFaulty(site);
    let requestCount = 0;
    const [leaks, debugs, unreferenced]: [string[], string[], string[]] = [[], [], []];
    for (const login of [null, 'portal', 'admin']) {
      const client = login === null ? new Client(node.url) : await signedIn(node.url, login);
      for (const { path, init } of failures(node.url)) {
        const { status, text } = await client.request(path, init);
        requestCount++;
        if (leak.test(text.replaceAll(/<script type="importmap">.*?<\/script>/gs, '')))
          leaks.push(`${login} ${path}: ${leak.exec(text)?.[0]}`);
        const debug = /"debug":"([^"]+)"/.exec(text)?.[1];
        if (debug) debugs.push(path);
        if (status !== 500) continue;
        const reference = /[0-9a-f]{15}/.exec(text)?.[0];
        await sleep(20);
        const line =
          reference &&
          node
            .output()
            .split('\n')
            .find((line) => line.includes(reference));
        if (!line || !/"stack"/.test(line)) unreferenced.push(`${path} ${reference ?? ''}`);
      }
    }
    return [
      finding(
        'responses that leak internals',
        `${leaks.length} of ${requestCount} ${leaks.slice(0, 3).join('; ')}`,
        '0',
        leaks.length === 0,
      ),
      finding('non-empty data.debug', debugs.length, '0', debugs.length === 0),
      finding(
        'failures without a line of that reference and a stack',
        unreferenced.slice(0, 3).join('; ') || 'none',
        'none',
        unreferenced.length === 0,
      ),
    ];
  },
};

function failures(origin: string): { path: string; init: RequestInit }[] {
  const headers = { 'Content-Type': 'application/json', Origin: origin };
  const rpc = (params: unknown, path = '/web/dataset/call_kw') => ({
    path,
    init: { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params }) },
  });
  const kw = (model: unknown, method: unknown, args: unknown = [], kwargs: unknown = {}) =>
    rpc({ model, method, args, kwargs });
  const get = (path: string) => ({ path, init: {} });
  const form = (path: string, body: string | FormData) => ({
    path,
    init: {
      method: 'POST',
      body,
      headers: {
        Origin: origin,
        ...(typeof body === 'string' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      },
    },
  });
  const file = new FormData();
  file.set('upload', new Blob(['no picture']), '../../x.png');
  return [
    ...['throws', 'rejects', 'circular', 'template'].map((name) => get(`/faulty/${name}`)),
    ...[
      '/event/nothing-99999',
      '/shop/product/nothing-99999',
      '/forum/help-1/question/x-999999',
      '/matchs/999999',
      '/wall/99999',
      '/teams/x-9999',
      '/quote/99999/x',
      '/web/binary/image?model=res.partner&id=99999&field=image',
      '/web/binary/image?model=nothing&id=1&field=image',
      '/web/content/999999',
      '/website/image/x/y/z',
      '/%00',
      '/%ff',
      '/shop?page=-1',
      '/shop/page/999999999999',
      '/event?page=x',
      '/_assets/core/nothing.js',
      '/_assets/../../package.json',
      '/web/static/../../package.json',
      '/forum/help-1?sort=password',
      '/web/login?redirect=%0d%0a',
    ].map(get),
    ...[
      ['res.partner', 'nothing'],
      ['nothing', 'read'],
      ['res.partner', 'read', [[999_999]]],
      ['res.partner', 'read', ['x']],
      ['res.partner', 'write', [[1], { nothing: 1 }]],
      ['res.partner', 'write', [[1], { country_id: 999_999 }]],
      ['res.partner', 'create', [{}]],
      ['res.partner', 'create', [{ name: 7 }]],
      ['res.partner', 'search', [[['name', 'nope', 1]]]],
      ['res.partner', 'search', [[['a.b.c', '=', 1]]]],
      ['res.partner', 'search_read', [[]], { order: 'name; drop table x' }],
      ['res.partner', 'search_read', [[]], { limit: -1 }],
      ['res.partner', 'read_group', [[], ['x'], ['nothing']]],
      ['res.users', 'read', [[1], ['password']]],
      ['res.users', 'unlink', [[1]]],
      ['res.country', 'unlink', [[75]]],
      ['res.users', 'create', [{ name: 'x', login: 'admin' }]],
      ['res.partner', '__proto__'],
      ['res.partner', 'constructor'],
      ['__proto__', 'read'],
      ['res.partner', 'sudo'],
      [{}, []],
      [null, null],
    ].map(([model, method, args, kwargs]) => kw(model, method, args, kwargs)),
    { path: '/web/dataset/call_kw', init: { method: 'POST', headers, body: '{"jsonrpc"' } },
    { path: '/web/dataset/call_kw', init: { method: 'POST', headers, body: `${'['.repeat(100)}${']'.repeat(100)}` } },
    rpc({ db: '', login: 'admin', password: 'canary-wrong' }, '/web/session/authenticate'),
    rpc({}, '/web/dataset/nothing'),
    form('/web/login', 'login=admin&password=canary-wrong'),
    form('/web/reset_password', 'login='),
    form('/website/contact', 'name=&email=x'),
    form('/website/attach', file),
    form('/shop/cart/update', 'product_id=999999&add_qty=1'),
    form('/shop/confirm_order', 'x=1'),
    form('/forum/help-1/ask', 'title=&content='),
    form('/quote/accept', 'x=1'),
  ];
}

export const faultChecks: readonly Check[] = [fenced, vanishedDatabase, references];
