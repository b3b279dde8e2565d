import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createTestApp, type TestApp } from 'pergola/testing';
import { routes } from '../../../packages/http/index.ts';
import { type CompiledModel, models } from '../../../packages/orm/index.ts';
import { repository } from '../../base/addon-folders.ts';
import type { Growth } from './grow-tables.ts';

/** Maximum rows read per request, fewer than were added to each table; a calendar reads about 700. */
const MAX_ROWS = 1500;
/** Models with few records: set up by administrators, or limited per parent record. Tables of the club keep a realistic size. */
const isSettled = (model: string): boolean =>
  /^(website|website\.menu|website\.page|website\.form.*|res\.(lang|groups|company|currency|country.*)|ir\.sequence|forum\.(forum|badge.*|post\.reason)|gamification\.badge.*|sale\.order\.(line|option)|sale\.quote\..*|auth\.token|mail\.mass_mailing\.list|event\.(type.*|event\.ticket)|product\.(image|style|pricelist.*|public\.category|attribute.*|template\.attribute.*|product)|payment\.acquirer|account\..*|club\..*)$/.test(
    model,
  );

let app: TestApp;
beforeAll(async () => {
  const folder = join(repository, 'addons');
  const addons = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'addon.ts')));
  app = await createTestApp({ addons, demo: true });
  const all = [...app.application.generation.get(models).models.values()].filter(({ options }) => !options.coreTable);
  const growing = all.filter(({ name }) => !isSettled(name));
  const names = new Set(growing.map(({ name }) => name));
  const growth: Growth = {
    file: app.config.databaseUrl.replace(/^sqlite:/, ''),
    rows: 5000,
    first: 100_000,
    tables: growing.map(({ table }) => table),
    links: growing.flatMap((model) => linksOf(model, names)),
  };
  execFileSync(process.execPath, [join(import.meta.dirname, 'grow-tables.ts'), JSON.stringify(growth)]);
});
afterAll(() => app.close());

/** Staff choose a product's related products, and a question only has a few tags. */
const isFew = (ends: readonly string[]): boolean =>
  ends.includes('product.template') || (ends.includes('forum.post') && ends.includes('forum.tag'));

/** Link tables between a model and other growing models. */
function linksOf({ name, fields }: CompiledModel, growing: ReadonlySet<string>): Growth['links'] {
  return [...fields.values()].flatMap(({ relation, stored }) => {
    if (relation?.kind !== 'many2many' || !stored || isFew([name, relation.to]) || !growing.has(relation.to)) return [];
    const { table, from, toColumn } = relation;
    return [
      [table, from, toColumn],
      [table, toColumn, from],
    ] as const;
  });
}

/** Opens pages by following links, a few of each shape; returns those that fail or read too many rows. */
async function heavyPages(client: Client, start: readonly string[], max: number): Promise<string[]> {
  const heavy: string[] = [];
  const seen = new Set<string>();
  const shapes = new Map<string, number>();
  const waiting = [...start];
  for (let path = waiting.shift(); path !== undefined && seen.size < max; path = waiting.shift()) {
    const shape = path.replace(/\?.*/, '').replace(/[^/]*\d+/g, '#');
    const count = shapes.get(shape) ?? 0;
    // Pages of the club list its own tables.
    if (seen.has(path) || count >= 2 || /logout|\/(club|matchs|teams|wall|convocations)\b/.test(path)) continue;
    seen.add(path);
    shapes.set(shape, count + 1);
    const rowsBefore = app.database.metrics().rowsRead;
    const { status, text, headers, location } = await client.get(path);
    if (status >= 500) heavy.push(`${path}: ${status}`);
    const rows = app.database.metrics().rowsRead - rowsBefore;
    if (rows > MAX_ROWS) heavy.push(`${path}: ${rows} rows`);
    if (location?.startsWith('/')) waiting.push(location);
    if (headers.get('content-type')?.startsWith('text/html'))
      for (const [, link = ''] of text.matchAll(/href="(\/[^"#]*)"/g)) waiting.push(link.replaceAll('&amp;', '&'));
  }
  expect(seen.size).toBeGreaterThan(max / 2);
  return heavy;
}

test.each(['visitor', 'portal', 'admin'])('no page reads rows in proportion to a table, for %s', async (login) => {
  const paths = app.application.generation
    .get(routes)
    .list()
    .filter(({ method, kind }) => method === 'GET' && kind !== 'events')
    .map(({ path }) => path.replace(/:[a-z_]+(\([^)]*\))?\??/gi, '1').replace('*', 'x'));
  const client = login === 'visitor' ? app.visitor() : await app.as(login);
  // The first request warms shared caches.
  await client.get('/');
  expect(await heavyPages(client, ['/', '/sitemap.xml', ...paths], 400)).toEqual([]);
});
