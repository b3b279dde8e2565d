import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import sqlite3 from 'sqlite3';
import { Unavailable } from '../../../core/base/errors.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { openDatabase } from '../open.ts';
import type { Connection, Database } from '../types.ts';
import { createKeptLog, make, type OpenTest, openTest, seats, sleep, sql } from './support.ts';

eachDatabase('An open database', (dialect) => {
  let test_: OpenTest;
  let database: Database;
  beforeAll(async () => {
    test_ = await openTest(dialect, { readers: 1, statements: 20 });
    ({ database } = test_);
    await make(database, seats);
  });
  afterAll(() => test_.close());

  test('prepares a statement once, however often it runs', async () => {
    await sql(database.reader, 'select 1');
    const prepare = jest.spyOn(sqlite3.Database.prototype, 'prepare');
    for (let i = 0; i < 10; i += 1) await sql(database.reader, 'select name from seat where id = ?', i);
    const prepared = prepare.mock.calls.length;
    prepare.mockRestore();
    if (dialect === 'sqlite') {
      expect(prepared).toBe(1);
    } else {
      const rows = await sql(
        database.reader,
        "select statement from pg_prepared_statements where statement like 'select name%'",
      );
      expect(rows).toHaveLength(1);
    }
  });

  test('keeps only so many statements prepared', async () => {
    for (let i = 0; i < 60; i += 1)
      for (let again = 0; again < 2; again += 1) await sql(database.reader, `select ${i} as n`);
    if (dialect === 'postgres') {
      const [row] = await sql(database.reader, 'select count(*) as n from pg_prepared_statements');
      expect(Number(row?.n)).toBeLessThanOrEqual(20);
    }
    expect(await sql(database.reader, 'select 7 as n')).toEqual([{ n: 7 }]);
  });

  test('lets reads wait for a free connection, but not for ever', async () => {
    const slow =
      dialect === 'sqlite'
        ? 'with recursive c(n) as (select 1 union all select n + 1 from c where n < 6000000) select max(n) from c'
        : 'select pg_sleep(1)';
    const impatient = await test_.another({ readers: 1, deadlineMs: 100 });
    const long = sql(impatient.reader, slow);
    await expect(sql(impatient.reader, 'select 1')).rejects.toThrow(Unavailable);
    await long;
    expect(await sql(impatient.reader, 'select count(*) as n from seat where id < 0')).toEqual([{ n: 0 }]);
    expect(impatient.metrics()).toMatchObject({ unavailable: 1, readsWaiting: 0 });
    await impatient.close();
  });

  test('counts what it does', async () => {
    const before = database.metrics();
    await sql(database.reader, 'select 1');
    await database.write(async () => {});
    await database.write(() => Promise.reject(new Error('no'))).catch(() => {});
    const after = database.metrics();
    expect([
      after.reads - before.reads,
      after.writes - before.writes,
      after.writesFailed - before.writesFailed,
    ]).toEqual([1, 1, 1]);
    expect(after.connections).toBeGreaterThan(1);
  });

  test('ends what runs before it closes, and refuses what comes after', async () => {
    const node = await test_.another({ deadlineMs: 5_000 });
    let write: Promise<unknown> = Promise.resolve();
    await new Promise<void>((begun) => {
      write = node.write(async (transaction) => {
        begun();
        await sleep(30);
        await sql(transaction, "insert into seat (name) values ('last')");
      });
    });
    await node.close();
    await write;
    expect(await sql(database.reader, "select name from seat where name = 'last'")).toHaveLength(1);
    await expect(node.write(async () => {})).rejects.toThrow(Unavailable);
    await expect(sql(node.reader, 'select 1')).rejects.toMatchObject({
      cause: { message: 'read connection is closed' },
    });
  });

  test('lets nothing run in a snapshot that has ended', async () => {
    let escaped: Connection | undefined;
    await database.snapshot(async (connection) => {
      escaped = connection;
    });
    await expect(escaped?.query({ sql: 'select 1', bindings: [] })).rejects.toThrow('The snapshot has ended.');
  });
});

describe('A SQLite file', () => {
  let folder: string;
  const log = createKeptLog();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pergola-db-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('is durable and safe on every connection, also after the first statements', async () => {
    const database = await openDatabase({ url: `sqlite:${folder}/deep/er/site.db`, log });
    const wanted = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, trusted_schema: 0 };
    const read = async (connection: Connection) => {
      const found: Record<string, unknown> = {};
      for (const name of Object.keys(wanted))
        found[name] = Object.values((await sql(connection, `pragma ${name}`))[0] ?? {})[0];
      return found;
    };
    await database.write(async (transaction) => {
      await sql(transaction, 'create table t (a)');
      expect(await read(transaction)).toEqual(wanted);
    });
    await Promise.all(
      Array.from({ length: 4 }, () =>
        database.snapshot(async (connection) => expect(await read(connection)).toEqual(wanted)),
      ),
    );
    await Promise.all(Array.from({ length: 8 }, async () => expect(await read(database.reader)).toEqual(wanted)));
    await database.close();
  });

  test('may be read by its owner only', async () => {
    const database = await openDatabase({ url: `sqlite:${folder}/private.db`, log });
    expect((await stat(`${folder}/private.db`)).mode & 0o777).toBe(0o600);
    expect((await stat(`${folder}/private.db-wal`)).mode & 0o777).toBe(0o600);
    await database.close();
  });

  test('is refused when SQLite cannot keep its promises there', async () => {
    await writeFile(`${folder}/text.db`, 'this is no database, and long enough to be looked at'.repeat(200));
    await expect(openDatabase({ url: `sqlite:${folder}/text.db`, log })).rejects.toThrow(/not a database/);
    await expect(openDatabase({ url: 'sqlite::memory:', log })).rejects.toThrow(/needs a file/);
    await expect(openDatabase({ url: 'mysql://x', log })).rejects.toThrow(/must be sqlite:/);
    expect(await readFile(`${folder}/text.db`, 'utf8')).toContain('this is no database');
  });

  test('that cannot grow any more refuses the write with 503, and goes on when there is room', async () => {
    const database = await openDatabase({ url: `sqlite:${folder}/full.db`, log });
    await make(database, seats);
    const limit = (pages: number) =>
      database.write((transaction) => sql(transaction, `pragma max_page_count = ${pages}`));
    const add = (name: string) =>
      database.write((transaction) => sql(transaction, 'insert into seat (name) values (?)', name));
    await limit(1);
    await expect(add('x'.repeat(100_000))).rejects.toMatchObject({ status: 503, code: 'core.disk_full' });
    await limit(100_000);
    await add('small');
    expect(await sql(database.reader, 'select name from seat')).toEqual([{ name: 'small' }]);
    await database.close();
  });

  test('keeps its log small while it is read and written', async () => {
    const database = await openDatabase({ url: `sqlite:${folder}/log.db`, log });
    await make(database, seats);
    for (let i = 0; i < 60; i += 1) {
      await database.write((transaction) =>
        sql(transaction, 'insert into seat (name) values (?)', `${i}${'x'.repeat(300_000)}`),
      );
      await sql(database.reader, 'select count(*) from seat');
    }
    expect((await stat(`${folder}/log.db-wal`)).size).toBeLessThan(20_000_000);
    await database.close();
  });
});
