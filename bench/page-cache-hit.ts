import { fork } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { MemoryPageCache } from '../core/cache/page-cache.ts';
import type { Changes } from '../core/db/types.ts';
import type { Generation } from '../core/generation.ts';
import { createHosts } from '../core/http/hosts.ts';
import type { Host, PageLocator, PageQuestion } from '../core/http/kernel-face.ts';

/**
 * A kept page against a bare server that sends the same bytes and headers (ruling 30): requests per second, and CPU of the whole process per
 * request. Rounds of both take turns; the median counts. `node bench/page-cache-hit.ts [rounds] [seconds]`
 */
const kinds = ['bare', 'kept'] as const;
type Kind = (typeof kinds)[number];

interface Round {
  readonly perSecond: number;
  /** Microseconds. */
  readonly cpu: number;
}

const tables = Array.from({ length: 23 }, (_, number) => `table_${number}`);
const html = '<article class="card"><h3>Été à la ferme</h3><p>12,00 €</p></article>'.repeat(290);

const changes: Changes = { healthy: true, version: (table) => table.length, subscribe: () => () => {} };

/** As much work as four prepared facts, an address and an anonymous identity make. */
const state = {};
const locator: PageLocator = {
  epoch() {
    for (let fact = 0; fact < 6; fact += 1) {
      if (Date.now() < 0) return null;
      for (let table = 0; table < 4; table += 1) if (changes.version(tables[table] ?? '') === -1) return null;
    }
    return state;
  },
  locate: ({ origin, path, headers, cookies }) =>
    questionFor(origin, path, `${headers['accept-language']} ${cookies.website_lang}`),
};

function questionFor(origin: string, path: string, facts: string): PageQuestion {
  const generation = { number: 1 } as Generation;
  const groups = new Set(['base.group_public']);
  const rest = { lang: 'en_US', timezone: 'UTC', query: '', session: false, cookies: {} };
  return { generation, origin, path, visitedPath: path, facts, groups, ...rest };
}

async function listener(kind: Kind): Promise<RequestListener> {
  const cache = new MemoryPageCache({ changes, secure: false });
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; script-src 'self' 'sha256-${'x'.repeat(43)}='; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  const question = questionFor('', '/shop', 'undefined undefined');
  const render = async (origin: string): Promise<void> => {
    await cache.render({ ...question, origin }, async (tracker) => {
      for (const table of tables) tracker.table(table);
      return { status: 200, headers, keep: true, parts: [html], holes: [] };
    });
  };
  if (kind === 'bare') {
    await render('');
    const bytes = Buffer.from(html);
    const sent = {
      ...cache.lookup(question)?.headers,
      ETag: 'W/"aaaaaaaaaaaaaaaaaaaaaa"',
      'Content-Length': String(bytes.byteLength),
    };
    return (_req, res) => {
      res.writeHead(200, sent);
      res.end(bytes);
    };
  }
  const hosts = createHosts({
    baseUrl: 'http://localhost:8069',
    allowedHosts: [],
    trustedProxies: [],
    production: false,
    port: 8069,
  });
  const names: readonly string[] = [];
  return (req, res) => {
    const host: Host | null = hosts.resolve(req, names);
    if (host && cache.answer(req, res, host, locator)) return;
    if (host) void render(host.origin);
    res.writeHead(503).end();
  };
}

async function serve(kind: Kind): Promise<void> {
  let served = 0;
  const listen = await listener(kind);
  const server = createServer((req, res) => {
    served += 1;
    listen(req, res);
  }).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ served, cpu: user + system });
  });
  process.on('disconnect', () => process.exit());
}

async function measure(kind: Kind, seconds: number): Promise<Round> {
  const child = fork(fileURLToPath(import.meta.url), ['serve', kind]);
  const heard = <T>(): Promise<T> =>
    new Promise((resolve) => child.once('message', (message) => resolve(message as T)));
  const usage = async (): Promise<{ served: number; cpu: number }> => {
    const answer = heard<{ served: number; cpu: number }>();
    child.send('usage');
    return answer;
  };
  const url = `http://localhost:${await heard<number>()}/shop`;
  await autocannon({ url, connections: 8, duration: 1 });
  const before = await usage();
  const { requests, non2xx } = await autocannon({ url, connections: 32, duration: seconds });
  const after = await usage();
  child.disconnect();
  if (non2xx > 0) throw new Error(`${non2xx} replies of the ${kind} server were no pages.`);
  return { perSecond: requests.average, cpu: (after.cpu - before.cpu) / (after.served - before.served) };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(rounds: number, seconds: number): Promise<void> {
  const results: Record<Kind, Round[]> = { bare: [], kept: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of kinds) results[kind].push(await measure(kind, seconds));
  const [bare, kept] = kinds.map((kind) => ({
    perSecond: median(results[kind].map(({ perSecond }) => perSecond)),
    cpu: median(results[kind].map(({ cpu }) => cpu)),
  }));
  if (!bare || !kept) return;
  const line = (name: string, { perSecond, cpu }: Round): string =>
    `${name}  ${Math.round(perSecond)} req/s  ${cpu.toFixed(1)} µs CPU`;
  console.log([line('bare', bare), line('kept', kept)].join('\n'));
  console.log(
    `kept / bare  ${(kept.perSecond / bare.perSecond).toFixed(2)} by requests, ${(bare.cpu / kept.cpu).toFixed(2)} by CPU`,
  );
}

const [mode, kind] = process.argv.slice(2);
if (mode === 'serve') await serve(kind === 'bare' ? 'bare' : 'kept');
else await compare(Number(mode ?? 5), Number(kind ?? 4));
