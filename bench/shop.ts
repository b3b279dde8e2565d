import { parseArgs } from 'node:util';
import autocannon, { type Request } from 'autocannon';
import { ProductProduct, ProductTemplate } from '../addons/sale/index.ts';
import { Client } from '../tools/testing/index.ts';
import { openPostgres, type Served, serveApp, startRole, startString } from './app-process.ts';
import { capture, compare, cpuTime, databaseCpu, loadOptions, ratioTable, warmUp } from './harness.ts';
import { fillShop } from './shop-products.ts';

/** Ids of the product template and its only variant, whose stock is tracked. */
const STOCKED = 2;

/**
 * The list of 100 products rendered without the cache, compared with the same text from a bare server (limit: 15 times the CPU). Then
 * carts: `update_json` by 16 concurrent customers with separate carts (limit: 2 ms of CPU, 25 times less than Odoo 17), and the same when
 * all of them want one product with limited stock. `--dialect postgres` uses the other database.
 */
async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: { dialect: { type: 'string', default: 'sqlite' }, seconds: { type: 'string', default: '8' } },
    strict: false,
  });
  const dialect = String(values.dialect);
  const postgres = dialect === 'postgres' ? await openPostgres() : null;
  const shop = await startRole(import.meta.url, 'serve', dialect);
  const page = await capture(`${shop.url}/shop?fresh=1`);
  const bare = await startString(page);
  try {
    const cases = [
      { name: `bare string of ${page.body.length} bytes`, url: bare.url, pid: bare.pid },
      { name: 'list, not kept', url: `${shop.url}/shop?fresh=1`, pid: shop.pid },
      { name: 'list, kept', url: `${shop.url}/shop`, pid: shop.pid },
    ];
    console.log(ratioTable(await compare(cases, loadOptions(withoutDialect(process.argv.slice(2))))));
    console.log('Limit: 15 times the bare string.');
    for (const [label, product] of [
      ['update_json', 1],
      ['update_json, all of one product in stock', STOCKED],
    ] as const)
      console.log(`${label}: ${await carts(shop, product, Number(values.seconds), postgres !== null)}`);
  } finally {
    await Promise.all([shop, bare].map((server) => server.stop()));
    await postgres?.close();
  }
}

function withoutDialect(args: readonly string[]): string[] {
  return args.filter((_, place) => args[place] !== '--dialect' && args[place - 1] !== '--dialect');
}

/**
 * Customers who change a cart line, one call after another, each from a separate IP address because calls per address are limited.
 * Simulated by autocannon, which leaves the CPU cores to the shop.
 */
async function carts({ url, pid }: Served, product_id: number, seconds: number, isElsewhere: boolean): Promise<string> {
  const { host, origin } = new URL(url);
  const customers: Request[][] = [];
  for (let place = 0; place < 16; place++) {
    const address = `203.0.113.${place + 1}`;
    const customer = new Client(url, address);
    const { line_id } = await customer.rpc<{ line_id: number }>('/shop/cart/update_json', { product_id, add_qty: 1 });
    const headers = {
      Host: host,
      Origin: origin,
      Cookie: customer.cookieHeader,
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
    };
    const change = (set_qty: number): Request => ({
      method: 'POST',
      path: '/shop/cart/update_json',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params: { line_id, product_id, set_qty } }),
    });
    customers.push(Array.from({ length: 9 }, (_, quantity) => change(quantity + 1)));
  }
  const play = async (duration: number): Promise<Awaited<ReturnType<typeof autocannon>>> => {
    let next = 0;
    const setupClient = (client: autocannon.Client): void => client.setRequests(customers[next++] ?? []);
    const verifyBody = (body: Request['body']): boolean => String(body).includes('"result"');
    return autocannon({ url, connections: customers.length, duration, setupClient, verifyBody });
  };
  await warmUp(async () => (await play(1))['2xx']);
  const cpu = (): number => cpuTime(pid) + (isElsewhere ? databaseCpu() : 0);
  const cpuBefore = cpu();
  const { duration, latency, errors, non2xx, mismatches, '2xx': count } = await play(seconds);
  if (errors + non2xx + mismatches > 0)
    throw new Error(`update_json: ${errors} failed, ${non2xx + mismatches} were refused.`);
  const cpuMs = (cpu() - cpuBefore) / count / 1_000;
  return [
    `${Math.round(count / duration)} a second, ${cpuMs.toFixed(2)} ms of CPU, that of the database with it,`,
    `median ${latency.p50} ms, p99 ${latency.p99} ms. Limits: 2 ms (25 times less than Odoo 17), p99 40 ms.`,
  ].join(' ');
}

const [role, dialect] = process.argv.slice(2);
if (role === 'serve') {
  const database = dialect === 'postgres' ? 'postgres' : 'sqlite';
  await serveApp({ addons: ['website_sale'], database, env: { TRUSTED_PROXIES: 'loopback' } }, async (app) => {
    await app.write(async (ctx) => {
      await fillShop(ctx, 0, 100);
      await ctx.model(ProductTemplate).write(STOCKED, { inventory: 'kept' });
      await ctx.model(ProductProduct).setStock(STOCKED, 100_000);
    });
    await app.runJobs();
    return '';
  });
} else await measure();
