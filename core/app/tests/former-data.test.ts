import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { jest } from '@jest/globals';
import {
  type Answer,
  type Client,
  createTestApp,
  createTestDatabase,
  eachDatabase,
  type TestApp,
  type TestDatabase,
  type TestDialect,
} from '#core/testing';
import { connected } from '../../../tools/testing/postgres/server.ts';
import { repository } from '../../base/addon-folders.ts';
import { models } from '../../model/index.ts';

jest.setTimeout(180_000);

const folder = join(repository, 'addons');
const addons = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'addon.ts')));

type Row = Record<string, unknown>;

/** Asks or changes a database from outside, as nothing of Pergola does. */
async function ask(url: string, sql: string): Promise<Row[]> {
  let rows: Row[] = [];
  if (url.startsWith('sqlite:')) {
    using file = new DatabaseSync(url.slice('sqlite:'.length));
    if (/^select/i.test(sql)) rows = file.prepare(sql).all();
    else file.exec(sql);
  } else
    await connected(url, async (client) => {
      ({ rows } = await client.query(sql));
    });
  return rows;
}

/**
 * The demo site of the first version whose data later ones take over: the whole database, but for the states of most countries. Made by that version's
 * first start, on SQLite and PostgreSQL, and written out as SQL.
 */
async function formerSite(dialect: TestDialect): Promise<TestDatabase> {
  const sql = brotliDecompressSync(readFileSync(join(import.meta.dirname, `former-data/${dialect}.sql.br`))).toString();
  const database = await createTestDatabase(dialect);
  await ask(database.url, sql);
  return database;
}

/** What the tables and indexes are, a line for each column and index. */
async function schemaOf(url: string): Promise<string[]> {
  const isSqlite = url.startsWith('sqlite:');
  const rows = await ask(
    url,
    isSqlite
      ? `select m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" as line from sqlite_master m, pragma_table_xinfo(m.name) c
         where m.type = 'table' and m.name not like 'sqlite_%' union select 'index ' || name from sqlite_master where type in ('index', 'trigger')`
      : `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as line from information_schema.columns
         where table_schema = 'public' union select 'index ' || indexname from pg_indexes where schemaname = 'public'`,
  );
  return rows.map(({ line }) => String(line)).sort();
}

/** What a site keeps of its visitors and staff, as text, by table and id. */
async function recordsOf(url: string, tables: readonly string[]): Promise<Map<string, Row>> {
  const records = new Map<string, Row>();
  for (const table of tables)
    for (const row of await ask(url, `select * from "${table}"`)) records.set(`${table} ${row.id}`, row);
  return records;
}

eachDatabase('The database of an earlier version', (dialect) => {
  let site: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    site = await formerSite(dialect);
    app = await createTestApp({ addons, url: site.url, demo: true });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('is not served by newer code, which says that it wants an upgrade', async () => {
    expect(app.application.lifecycle.follower.unready.join()).toContain('npx pergola upgrade sale');
    expect((await app.visitor().get('/readyz')).status).toBe(503);
  });

  it('gets the tables of today by an upgrade, and keeps each record as it was', async () => {
    const { problems } = await app.application.lifecycle.upgrade([], { yes: true });
    expect(problems).toEqual([]);
    // Indexes of tables that are there already are made afterwards.
    await app.runJobs();
    await using fresh = await createTestApp({ addons, database: dialect, demo: true });
    expect(await schemaOf(site.url)).toEqual(await schemaOf(fresh.config.databaseUrl));

    const tables = [...app.application.generation.get(models).models.keys()].map((name) => name.replaceAll('.', '_'));
    const untouched = await formerSite(dialect);
    const before = await recordsOf(untouched.url, tables);
    await untouched.drop();
    const after = await recordsOf(site.url, tables);
    const changed = [...before].flatMap(([id, row]) => {
      const now = after.get(id);
      if (!now) return [`${id} is gone`];
      return Object.keys(row)
        .filter((column) => !column.startsWith('write_') && JSON.stringify(row[column]) !== JSON.stringify(now[column]))
        .map((column) => `${id} ${column}: ${JSON.stringify(row[column])} → ${JSON.stringify(now[column])}`);
    });
    expect(changed).toEqual([]);
    expect(before.size).toBeGreaterThan(2000);
  });

  it('answers its pages in both languages, and its people sign in', async () => {
    for (const path of ['/', '/fr', '/shop', '/fr/shop', '/event', '/matchs', '/forum/help-1'])
      expect([path, (await patiently(app.visitor(), path)).status]).toEqual([path, 200]);
    const visitor = app.visitor();
    await visitor.form('/web/login', { login: 'portal', password: 'portal' });
    expect((await patiently(visitor, '/web/account')).text).toContain('/web/account/password');
    const staff = await app.as('admin');
    for (const model of ['res.users', 'sale.order', 'forum.post', 'event.event', 'club.match'])
      expect(
        await staff.rpc('/web/dataset/call_kw', { model, method: 'search_read', args: [[]], kwargs: { limit: 5 } }),
      ).toHaveLength(5);
  });
});

/** A page, where it leads to; asked for again while the process, which has just worked hard, calls itself busy. */
async function patiently(client: Client, path: string): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await client.get(path);
    if (answer.status === 503 && tries < 100) await sleep(300);
    else return answer.location === null ? answer : patiently(client, answer.location);
  }
}
