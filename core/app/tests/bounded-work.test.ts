import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { jest } from '@jest/globals';
import { type Client, createTestApp, type TestApp } from '#core/testing';
import { repository } from '../../base/addon-folders.ts';
import { routes } from '../../http/index.ts';
import { type CompiledModel, models } from '../../model/index.ts';

jest.setTimeout(600_000);

/** Rows added to each table of records. */
const GROWTH = 5000;
/** Ids of added rows follow this number in every table, so references between them always fit. */
const FIRST = 100_000;
/** Rows that a request may read; some 1,600 are what every request needs after a write: countries, currencies, translations. */
const MAX_ROWS = 3000;
/** Models with a few records, since administrators set them up, or with a limit for each record they belong to. The club's own tables have a club's size. */
const isSettled = (model: string): boolean =>
  /^(website|website\.menu|website\.page|website\.form.*|res\.(lang|groups|company|currency|country.*)|ir\.sequence|forum\.(forum|badge.*|post\.reason)|gamification\.badge.*|sale\.order\.(line|option)|sale\.quote\..*|auth\.token|mail\.mass_mailing\.list|event\.(type.*|event\.ticket)|product\.(image|style|pricelist.*|public\.category|attribute.*|template\.attribute.*|product)|payment\.acquirer|account\..*|club\..*)$/.test(
    model,
  );

let app: TestApp;
beforeAll(async () => {
  const folder = join(repository, 'addons');
  const addons = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'addon.ts')));
  app = await createTestApp({ addons, demo: true });
  // Rows by the hundred thousand: models would take minutes for what one statement does.
  const database = new DatabaseSync(app.config.databaseUrl.replace(/^sqlite:/, ''));
  database.exec('pragma foreign_keys = off; pragma busy_timeout = 30000; begin immediate');
  const all = [...app.application.generation.get(models).models.values()].filter(({ options }) => !options.coreTable);
  const growing = all.filter(({ name }) => !isSettled(name));
  for (const { table } of growing) growRows(database, table);
  for (const model of growing) growLinks(database, model, new Set(growing.map(({ name }) => name)));
  database.exec('commit; analyze');
  database.close();
});
afterAll(() => app.close());

const NUMBERS = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${GROWTH})`;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Repeats the first rows of a table, with other values where they have to be unique. */
function growRows(database: DatabaseSync, table: string): void {
  const columnsOf = (sql: string) => database.prepare(sql).all() as unknown as Column[];
  const columns = columnsOf(`pragma table_info(${table})`).filter(({ name }) => name !== 'id');
  const indexes = database.prepare(`pragma index_list(${table})`).all() as { name: string; unique: number }[];
  const isText = (name: string) => columns.some((column) => column.name === name && /text|char/i.test(column.type));
  const changed = new Set(
    indexes
      .filter(({ unique }) => unique === 1)
      .map(({ name }) => columnsOf(`pragma index_info(${name})`).map((column) => column.name))
      .map((names) => names.find(isText) ?? names.at(-1)),
  );
  const values = columns.map(({ name }) => {
    if (!changed.has(name)) return `t."${name}"`;
    return isText(name) ? `t."${name}" || '-' || n.i` : `${FIRST} + n.i`;
  });
  database.exec(`insert or ignore into ${table} (id, ${columns.map(({ name }) => `"${name}"`).join(', ')})
    ${NUMBERS}, t as (
      select row_number() over (order by id) - 1 as place, count(*) over () as total, *
      from (select * from ${table} order by id limit 8)
    ) select ${FIRST} + n.i, ${values.join(', ')} from n join t on t.place = n.i % t.total`);
}

/** Staff choose the products next to a product, and a question has a few tags. */
const isFew = (ends: readonly string[]): boolean =>
  ends.includes('product.template') || (ends.includes('forum.post') && ends.includes('forum.tag'));

/** Links some of the first records of both models to all that were added. */
function growLinks(database: DatabaseSync, { name, fields }: CompiledModel, growing: ReadonlySet<string>): void {
  for (const { relation, stored } of fields.values()) {
    if (relation?.kind !== 'many2many' || !stored || isFew([name, relation.to]) || !growing.has(relation.to)) continue;
    const { table, from, toColumn } = relation;
    for (const [kept, grown] of [
      [from, toColumn],
      [toColumn, from],
    ])
      database.exec(`insert or ignore into ${table} (${kept}, ${grown}) ${NUMBERS} select k, ${FIRST} + i
        from n, (select distinct ${kept} as k from ${table} where ${kept} < ${FIRST} order by 1 limit 3)`);
  }
}

/** Opens pages by their links, a few of each shape; returns those whose requests read too many rows. */
async function heavyPages(client: Client, start: readonly string[], max: number): Promise<string[]> {
  const heavy: string[] = [];
  const seen = new Set<string>();
  const shapes = new Map<string, number>();
  const waiting = [...start];
  for (let path = waiting.shift(); path !== undefined && seen.size < max; path = waiting.shift()) {
    const shape = path.replace(/\?.*/, '').replace(/[^/]*\d+/g, '#');
    const count = shapes.get(shape) ?? 0;
    // The club's pages list its own tables.
    if (seen.has(path) || count >= 2 || /logout|\/(club|matchs|teams|wall|convocations)\b/.test(path)) continue;
    seen.add(path);
    shapes.set(shape, count + 1);
    const before = app.application.database.metrics().rowsRead;
    const { text, headers, location } = await client.get(path);
    const rows = app.application.database.metrics().rowsRead - before;
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
  // The first request prepares what all share.
  await client.get('/');
  expect(await heavyPages(client, ['/', '/sitemap.xml', ...paths], 400)).toEqual([]);
});
