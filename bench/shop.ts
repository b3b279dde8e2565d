import { parseArgs } from 'node:util';
import autocannon, { type Request } from 'autocannon';
import { ProductAttribute, ProductAttributeLine, ProductAttributeValue } from '../addons/sale/index.ts';
import { ShopTemplate } from '../addons/website_sale/index.ts';
import type { Ctx } from '../core/context/context.ts';
import { Client, type TestApp } from '../tools/testing/index.ts';
import { openPostgres, type Served, serveApp, startRole, startString } from './app-process.ts';
import { capture, compare, cpuTime, loadOptions, median, ratioTable } from './harness.ts';

/**
 * The list of products: rendered without the cache against the same text from a bare server (limit: 25 times the CPU), and of a large shop against one of 100
 * products (limit: 3 times), and every other way to look at it: sorted, searched, filtered, far behind. Then carts: `update_json` by 16 customers at once, each with a cart of their own (limit: 400 a second for each second of CPU).
 *
 * `--products 100000` says how large the large shop is; 10 000 unless told. `--dialect postgres` for the other database.
 */
async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: Object.fromEntries([...own, 'seconds'].map((name) => [name, { type: 'string' }])),
    strict: false,
  });
  const many = String(values.products ?? 10_000);
  const dialect = String(values.dialect ?? 'sqlite');
  const postgres = dialect === 'postgres' ? await openPostgres() : null;
  const small = await startRole(import.meta.url, 'serve', '100', dialect);
  const page = await capture(`${small.url}/shop?fresh=1`);
  const bare = await startString(page);
  const large = await startRole(import.meta.url, 'serve', many, dialect);
  try {
    const cases = [
      { name: `bare string of ${page.body.length} bytes`, url: bare.url, pid: bare.pid },
      { name: 'list of 100 products, not kept', url: `${small.url}/shop?fresh=1`, pid: small.pid },
      { name: `list of ${many} products, not kept`, url: `${large.url}/shop?fresh=1`, pid: large.pid },
      { name: 'list of 100 products, kept', url: `${small.url}/shop`, pid: small.pid },
    ];
    console.log(ratioTable(await compare(cases, loadOptions(optionsOnly(process.argv.slice(2))))));
    console.log('Limits: 25 times the bare string; the large list 3 times the small one.');
    console.log(await ways(small.url, large.url));
    console.log(await carts(small, Number(values.seconds ?? 8)));
  } finally {
    await Promise.all([small, large, bare].map((server) => server.stop()));
    await postgres?.close();
  }
}

/** How visitors look at a list, one request at a time: the median of nine, in both shops. */
async function ways(small: string, large: string): Promise<string> {
  const queries = [
    '',
    'order=newest',
    'order=price_asc',
    'order=name',
    'search=Product+77',
    'search=useful',
    'attrib=1-1',
    'attrib=1-1&attrib=4-301',
    'page=5',
    'all=1',
  ];
  const lines = ['| list | small, ms | large, ms | ratio |', '| --- | --- | --- | --- |'];
  for (const query of queries) {
    const [less = 0, more = 0] = [await patience(`${small}/shop?${query}`), await patience(`${large}/shop?${query}`)];
    lines.push(`| ${query || 'as it comes'} | ${less.toFixed(1)} | ${more.toFixed(1)} | ${(more / less).toFixed(2)} |`);
  }
  return lines.join('\n');
}

async function patience(url: string): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < 12; time++) {
    const from = performance.now();
    await (await fetch(`${url}&fresh=${time}`)).text();
    // The first ones read what is not in memory yet.
    if (time >= 3) taken.push(performance.now() - from);
  }
  return median(taken);
}

/** Options that only this measurement knows. */
const own = ['products', 'dialect'];

function optionsOnly(args: readonly string[]): string[] {
  const isOwn = (place: number): boolean => own.includes(args[place]?.slice(2) ?? '');
  return args.filter((_, place) => !isOwn(place) && !isOwn(place - 1));
}

/** Customers who change a line of their carts, one call after the other. They are played by autocannon, which leaves the cores to the shop. */
async function carts({ url, pid }: Served, seconds: number): Promise<string> {
  const { host, origin } = new URL(url);
  const product_id = 1;
  const customers: Request[][] = [];
  for (let place = 0; place < 16; place++) {
    const customer = new Client(url);
    const { line_id } = await customer.rpc<{ line_id: number }>('/shop/cart/update_json', { product_id, add_qty: 1 });
    const headers = { Host: host, Origin: origin, Cookie: customer.cookieHeader, 'Content-Type': 'application/json' };
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
  await play(3);
  const before = cpuTime(pid);
  const { duration, latency, errors, non2xx, '2xx': count } = await play(seconds);
  if (errors + non2xx > 0)
    throw new Error(`update_json: ${errors} failed, ${non2xx} were answered with another status.`);
  const spent = (cpuTime(pid) - before) / count;
  return [
    `update_json: ${Math.round(count / duration)} a second, ${Math.round(1e6 / spent)} for each second of CPU,`,
    `median ${latency.p50} ms, p99 ${latency.p99} ms. Limits: 400, p99 40 ms.`,
  ].join(' ');
}

/** A shop of so many products, each with values of two of ten attributes with a hundred values each. */
async function fill(ctx: Ctx, from: number, number: number): Promise<void> {
  if (from === 0) {
    const attributes = await ctx
      .model(ProductAttribute)
      .create(Array.from({ length: 10 }, (_, place) => ({ name: `Attribute ${place}` })));
    for (const attribute_id of attributes)
      await ctx
        .model(ProductAttributeValue)
        .create(Array.from({ length: 100 }, (_, place) => ({ name: `Value ${place}`, attribute_id })));
  }
  const ids = await ctx.model(ShopTemplate).create(
    Array.from({ length: number }, (_, place) => ({
      name: `Product ${from + place}`,
      description_sale: 'Useful for many things.',
      list_price: String(10 + ((from + place) % 90)),
      website_published: true,
      website_sequence: (from + place) * 7,
    })),
  );
  const values = await ctx.model(ProductAttributeValue).find([], { select: { attribute_id: true } });
  const byAttribute = [...Map.groupBy(values, ({ attribute_id }) => attribute_id)];
  await ctx.model(ProductAttributeLine).create(
    ids.flatMap((product_tmpl_id) =>
      [product_tmpl_id % 10, (product_tmpl_id + 3) % 10].map((place) => {
        const [attribute_id = 0, own = []] = byAttribute[place] ?? [];
        return { product_tmpl_id, attribute_id, value_ids: [own[product_tmpl_id % own.length]?.id ?? 0] };
      }),
    ),
  );
}

async function serve(app: TestApp, number: number): Promise<string> {
  for (let from = 0; from < number; from += 500)
    await app.write((ctx) => fill(ctx, from, Math.min(500, number - from)));
  await app.runJobs();
  return '';
}

const [role, number, dialect] = process.argv.slice(2);
if (role === 'serve') {
  const database = dialect === 'postgres' ? 'postgres' : 'sqlite';
  await serveApp({ addons: ['website_sale'], database }, (app) => serve(app, Number(number)));
} else await measure();
