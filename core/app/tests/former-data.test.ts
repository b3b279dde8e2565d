import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import {
  type Answer,
  type Client,
  createTestApp,
  createTestDatabase,
  eachDatabase,
  inOrder,
  type TestApp,
  type TestDatabase,
  type TestDialect,
} from 'pergola/testing';
import { fold } from '../../../packages/content/fold.ts';
import { connected } from '../../../tools/testing/postgres/server.ts';
import { repository } from '../../base/addon-folders.ts';

const folder = join(repository, 'addons');
const addons = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'addon.ts')));

type Row = Record<string, unknown>;

/** Reads raw rows from an application's database. */
async function ask(app: TestApp, sql: string): Promise<Row[]> {
  const answer: Row[] | { rows: Row[] } = await app.read(async (ctx) => ctx.db.raw(sql));
  return Array.isArray(answer) ? answer : answer.rows;
}

const tablesOf: Readonly<Record<TestDialect, string>> = {
  sqlite: "select name from sqlite_master where type = 'table'",
  postgres: "select table_name as name from information_schema.tables where table_schema = 'public'",
};

/** Former columns whose values are now computed on read, or encrypted. */
const calculated: ReadonlySet<string> = new Set(['sale_order.version', 'payment_acquirer.secret_key']);

/** Reworded texts of shipped records, by table, id and column. */
const reworded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'res_groups 5 name': { en_US: 'Forum manager', fr_FR: 'Responsable des forums' },
  'res_groups 9 name': { en_US: 'Page editor', fr_FR: 'Rédacteur de pages' },
  'res_groups 10 name': { en_US: 'Site editor', fr_FR: 'Rédacteur de sites' },
  'res_groups 12 name': { en_US: 'Scorekeeper', fr_FR: 'Responsable des résultats' },
  'res_groups 14 name': { en_US: 'Mailing manager', fr_FR: 'Responsable e-mailing' },
  'res_groups 14 category': { en_US: 'Mailings', fr_FR: 'E-mailing' },
  'res_groups 15 name': { en_US: 'Check-in staff', fr_FR: 'Contrôle des entrées' },
  'res_groups 16 name': { en_US: 'Event organiser', fr_FR: 'Organisateur d’événements' },
  'res_groups 17 name': { en_US: 'Event manager', fr_FR: 'Responsable des événements' },
  'res_groups 18 name': { en_US: 'Settings', fr_FR: 'Réglages' },
};

type Ask = (sql: string) => Promise<Row[]>;

/** Turns products of open and confirmed orders into tickets, since the demo orders contain none. */
const orderTickets = 'update sale_order_line set event_ticket_id = 1 where order_id in (1, 2, 3)';

/**
 * Restores the demo site of the first version that supports upgrades: the full database, except for the states of most countries, created
 * by the first start of that version on SQLite and PostgreSQL and dumped as SQL. Also returns its records.
 */
async function formerSite(dialect: TestDialect): Promise<TestDatabase & { records: Map<string, Row> }> {
  const sql = brotliDecompressSync(readFileSync(join(import.meta.dirname, `former-data/${dialect}.sql.br`))).toString();
  const database = await createTestDatabase(dialect);
  let records = new Map<string, Row>();
  if (dialect === 'postgres') {
    await connected(database.url, async (client) => {
      await client.query(sql);
      await client.query('set search_path to public');
      await client.query(orderTickets);
      records = await recordsOf(async (text) => (await client.query(text)).rows, dialect);
    });
  } else {
    // Close it before anything else opens the file: two SQLite libraries in one process release each other's locks.
    using file = new DatabaseSync(database.url.slice('sqlite:'.length));
    file.exec(sql);
    file.exec(orderTickets);
    records = await recordsOf(async (text) => file.prepare(text).all(), dialect);
  }
  return { ...database, records };
}

/** Records of visitors and staff, by table and id. */
async function recordsOf(ask: Ask, dialect: TestDialect): Promise<Map<string, Row>> {
  const records = new Map<string, Row>();
  for (const { name } of await ask(tablesOf[dialect])) {
    if (/^core_|^ir_module|^sqlite_|__fts|_rel$/.test(String(name))) continue;
    // As text, because drivers convert numbers and times differently.
    const rows = await ask(
      dialect === 'sqlite' ? `select * from "${name}"` : `select to_jsonb(t)::text as row from "${name}" t`,
    );
    for (const row of rows) {
      const record: Row = dialect === 'sqlite' ? row : JSON.parse(String(row.row));
      records.set(`${name} ${record.id}`, record);
    }
  }
  return records;
}

/** Parses a translated text, which SQLite stores as JSON; returns anything else as it is. */
function textsIn(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
}

/** Describes tables and indexes, one line per column and index. */
async function schemaOf(app: TestApp): Promise<string[]> {
  const isSqlite = app.config.databaseUrl.startsWith('sqlite:');
  const rows = await ask(
    app,
    isSqlite
      ? `select m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" as line from sqlite_master m, pragma_table_xinfo(m.name) c
         where m.type = 'table' and m.name not like 'sqlite_%' union select 'index ' || name from sqlite_master where type in ('index', 'trigger')`
      : `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as line from information_schema.columns
         where table_schema = 'public' union select 'index ' || indexname from pg_indexes where schemaname = 'public'`,
  );
  return rows.map(({ line }) => String(line)).sort();
}

eachDatabase('The database of an earlier version', (dialect) => {
  inOrder();
  let site: Awaited<ReturnType<typeof formerSite>>;
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

  it('gets the tables and reworded texts of today by an upgrade, and keeps all else as it was', async () => {
    const { problems } = await app.application.lifecycle.upgrade([], { yes: true });
    expect(problems).toEqual([]);
    // Addons that didn't exist yet are enabled by hand.
    expect((await app.application.lifecycle.enable(addons, { yes: true })).problems).toEqual([]);
    // Indexes on existing tables are created by a job.
    await app.runJobs();
    await using fresh = await createTestApp({ addons, database: dialect, demo: true });
    expect(await schemaOf(app)).toEqual(await schemaOf(fresh));
    const upgradedRecords = await recordsOf((sql) => ask(app, sql), dialect);
    const changed = [...site.records].flatMap(([id, row]): [string, unknown][] => {
      const now = upgradedRecords.get(id);
      if (!now) return [[id, 'is gone']];
      return Object.keys(row)
        .filter((column) => !column.startsWith('write_') && !calculated.has(`${id.split(' ', 1)[0]}.${column}`))
        .filter((column) => JSON.stringify(row[column]) !== JSON.stringify(now[column]))
        .map((column) => [`${id} ${column}`, textsIn(now[column])]);
    });
    const folded = Object.entries(reworded).map(([text, languages]) => [
      `${text}__fold`,
      Object.fromEntries(Object.entries(languages).map(([lang, words]) => [lang, fold(words)])),
    ]);
    expect(Object.fromEntries(changed)).toEqual({ ...reworded, ...Object.fromEntries(folded) });
    expect(site.records.size).toBeGreaterThan(2000);
  });

  it('notes when and where the events of ordered tickets take place, unless the order is confirmed', async () => {
    const rows = await ask(
      app,
      `select o.state, l.ticket_begin = e.date_begin as "begin", l.ticket_end = e.date_end as "end", l.ticket_venue = coalesce(e.address_id, 0) as venue
       from sale_order_line l join sale_order o on o.id = l.order_id
       join event_event_ticket t on t.id = l.event_ticket_id join event_event e on e.id = t.event_id`,
    );
    const noted = rows.map((row) => [
      row.state,
      ...[row.begin, row.end, row.venue].map((value) => value && Boolean(value)),
    ]);
    const distinct = [...new Set(noted.map((row) => JSON.stringify(row)))].sort();
    expect(distinct).toEqual(['["draft",true,true,true]', '["sale",null,null,null]', '["sent",true,true,true]']);
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

/** Opens a page, following redirects; retries while the process reports that it is busy after the upgrade. */
async function patiently(client: Client, path: string): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await client.get(path);
    if (answer.status === 503 && tries < 100) await sleep(300);
    else return answer.location === null ? answer : patiently(client, answer.location);
  }
}
