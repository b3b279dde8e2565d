import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { Client } from '../tools/testing/index.ts';
import { type Allocations, lookInto } from './allocations.ts';
import {
  type Case,
  compare,
  databaseCpu,
  loadOptions,
  type Result,
  type RunningServer,
  residentMemory,
  startPostgres,
  startServer,
} from './harness.ts';

/**
 * Every page type of the demo site, uncached: for a visitor, a customer with a cart, an editor, and a user who has just written through
 * another process (so nothing shared can be reused), next to the CPU that Odoo 17 needs for the same page; with queries, rows, bytes sent
 * and bytes allocated. `--minutes 30` runs mixed traffic over all pages instead, printing the server's memory after each minute and at
 * rest.
 *
 * `--dialect postgres` uses the other database, whose CPU counts too. `--rate 200` limits the mixed traffic to that many requests per
 * second.
 */

/**
 * A page type: the list page with its first link, the CPU in milliseconds that Odoo 17 needs, and by what factor Pergola should beat it.
 */
interface Kind {
  readonly name: string;
  readonly list: string;
  readonly link?: RegExp;
  readonly odoo?: number;
  readonly aim?: number;
}

const kinds: readonly Kind[] = [
  { name: 'home', list: '/', odoo: 12.9, aim: 20 },
  { name: 'shop', list: '/shop', odoo: 100, aim: 60 },
  { name: 'product', list: '/shop', link: /href="(\/shop\/product\/[^"?#]+)/, odoo: 32, aim: 25 },
  { name: 'events', list: '/event', odoo: 42, aim: 30 },
  { name: 'event', list: '/event', link: /href="(\/event\/[^"?#/]+-\d+\/register)/, odoo: 40, aim: 30 },
  { name: 'match week', list: '/matchs' },
  { name: 'forum', list: '/forum/help-1', odoo: 45, aim: 30 },
  {
    name: 'question',
    list: '/forum/help-1',
    link: /href="(\/forum\/[^"?#/]+\/question\/[^"?#/]+)"/,
    odoo: 51,
    aim: 35,
  },
];

/** A list in the backend. Calls per user and minute are limited. */
const listCall = {
  name: 'search_read, 20 rows',
  odoo: 6.2,
  aim: 10,
  amount: 700,
  body: JSON.stringify({
    jsonrpc: '2.0',
    method: 'call',
    id: 1,
    params: { model: 'product.template', fields: ['name', 'list_price', 'description_sale'], domain: [], limit: 20 },
  }),
};

/** An undeclared query parameter with a new value each time bypasses the cache. */
const fresh = '?fresh=[<id>]';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, dialect: { type: 'string' }, rate: { type: 'string' } },
  strict: false,
  allowPositionals: true,
});
const postgres = values.dialect === 'postgres' ? await startPostgres() : null;
// No other process copies the template at the same time.
const database = postgres && new URL(`/${postgres.template}`, postgres.url).href;
const server = await startServer({
  env: { DEMO: 'true', ...(database ? { DATABASE_URL: database } : {}) },
  timeout: 180_000,
});
try {
  await sleep(10_000);
  const paths = await pathsOf(server);
  const minutes = Number(values.minutes ?? 0);
  if (minutes > 0) await mixed(server, [...paths.values()], minutes);
  else console.log(await pageTable(server, paths));
} finally {
  await server.remove();
  await postgres?.stop();
}

async function pathsOf({ url }: RunningServer): Promise<Map<string, string>> {
  const visitor = new Client(url);
  const pathsByName = new Map<string, string>();
  for (const { name, list, link } of kinds) {
    const path = link ? link.exec((await visitor.get(list)).text)?.[1] : list;
    if (path === undefined) throw new Error(`${list} has no link to a page of type "${name}".`);
    pathsByName.set(name, path);
  }
  return pathsByName;
}

async function pageTable({ url, pid }: RunningServer, paths: ReadonlyMap<string, string>): Promise<string> {
  const { connections = 16, ...options } = loadOptions(withoutOwn(process.argv.slice(2)));
  const people = {
    visitor: new Client(url),
    customer: await customer(url),
    editor: await editor(url),
    'nothing shared': stranger(url),
  };
  const lines = [
    '| uncached page | user | req/s | CPU ms | p99 ms | Odoo CPU ms | times less | aim | queries | rows | KB sent | KB allocated |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  const allocations = await lookInto(pid);
  for (const { name, odoo, aim } of kinds) {
    const path = paths.get(name) ?? '/';
    const cases = Object.entries(people).map(([visitorName, client]) => ({
      name: visitorName,
      url: url + path + fresh,
      pid,
      externalCpu: postgres ? databaseCpu : () => 0,
      headers: { Cookie: client.cookieHeader },
    }));
    for (const result of await compare(cases, { ...options, connections })) {
      const subject = cases.find((candidate) => candidate.name === result.name);
      const work = subject ? await workOf(subject, allocations) : [];
      lines.push(line({ name, odoo, aim }, result, work));
    }
  }
  allocations.close();
  const { body, amount, ...row } = listCall;
  const call = {
    url: `${url}/web/dataset/search_read`,
    pid,
    method: 'POST',
    body,
    amount,
    holds: '"records"',
  } as const;
  // The pages are compiled by now, but the calls are not: another user warms them up, because calls per user are limited.
  for (const [name, { cookieHeader }] of Object.entries({
    other: await editor(url, 'editor'),
    editor: people.editor,
  })) {
    const headers = { Cookie: cookieHeader, 'Content-Type': 'application/json', Origin: url };
    const cases = [{ ...call, name, headers, externalCpu: postgres ? databaseCpu : () => 0 }];
    const [result] = await compare(cases, { ...options, rounds: 3, connections });
    if (result && name === 'editor') lines.push(line(row, result));
  }
  return lines.join('\n');
}

/** Average work per page over 200 requests: queries, rows, KB sent and KB allocated. */
async function workOf({ url, headers }: Pick<Case, 'url' | 'headers'>, allocations: Allocations): Promise<string[]> {
  const pages = 200;
  const before = await databaseFigures(url);
  let sent = 0;
  const allocated = await allocations.during(async () => {
    const { '2xx': answered, throughput } = await autocannon({
      url,
      headers,
      connections: 4,
      amount: pages,
      idReplacement: true,
    });
    sent = throughput.total / answered;
  });
  const after = await databaseFigures(url);
  const perPage = (key: 'reads' | 'rows'): string => ((after[key] - before[key]) / pages).toFixed(1);
  return [perPage('reads'), perPage('rows'), (sent / 1024).toFixed(0), (allocated / pages / 1024).toFixed(0)];
}

async function databaseFigures(url: string): Promise<{ reads: number; rows: number }> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const figure = (name: string): number => Number(new RegExp(`^pergola_database_${name} (\\d+)`, 'm').exec(text)?.[1]);
  return { reads: figure('reads'), rows: figure('rows_read') };
}

function line(
  { name, odoo, aim }: Pick<Kind, 'name' | 'odoo' | 'aim'>,
  result: Result,
  work: readonly string[] = ['–', '–', '–', '–'],
): string {
  const { name: visitorName, requestsPerSecond, cpuPerRequest, p99 } = result;
  const cpu = cpuPerRequest / 1000;
  const comparison = odoo === undefined ? ['–', '–', '–'] : [odoo.toFixed(1), (odoo / cpu).toFixed(1), String(aim)];
  const cells = [
    name,
    visitorName,
    Math.round(requestsPerSecond),
    cpu.toFixed(2),
    p99.toFixed(1),
    ...comparison,
    ...work,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function customer(url: string): Promise<Client> {
  const client = new Client(url);
  const product_template_id = /href="\/shop\/product\/[^"?#]+-(\d+)"/.exec((await client.get('/shop')).text)?.[1] ?? '';
  await client.form('/shop/cart/update', { product_template_id, add_qty: '1' });
  return client;
}

/** A client that can't use anything cached by other visitors, because it may have written through another process. */
function stranger(url: string): Client {
  const client = new Client(url);
  client.keepCookies(['pergola_wrote=elsewhere']);
  return client;
}

async function editor(url: string, login = 'admin'): Promise<Client> {
  const client = new Client(url);
  await client.form('/web/login', { login, password: login });
  return client;
}

/** Requests all pages in turn as 16 visitors, half of them uncached. */
async function mixed({ url, pid }: RunningServer, paths: readonly string[], minutes: number): Promise<void> {
  const memory = (): string => `${Math.round(residentMemory(pid) / 1e6)} MB`;
  console.log(`memory before: ${memory()}`);
  const requests = paths.flatMap((path) => [{ path: path + fresh }, { path }]);
  for (let minute = 1; minute <= minutes; minute++) {
    const overallRate = values.rate === undefined ? {} : { overallRate: Number(values.rate) };
    const { errors, non2xx } = await autocannon({
      url,
      connections: 16,
      duration: 60,
      requests,
      idReplacement: true,
      ...overallRate,
    });
    console.log(`minute ${minute}: ${memory()}${errors + non2xx > 0 ? `, ${errors + non2xx} failed` : ''}`);
  }
  await sleep(60_000);
  console.log(`a minute later: ${memory()}. Limits: 300 MB, at rest 200.`);
}

function withoutOwn(args: readonly string[]): string[] {
  const ownOptions = ['--minutes', '--dialect', '--rate'];
  const isOwn = (place: number): boolean => ownOptions.includes(args[place] ?? '');
  return args.filter((_, place) => !isOwn(place) && !isOwn(place - 1));
}
